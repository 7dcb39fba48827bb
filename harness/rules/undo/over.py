"""Whether a write that was made counts no more, because its run was taken back."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from harness.facts.intents import (
    CloseItem,
    CommentOn,
    CreateIssue,
    DeleteBranch,
    Intent,
    PostReview,
    ReplyIn,
)
from harness.facts.trees import PullRow
from harness.rules.undo.seen import UNDO

_SAID = (CommentOn, ReplyIn, PostReview, CreateIssue)


def is_over(intent: Intent, story: Iterable[Intent], undone: Collection[str]) -> bool:
    """Whether the same purpose may be written again; `undone` are runs, `story` the item's rows.

    A text that was left there (a person changed it) still counts: it is not said a second time.
    """
    if intent.run_id not in undone or intent.state not in {"delivered", "dropped"}:
        return False
    if intent.state == "dropped" or not isinstance(intent.write, _SAID):
        return True
    mine = f"{UNDO}{intent.id}"
    return any(one.state == "delivered" and one.purpose.partition("#")[0] == mine for one in story)


def branches_given_up(story: Iterable[Intent], rows: Iterable[PullRow]) -> frozenset[str]:
    """The branches that an undo deleted, or whose pull request it closed."""
    of_pull = {row.number: row.branch for row in rows}
    given_up = set()
    for one in story:
        if one.state != "delivered" or not one.purpose.startswith(UNDO):
            continue
        match one.write:
            case DeleteBranch(branch=branch):
                given_up.add(branch)
            case CloseItem(number=number) if number in of_pull:
                given_up.add(of_pull[number])
            case _:
                pass
    return frozenset(given_up)


def counts_as_work(intent: Intent) -> bool:
    """Whether a row is of work, not of taking work back."""
    return not intent.purpose.startswith(UNDO)
