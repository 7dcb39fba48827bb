"""How an item ends or rests: approved, merged, waiting, with a person, given up."""

from __future__ import annotations

from datetime import datetime

from harness.facts.case import Case
from harness.facts.causes import Cause
from harness.facts.decisions import ItemReport, Outcome
from harness.facts.intents import CommentOn, Intent, MarkReady, Precondition, SetStatus
from harness.facts.intents import Merge as MergeWrite
from harness.facts.steps import Abandon, Approve, AwaitChecks, Escalate, Merge
from harness.rules.custody import (
    REVIEWS,
    is_outdated,
    next_step,
    review_of_head,
    reviewer,
    unheard,
)
from harness.rules.forge_names import (
    STATUS_CONTEXT,
    call_purpose,
    commit_status_purpose,
    decline_purpose,
    merge_purpose,
    ready_purpose,
)
from harness.rules.gate import approve_gate
from harness.runs.calling import call_person
from harness.runs.desk import Desk
from harness.runs.gather import gather_case, moved_on
from harness.runs.job import Job
from harness.runs.publishing import implementation_of, publish_status
from harness.runs.putting_away import tree_name
from harness.runs.settling import NOTHING
from harness.words.check_result import approved_though
from harness.words.commit_message import squash_message, squash_title
from harness.words.decline import not_worth_doing_comment
from harness.words.escalation import escalation_section, no_change_comment
from harness.words.status_lines import commit_status, reviewed_again


def report(
    desk: Desk,
    job: Job,
    case: Case,
    outcome: Outcome,
    reason: str,
    *,
    until: datetime | None = None,
) -> ItemReport:
    """One line of the run's report."""
    return ItemReport(
        repo=desk.repo.slug,
        item=job.item,
        title="",
        outcome=outcome,
        reason=reason,
        pull=case.pull.number if case.pull else 0,
        not_before=until,
    )


def approve(desk: Desk, job: Job, case: Case, step: Approve) -> ItemReport | None:
    """Say that this head is approved, if that is still so when it is read again."""
    now = gather_case(desk, job)
    if next_step(now) != step:
        return None
    verdict = approve_gate(now)
    if not verdict.go:
        return report(desk, job, case, Outcome.WAITING, "; ".join(verdict.reasons))
    unsaid = publish_status(desk, job, case, Outcome.APPROVED, "")
    told = set_status(desk, job, case, step.sha, Outcome.APPROVED)
    if told.state != "delivered":
        return _not_approved(desk, job, case, step, told)
    _take_out_of_draft(desk, job, case, step.sha)
    if gather_case(desk, job).merge_wanted:
        return None
    known = "; ".join(filter(None, (approved_though(case.head_check), unsaid)))
    return report(desk, job, case, Outcome.APPROVED, known)


def withdraw_approval(desk: Desk, job: Job, case: Case) -> None:
    """Where this head was approved: it is looked at again, and people are told so."""
    review = review_of_head(case)
    if not case.approved or case.approved != case.head:
        return
    who = sorted({word.by for word in unheard(case, review)}) if review else []
    rewritten = job.item if review and is_outdated(case, review) else 0
    publish_status(desk, job, case, None, reviewed_again(who, rewritten=rewritten))
    set_status(desk, job, case, case.head, None)  # last: by it a killed run knows that all is said


def _take_out_of_draft(desk: Desk, job: Job, case: Case, sha: str) -> None:
    """What we opened as a draft is one until it is approved; what a person made one stays one."""
    pull = case.pull
    if pull is None or not pull.draft or not case.loop.drafts or job.origin == "adopted":
        return
    if any(one.kind == "convert_to_draft" for one in desk.reading.timeline(pull.number)):
        return
    desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=job.item,
        purpose=ready_purpose(sha),
        write=MarkReady(number=pull.number),
        why="it was opened as a draft and is approved now",
        needs=Precondition(pull=pull.number, head=sha, state="open"),
    )


def _not_approved(
    desk: Desk, job: Job, case: Case, step: Approve, told: Intent
) -> ItemReport | None:
    if told.state == "dropped" and moved_on(desk, job, step):
        return None
    return refused(desk, job, case, f"its commit status could not be set: {told.reason}")


def merge(desk: Desk, job: Job, case: Case, step: Merge) -> ItemReport | None:
    """Merge the approved head by the repository's allowed method, pinned to it."""
    assert case.pull is not None
    pull = desk.reading.pull(case.pull.number)
    issue = 0 if job.origin == "adopted" else job.item
    intent = desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=job.item,
        purpose=merge_purpose(step.sha),
        write=MergeWrite(
            number=pull.number,
            sha=step.sha,
            method=case.loop.merge,
            title=squash_title(pull.title, pull.number),
            closes=issue,
            message=squash_message(
                _summary(desk, case), closes=issue, settings=desk.settings.commit
            ),
        ),
        why="approved, and everything the gate asks for is known and good",
        needs=Precondition(pull=pull.number, head=step.sha, base=job.base_ref, state="open"),
    )
    if intent.state == "dropped" and moved_on(desk, job, step):
        return None
    if intent.state != "delivered":
        return refused(desk, job, case, f"it could not be merged: {intent.reason}")
    told = report(desk, job, case, Outcome.MERGED, "")
    _record_first(desk, job, told)
    rows = [row for row in desk.store.pulls(desk.repo_id, job.item) if row.number == pull.number]
    for row in rows:
        desk.store.note_pull(row.model_copy(update={"state": "merged"}))
    return told


def refused(desk: Desk, job: Job, case: Case, reason: str) -> ItemReport:
    """The forge did not take a write: a person is called."""
    return escalate(desk, job, case, Escalate(reason=reason, cause=Cause.REFUSED))


def escalate(desk: Desk, job: Job, case: Case, step: Escalate) -> ItemReport:
    """Call a person, once, and leave everything where they find it."""
    reason = step.reason
    kept, tree = keep_patch(desk, job, case), _kept_tree(desk, step.exchange_id)
    whole = f"{reason} (patch: {kept})" if kept else reason
    whole = f"{whole} (work tree: {tree})" if tree else whole
    parked = step.cause is Cause.PARKED
    told = report(desk, job, case, Outcome.PARKED if parked else Outcome.ESCALATED, whole)
    if case.called:
        waiting = desk.store.person_called(desk.repo_id, job.item)
        why = waiting.reason if waiting and not case.unaccounted else reason
        outcome = told.outcome if parked else _called_for(desk, job)
        told = told.model_copy(update={"reason": why, "outcome": outcome})
        # to its end: a kill may have come after its first word
        call_person(desk, told, step.cause, case.head)
        return told
    if case.pull is not None and case.pull.state == "open":
        publish_status(desk, job, case, Outcome.ESCALATED, reason, cause=step.cause, patch=kept)
        set_status(desk, job, case, case.head, Outcome.ESCALATED, reason)
    elif not parked:  # that is for whoever looks for the label; nobody else need hear of it
        body = escalation_section(reason, cause=step.cause, patch=kept, on_issue=True)
        _say_on_issue(desk, job, reason, body)
    call_person(desk, told, step.cause, case.head)
    return told


def ask_person(desk: Desk, job: Job, case: Case, reason: str) -> ItemReport:
    """Call a person without a word on the forge: what may stand there is the question."""
    told = report(desk, job, case, Outcome.ESCALATED, reason)
    call_person(desk, told, Cause.DOUBT, case.head)
    return told


def _called_for(desk: Desk, job: Job) -> Outcome:
    """How the item ended when a person was called for it."""
    waiting = desk.store.person_called(desk.repo_id, job.item)
    unchanged = waiting is not None and waiting.cause is Cause.NO_CHANGE
    return Outcome.NO_CHANGE if unchanged else Outcome.ESCALATED


def _kept_tree(desk: Desk, exchange_id: str) -> str:
    """Where the work tree of an exchange lies, "" where there is none."""
    if not exchange_id:
        return ""
    tree = desk.trees.open_tree(tree_name(desk.store.exchange(exchange_id).brief))
    return tree.path if tree else ""


def wait_for_checks(desk: Desk, job: Job, case: Case, step: AwaitChecks) -> None:
    """Until the forge says something else of this head, or the time is up."""
    while (left := (step.until - desk.clock.now()).total_seconds()) > 0:
        desk.clock.wait(max(1.0, min(_LOOK_EVERY, left)))
        if _has_news(desk, job, case, step):
            return


def _has_news(desk: Desk, job: Job, case: Case, step: AwaitChecks) -> bool:
    assert case.pull is not None
    pull = desk.reading.pull(case.pull.number)
    if pull.state != "open" or pull.head_sha != step.sha:
        return True
    return desk.reading.checks(step.sha, job.base_ref) != case.forge_checks


_LOOK_EVERY = 30.0  # seconds between looks at the forge's checks


def abandon(desk: Desk, job: Job, case: Case, step: Abandon) -> ItemReport:
    """End it: note what became of its pull request, or say why nothing was changed."""
    told = report(desk, job, case, step.outcome, step.reason)
    for row in desk.store.pulls(desk.repo_id, job.item):
        if case.pull is not None and row.number == case.pull.number:
            _record_first(desk, job, told)
            _note_end(desk, row.number, job, case)
    if step.outcome is Outcome.DECLINED and step.exchange_id:
        desk.outbox.write(
            run_id=desk.run_id,
            repo_id=desk.repo_id,
            item=job.item,
            purpose=decline_purpose(step.exchange_id),
            write=CommentOn(number=job.item, body=not_worth_doing_comment(step.reason)),
            why="the implementer found nothing worth doing",
            needs=Precondition(item=job.item, item_state="open"),
        )
    reply = implementation_of(desk, case.told)
    if step.outcome is Outcome.NO_CHANGE and reply is not None:
        _say_on_issue(desk, job, step.exchange_id, no_change_comment(reply))
        call_person(desk, told, Cause.NO_CHANGE)
    if step.exchange_id:
        now = desk.clock.now()
        desk.store.record_reply(step.exchange_id, desk.repo_id, job.item, NOTHING, (), now)
    return told


def _say_on_issue(desk: Desk, job: Job, occasion: str, body: str) -> None:
    """Say once on an issue without a pull request why a person is needed."""
    desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=job.item,
        purpose=call_purpose(occasion),
        write=CommentOn(number=job.item, body=body),
        why="a person is needed",
        needs=Precondition(item=job.item, item_state="open"),
    )


def set_status(
    desk: Desk, job: Job, case: Case, sha: str, outcome: Outcome | None, reason: str = ""
) -> Intent:
    """Set our commit status on a head, if it is still the head."""
    state, text = commit_status(
        outcome, reviewer=reviewer(case), rounds=_rounds(case), reason=reason
    )
    return desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=job.item,
        purpose=commit_status_purpose(
            sha, state, text, _status_before(desk, job, sha, (state, text))
        ),
        write=SetStatus(sha=sha, context=STATUS_CONTEXT, state=state, description=text),
        why=text,
        needs=Precondition(pull=case.pull.number if case.pull else 0, head=sha, state="open"),
    )


def _status_before(desk: Desk, job: Job, sha: str, told: tuple[str, str]) -> str:
    """The status that this one takes the place of: the same words may be said again after it."""
    return next(
        (
            intent.purpose
            for intent in reversed(desk.store.intents(desk.repo_id, job.item))
            if intent.write.kind == "status"
            and intent.write.sha == sha
            and intent.state == "delivered"
            and (intent.write.state, intent.write.description) != told
        ),
        "",
    )


def _rounds(case: Case) -> int:
    return sum(1 for told in case.told if told.kind in REVIEWS and told.recorded)


def keep_patch(desk: Desk, job: Job, case: Case) -> str:
    """Where the unpushed change lies as a patch; "" when everything is pushed."""
    there = case.pull.head if case.pull else ""
    if not case.head or case.head in {case.pushed, there}:
        return ""
    name = f"patches/{desk.repo.slug.replace('/', '-')}-{job.item}-{case.head[:12]}.patch"
    return desk.files.keep(name, desk.trees.patch(case.base, case.head))


def _summary(desk: Desk, case: Case) -> str:
    reply = implementation_of(desk, case.told)
    return reply.summary if reply else ""


def _record_first(desk: Desk, job: Job, told: ItemReport) -> None:
    """How it ended, before the row by which nobody looks at it again: a kill may come between."""
    titled = told.model_copy(update={"title": desk.reading.issue(job.item).title})
    desk.store.record_outcome(desk.run_id, desk.repo_id, titled, desk.clock.now())


def _note_end(desk: Desk, number: int, job: Job, case: Case) -> None:
    pull = desk.reading.pull(number)
    state = "merged" if pull.merged else pull.state
    closers = [one.actor.login for one in desk.reading.timeline(number) if one.kind == "closed"]
    who = "" if case.pull is None or case.pull.closed_by_us else (closers or [""])[-1]
    for row in desk.store.pulls(desk.repo_id, job.item):
        if row.number == number and row.state != state:
            desk.store.note_pull(row.model_copy(update={"state": state, "closed_by": who}))
