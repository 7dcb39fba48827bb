"""What follows from decisions: declines are said, contested issues wait, the rest is ordered."""

from __future__ import annotations

from dataclasses import dataclass

from harness.errors import DoorError, ForgeError
from harness.facts.causes import Cause
from harness.facts.decisions import Decision, ItemReport, Outcome
from harness.facts.forge import Issue, Pull
from harness.facts.intents import CloseItem, CommentOn, Precondition
from harness.facts.journal import Exchange
from harness.facts.triage import PrerequisiteState
from harness.rules.closing import closes
from harness.rules.forge_names import close_purpose, decline_purpose
from harness.rules.triage import decline_reasons, may_close
from harness.rules.triage_order import order_issues, prerequisite_state, waits_for
from harness.rules.triage_tries import is_used_up
from harness.runs.allowing import parked, read_allowance
from harness.runs.calling import call_person, end_call
from harness.runs.desk import Desk
from harness.runs.resting import rest_after_undo
from harness.runs.triage import failed_tries
from harness.runs.trouble import tell_trouble
from harness.words.decline import decline_comment


@dataclass(frozen=True)
class Schedule:
    """What is to be worked, in order, and what was already said about everything else."""

    work: tuple[Issue, ...]
    reports: tuple[ItemReport, ...]


def act_on_decisions(
    desk: Desk, issues: tuple[Issue, ...], decisions: tuple[Decision, ...]
) -> Schedule:
    """Say what was declined, call for what is contested, order what is scheduled."""
    by_number = {one.issue: one for one in decisions}
    reports: list[ItemReport] = []
    ready: dict[int, Issue] = {}
    pulls = desk.reading.open_pulls()
    for issue in issues:
        decision = by_number.get(issue.number)
        report = _settle_safely(desk, issue, decision, pulls)
        if report is None:
            ready[issue.number] = issue
        else:
            desk.store.record_outcome(desk.run_id, desk.repo_id, report, desk.clock.now())
            reports.append(report)
    ordered = _in_order(desk, ready, by_number)
    return Schedule(ordered.work, (*reports, *ordered.reports))


def schedule_standing(
    desk: Desk, issues: tuple[Issue, ...], decisions: tuple[Decision, ...]
) -> Schedule:
    """What may be worked by decisions that stand, without saying or writing anything on any."""
    by_number = {one.issue: one for one in decisions}
    pulls = desk.reading.open_pulls()
    ready = {
        issue.number: issue
        for issue in issues
        if _may_go_on(desk, issue, by_number.get(issue.number), pulls)
    }
    return _in_order(desk, ready, by_number)


def _may_go_on(
    desk: Desk, issue: Issue, decision: Decision | None, pulls: tuple[Pull, ...]
) -> bool:
    if decision is None or decision.verdict != "scheduled":
        return False
    if rest_after_undo(desk, issue.number, issue.title) or _pull_of_a_person(desk, issue, pulls):
        return False
    return read_allowance(desk, issue).allowed


def _in_order(desk: Desk, ready: dict[int, Issue], by_number: dict[int, Decision]) -> Schedule:
    """Dependencies first; what waits for one that is not merged is told."""
    ordering = order_issues(desk.store.decisions(desk.repo_id))
    waiting = _waiting(desk, ready, by_number, ordering.released)
    sequence = [number for number in ordering.sequence if number in ready]
    sequence += sorted(set(ready) - set(sequence))
    work = tuple(ready[number] for number in sequence if number not in waiting)
    return Schedule(work, tuple(waiting.values()))


def settled_by_pulls(desk: Desk, issues: tuple[Issue, ...]) -> frozenset[int]:
    """Issues about which nobody is asked: ours go on, those of people are left alone."""
    pulls = desk.reading.open_pulls()
    theirs = (issue.number for issue in issues if _pull_of_a_person(desk, issue, pulls))
    return frozenset((*_in_work(desk), *theirs))


def _in_work(desk: Desk) -> frozenset[int]:
    """Issues with an open pull request of ours."""
    return frozenset(row.item for row in desk.store.open_pulls(desk.repo_id))


def _settle_safely(
    desk: Desk,
    issue: Issue,
    decision: Decision | None,
    pulls: tuple[Pull, ...],
) -> ItemReport | None:
    """One issue's trouble is its report: every other one is settled all the same."""
    try:
        report = _settle(desk, issue, decision, pulls)
        if report is None and _is_called_by_triage(desk, issue.number):
            end_call(desk, issue.number, issue.number)
    except DoorError as error:
        return tell_trouble(desk, issue.number, issue.title, error)
    return report


def _is_called_by_triage(desk: Desk, issue: int) -> bool:
    """Whether it was triage that called a person: who acted is then seen from its decision."""
    called = desk.store.person_called(desk.repo_id, issue)
    if called is None or issue in _in_work(desk):
        return False
    silent = called.cause is Cause.SILENCE and not desk.store.exchanges(desk.repo_id, issue)
    return called.cause in {Cause.TRIAGE, Cause.PARKED} or silent


def _settle(
    desk: Desk, issue: Issue, decision: Decision | None, pulls: tuple[Pull, ...]
) -> ItemReport | None:
    """The report of an issue that is not worked now; None for one that is."""
    resting = rest_after_undo(desk, issue.number, issue.title)
    if resting is not None:
        return resting
    theirs = _pull_of_a_person(desk, issue, pulls)
    if theirs is not None:
        reason = (
            f"pull request #{theirs.number} by {theirs.author.login} is open for it; left alone"
        )
        return _report(desk, issue, Outcome.ABANDONED, reason)
    if issue.number in _in_work(desk):
        return None
    if decision is None:
        return _report(desk, issue, Outcome.UNJUDGED, "it did not fit this run's question")
    match decision.verdict:
        case "declined":
            return _decline(desk, issue, decision)
        case "contested" if not _insisted(desk, issue):
            reason = "the agents disagree whether it is worth doing: " + "; ".join(
                f"{one.agent}: {one.reason}" for one in decision.opinions
            )
            report = _report(desk, issue, Outcome.CONTESTED, reason)
            call_person(desk, report, Cause.TRIAGE)
            return report
        case "unjudged":
            return _unjudged(desk, issue, decision)
        case _:
            return _park(desk, issue)


def _unjudged(desk: Desk, issue: Issue, decision: Decision) -> ItemReport:
    """Who was silent, why, and when they are asked again; a person is called in the end."""
    tries = failed_tries(desk, issue.number, decision.made_on)
    if is_used_up(tries, desk.choice.loop.max_tries):
        last = tries[-1]
        reason = f"no valid answer from {last.brief.pin.agent} in {len(tries)} tries: {last.reason}"
        report = _report(desk, issue, Outcome.ESCALATED, reason)
        call_person(desk, report, Cause.SILENCE)
        return report
    heard = {opinion.agent for opinion in decision.opinions}
    about = [
        one
        for one in desk.store.exchanges(desk.repo_id, 0)
        if str(issue.number) in dict(one.brief.handles.handles)
    ]
    newest = {one.brief.pin.agent: one for one in about}
    silent = [one for agent, one in newest.items() if agent in set(desk.agents) - heard]
    reason = "; ".join(_silence(one) for one in silent) or "an agent gave no valid answer"
    report = _report(desk, issue, Outcome.UNJUDGED, reason)
    again = [one.not_before for one in silent if one.not_before]
    return report.model_copy(update={"not_before": max(again, default=None)})


def _silence(exchange: Exchange) -> str:
    what = "no valid answer" if exchange.result else "no answer yet"
    why = f": {exchange.reason}" if exchange.reason else ""
    return f"{what} from {exchange.brief.pin.agent}{why}"


def _decline(desk: Desk, issue: Issue, decision: Decision) -> ItemReport:
    """Post both reasons once; close only where the operator says so, and never a tracker."""
    closing = may_close(decision, desk.choice.triage)
    body = decline_comment(decline_reasons(decision), closes=closing)
    said = desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=issue.number,
        purpose=decline_purpose(decision.made_on),
        write=CommentOn(number=issue.number, body=body),
        why="both agents decline it",
        needs=Precondition(item=issue.number, item_state="open"),
    )
    if closing:
        desk.outbox.write(
            run_id=desk.run_id,
            repo_id=desk.repo_id,
            item=issue.number,
            purpose=close_purpose(decision.made_on),
            write=CloseItem(number=issue.number, reason="not_planned"),
            why="both agents decline it and close_declined is on",
            needs=Precondition(item=issue.number, item_state="open"),
        )
    reason = "; ".join(f"{agent}: {reason}" for agent, reason in decline_reasons(decision))
    if said.state != "delivered":
        reason += f" (not said there: {said.reason})"
    return _report(desk, issue, Outcome.DECLINED, reason)


def _park(desk: Desk, issue: Issue) -> ItemReport | None:
    """A person is called where no code may be written for this text."""
    reason = parked(desk, issue)
    if not reason:
        return None
    report = _report(desk, issue, Outcome.PARKED, reason)
    call_person(desk, report, Cause.PARKED)
    return report


def _insisted(desk: Desk, issue: Issue) -> bool:
    return desk.anyway and issue.number in desk.named


def _pull_of_a_person(desk: Desk, issue: Issue, pulls: tuple[Pull, ...]) -> Pull | None:
    known = (*desk.store.open_pulls(desk.repo_id), *desk.store.pulls(desk.repo_id, issue.number))
    ours = {row.number for row in known}
    return next(
        (
            pull
            for pull in pulls
            if pull.number not in ours
            and not _is_opened_by_us(desk, issue, pull)
            and closes(f"{pull.title}\n{pull.body}", issue.number)
        ),
        None,
    )


def _is_opened_by_us(desk: Desk, issue: Issue, pull: Pull) -> bool:
    """Whether the outbox opened it: a kill may come before its row among our pull requests."""
    if pull.author.id != desk.me.id or pull.head_repo.casefold() != desk.repo.slug.casefold():
        return False
    return any(
        intent.write.kind == "open_pull"
        and intent.write.branch == pull.head_ref
        and intent.state in {"open", "delivered"}
        for intent in desk.store.intents(desk.repo_id, issue.number)
    )


def _waiting(
    desk: Desk,
    ready: dict[int, Issue],
    decisions: dict[int, Decision],
    released: tuple[tuple[int, int], ...],
) -> dict[int, ItemReport]:
    """Reports of issues whose prerequisites are not merged yet."""
    waiting: dict[int, ItemReport] = {}
    for number, issue in ready.items():
        decision = decisions.get(number)
        if decision is None or not decision.depends_on:
            continue
        states = {one: _state(desk, one) for one in decision.depends_on}
        known = {one: state for one, state in states.items() if state is not None}
        waits = waits_for(decision, known, released)
        for warning in waits.warnings:
            desk.progress.step(number, warning)
        if waits.numbers:
            reason = f"it waits for {', '.join(f'#{one}' for one in waits.numbers)}"
            report = _report(desk, issue, Outcome.WAITING_FOR_PREREQUISITE, reason)
            desk.store.record_outcome(desk.run_id, desk.repo_id, report, desk.clock.now())
            waiting[number] = report
    return waiting


def _state(desk: Desk, number: int) -> PrerequisiteState | None:
    try:
        issue = desk.reading.issue(number)
    except ForgeError:
        return None
    decisions = {one.issue: one for one in desk.store.decisions(desk.repo_id)}
    rows = desk.store.pulls(desk.repo_id, number)
    return prerequisite_state(
        closed=issue.state == "closed",
        state_reason=issue.state_reason,
        merged=any(row.state == "merged" for row in rows),
        decision=decisions.get(number),
    )


def _report(desk: Desk, issue: Issue, outcome: Outcome, reason: str) -> ItemReport:
    return ItemReport(
        repo=desk.repo.slug, item=issue.number, title=issue.title, outcome=outcome, reason=reason
    )
