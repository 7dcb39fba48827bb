"""The one status comment of a pull request, edited in place."""

from __future__ import annotations

from harness.facts.case import Case, Told
from harness.facts.causes import Cause
from harness.facts.decisions import Outcome
from harness.facts.intents import CommentOn, EditComment, Intent, Precondition
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.replies import ImplementationReply, ReviewReply
from harness.facts.status import ReviewTold, StatusFacts
from harness.facts.trees import PullRow
from harness.rules.body_hash import body_hash
from harness.rules.custody import REVIEWS, is_unanswered, red_of_forge, was_rewritten
from harness.rules.forge_names import (
    edit_status_purpose,
    status_comment_purpose,
)
from harness.rules.gate import spoke_since_it_was_opened
from harness.runs.desk import Desk
from harness.runs.job import Job
from harness.runs.told import parse_recorded
from harness.words.status_comment import status_comment
from harness.words.status_lines import left_to_people


def publish_status(
    desk: Desk,
    job: Job,
    case: Case,
    outcome: Outcome | None,
    reason: str,
    *,
    cause: Cause = Cause.ARGUMENT,
    patch: str = "",
) -> str:
    """Bring the one status comment up to date, in place; the same text is not written again.

    Returns why it could not be, "" when it is.
    """
    rows = [row for row in desk.store.pulls(desk.repo_id, job.item) if row.branch == job.branch]
    if not rows or case.pull is None:
        return ""
    body = status_comment(_status_facts(desk, job, case, outcome, reason, cause, patch))
    row, unsaid = rows[0], ""
    if not row.status_comment:
        row, unsaid = _first_status(desk, job, row, body)
    if not row.status_comment:
        return unsaid
    last = _last_status(desk, job, row)
    was = body_hash(last)
    write = EditComment(number=row.number, comment_id=row.status_comment, body=body, was=was)
    if desk.outbox.says_the_same(write, last):
        return ""
    intent = desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=job.item,
        purpose=edit_status_purpose(row.number, was, body),
        write=write,
        why=f"the status changed to {outcome or 'in work'}",
    )
    return _unsaid(intent)


def implementation_of(desk: Desk, told: tuple[Told, ...]) -> ImplementationReply | None:
    """What the implementer of this branch reported."""
    for one in reversed(told):
        if one.kind is ExchangeKind.IMPLEMENT and one.result is Ending.REPLIED:
            replied = desk.store.reply(one.id)
            reply = parse_recorded(one.kind, replied) if replied else None
            if isinstance(reply, ImplementationReply):
                return reply
    return None


def publish_review(desk: Desk, job: Job, case: Case) -> None:
    """Say what a review found, before anybody answers it; afterwards there is something newer."""
    if is_unanswered(case):
        publish_status(desk, job, case, None, "")


def _unsaid(intent: Intent) -> str:
    if intent.state == "delivered":
        return ""
    return f"the status comment could not be written: {intent.reason}"


def _first_status(desk: Desk, job: Job, row: PullRow, body: str) -> tuple[PullRow, str]:
    """The row with the comment's id; a kill may have come right before it was noted."""
    intent = desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=job.item,
        purpose=status_comment_purpose(row.number),
        write=CommentOn(number=row.number, body=body),
        why="there is something to say about the pull request",
        needs=Precondition(pull=row.number, state="open"),
    )
    if intent.state != "delivered" or intent.receipt is None:
        return row, _unsaid(intent)
    noted = row.model_copy(update={"status_comment": intent.receipt.id})
    desk.store.note_pull(noted)
    return noted, ""


def _last_status(desk: Desk, job: Job, row: PullRow) -> str:
    """What we last wrote there; where a person changed it since, the edit is not made."""
    for intent in reversed(desk.store.intents(desk.repo_id, job.item)):
        match intent.write:
            case CommentOn(body=body) if _is_first(intent, row):
                written = body
            case EditComment(body=body, comment_id=row.status_comment):
                written = body
            case _:
                continue
        if intent.state == "delivered":
            return written
    return ""


def _base_red(case: Case) -> tuple[str, ...]:
    """Required checks that were red before the change: said, and never passed over by a merge."""
    return tuple(
        f"the required check {one.name} is red on the base too: it does not hold this change up, "
        "and nothing merges by itself while it is"
        for one in case.forge_checks
        if one.required and one.state == "red" and one.name in case.forge_checks_red_on_base
    )


def _left_to_people(case: Case) -> tuple[str, ...]:
    """Why it is not merged by itself where that is wanted."""
    if not case.loop.auto_merge:
        return ()
    rewritten = case.item if was_rewritten(case) else 0
    told = left_to_people(spoke_since_it_was_opened(case), rewritten=rewritten)
    return (told,) if told else ()


def _is_first(intent: Intent, row: PullRow) -> bool:
    """Whether it made the comment, at the first or at a later try (`purpose#2`)."""
    return intent.purpose.partition("#")[0] == status_comment_purpose(row.number)


def _status_facts(
    desk: Desk,
    job: Job,
    case: Case,
    outcome: Outcome | None,
    reason: str,
    cause: Cause,
    patch: str,
) -> StatusFacts:
    assert case.pull is not None
    return StatusFacts(
        number=case.pull.number,
        item=job.item,
        head=case.head,
        outcome=outcome,
        reason=reason,
        review=_review_told(desk, case.told),
        check=case.head_check,
        standings=desk.store.in_scope(desk.repo_id, job.scope),
        forge_red=red_of_forge(case),
        notes=(*_base_red(case), *_left_to_people(case)),
        cause=cause,
        patch=patch,
        sandboxed=desk.settings.sandbox.kind != "none",
    )


def _review_told(desk: Desk, told: tuple[Told, ...]) -> ReviewTold | None:
    """The newest valid review."""
    for one in reversed(told):
        if one.kind in REVIEWS and one.result is Ending.REPLIED:
            replied = desk.store.reply(one.id)
            reply = parse_recorded(one.kind, replied) if replied else None
            if isinstance(reply, ReviewReply):
                return ReviewTold(
                    agent=one.agent,
                    head=one.head,
                    round=one.round,
                    summary=reply.summary,
                    not_reviewed=tuple(path.path for path in reply.not_reviewed),
                )
    return None
