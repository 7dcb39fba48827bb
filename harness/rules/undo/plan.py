"""What becomes of every write of a run: one total match over the closed set of writes."""

from __future__ import annotations

from typing import assert_never

from harness.facts.intents import (
    Assign,
    BackToDraft,
    CloseItem,
    CommentOn,
    CreateIssue,
    DeleteBranch,
    DeleteComment,
    DeletePendingReview,
    EditBody,
    EditComment,
    EditIssue,
    Intent,
    Label,
    MakeCheckRun,
    MarkReady,
    Merge,
    Minimise,
    OpenPull,
    PostReview,
    Push,
    PushLedger,
    React,
    ReopenItem,
    ReplaceReview,
    ReplyIn,
    RequestReview,
    Resolve,
    SetStatus,
    Unassign,
    Unlabel,
)
from harness.facts.undoing import (
    ForgeNow,
    Pushed,
    TakeBack,
    UndoPlan,
    UndoReads,
    Verdict,
    Withdrawn,
)
from harness.rules.undo.commits import (
    take_back_check_run,
    take_back_opening,
    take_back_push,
    take_back_status,
    tell_merge,
)
from harness.rules.undo.seen import GONE, UNDO, Seen, left, moot
from harness.rules.undo.states import (
    take_back_assignment,
    take_back_draft,
    take_back_issue,
    take_back_label,
    take_back_state,
)
from harness.rules.undo.texts import (
    take_back_body,
    take_back_comment,
    take_back_edit,
    take_back_review,
    take_back_title,
)

_IN_DOUBT = "the forge did not tell whether it happened: look there"


def wanted(run_id: str, story: tuple[Intent, ...]) -> UndoReads:
    """What has to be read of the forge to take back what this run wrote on one item."""
    mine = [one for one in story if one.run_id == run_id and one.state == "delivered"]
    branches = {one.write.branch for one in mine if isinstance(one.write, Push | OpenPull)}
    opened = [
        one
        for one in story
        if one in mine or (isinstance(one.write, OpenPull) and one.write.branch in branches)
    ]
    numbers = {getattr(one.write, "number", 0) for one in mine}
    numbers |= {
        one.receipt.number
        for one in opened
        if one.receipt and isinstance(one.write, OpenPull | CreateIssue)
    }
    return UndoReads(
        numbers=tuple(sorted(numbers - {0})),
        branches=tuple(sorted(branches)),
        pushes=tuple(_pushed(one, one.write) for one in mine if isinstance(one.write, Push)),
        shas=tuple(sorted({one.write.sha for one in mine if isinstance(one.write, SetStatus)})),
    )


def _pushed(intent: Intent, write: Push) -> Pushed:
    return Pushed(item=intent.item, branch=write.branch, expected=write.expected, sha=write.sha)


def plan_undo(
    run_id: str, story: tuple[Intent, ...], now: ForgeNow, withdrawn: Withdrawn
) -> UndoPlan:
    """What becomes of each write, newest first; `story` are all rows of the item, oldest first.

    What an earlier undo already took back is not looked at again.
    """
    seen = Seen(run_id, story, now, withdrawn)
    verdicts: list[Verdict] = []
    for intent in reversed(story):
        if intent.run_id == run_id and not intent.purpose.startswith(UNDO):
            verdicts.extend(_judge(seen, intent))
    return UndoPlan(verdicts=tuple(verdicts))


def same_verdict(before: Verdict, verdicts: tuple[Verdict, ...]) -> Verdict:
    """What becomes by now of what was to be taken back."""
    about = [one for one in verdicts if one.of.id == before.of.id]
    for one in about:
        if _purpose(one) == _purpose(before):
            return one
    rest = [one for one in about if not _purpose(one)]
    return rest[-1] if rest else moot(before.of, GONE)


def _purpose(verdict: Verdict) -> str:
    return verdict.purpose if isinstance(verdict, TakeBack) else ""


def _judge(seen: Seen, intent: Intent) -> tuple[Verdict, ...]:
    if intent.state == "stopped":
        return (left(intent, _IN_DOUBT),)
    if intent.state != "delivered":
        return ()
    told = _judged_before(seen, intent)
    if isinstance(intent.write, PostReview):
        return take_back_review(seen, intent, intent.write, told)
    return (told or _verdict(seen, intent),)


def _judged_before(seen: Seen, intent: Intent) -> Verdict | None:
    """What an earlier undo came to, where that is final."""
    before = seen.undoing(intent)
    match before.state if before else "":
        case "delivered":
            return moot(intent, "it was taken back before")
        case "dropped" | "stopped":
            reason = before.reason if before else ""
            return left(intent, f"it could not be taken back: {reason}")
        case _:
            return None


def _verdict(seen: Seen, intent: Intent) -> Verdict:  # noqa: C901, PLR0911, PLR0912 - a total match
    match intent.write:
        case CommentOn() as write:
            return take_back_comment(seen, intent, write.number, "issue")
        case ReplyIn() as write:
            return take_back_comment(seen, intent, write.number, "thread")
        case EditComment() as write:
            return take_back_edit(seen, intent, write)
        case EditBody() as write:
            return take_back_body(seen, intent, write)
        case EditIssue() as write:
            return take_back_title(seen, intent, write)
        case Label() | Unlabel() as write:
            return take_back_label(seen, intent, write)
        case Assign() | Unassign() as write:
            return take_back_assignment(seen, intent, write)
        case CloseItem() | ReopenItem() as write:
            return take_back_state(seen, intent, write)
        case CreateIssue():
            return take_back_issue(seen, intent)
        case MarkReady() | BackToDraft() as write:
            return take_back_draft(seen, intent, write)
        case OpenPull():
            return take_back_opening(seen, intent)
        case Push() as write:
            return take_back_push(seen, intent, write)
        case Merge() as write:
            return tell_merge(seen, intent, write)
        case SetStatus() as write:
            return take_back_status(seen, intent, write)
        case MakeCheckRun() as write:
            return take_back_check_run(seen, intent, write)
        case Resolve():
            return left(intent, "a resolved thread is opened again on the forge")
        case React():
            return left(intent, "a reaction is taken away on the forge")
        case RequestReview():
            return left(intent, "whoever was asked for a review has read it")
        case Minimise():
            return left(intent, "a folded comment is unfolded on the forge")
        case DeletePendingReview() | DeleteComment() | DeleteBranch() | ReplaceReview():
            return moot(intent, "it took away something of ours")
        case PushLedger():
            return left(intent, "the shared ledger keeps what it was told, and is told of this too")
        case PostReview():
            raise TypeError("a review is several things: take_back_review")
        case _:
            assert_never(intent.write)
