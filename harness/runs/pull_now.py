"""What the forge says of an item's pull request, and what we have said on it."""

from __future__ import annotations

from datetime import datetime

from harness.facts.case import PullView
from harness.facts.forge import ForgeCheck, Pull
from harness.facts.trees import PullRow
from harness.runs.desk import Desk
from harness.runs.job import Job


def read_pull(desk: Desk, job: Job) -> tuple[PullRow | None, Pull | None]:
    """The newest pull request of the branch, as we know it and as it is; None before it is open."""
    rows = [row for row in desk.store.pulls(desk.repo_id, job.item) if row.branch == job.branch]
    if not rows:
        return None, None
    row, pull = rows[0], desk.reading.pull(rows[0].number)
    if row.state == "closed" and pull.state == "open":  # a person opened it again
        row = row.model_copy(update={"state": "open", "closed_by": ""})
        desk.store.note_pull(row)
    return row, pull


def view_pull(desk: Desk, row: PullRow | None, pull: Pull | None) -> PullView | None:
    """What the rules look at."""
    if row is None or pull is None:
        return None
    state = "merged" if pull.merged else pull.state
    return PullView(
        number=pull.number,
        state=state,
        branch=pull.head_ref,
        base=pull.base_ref,
        head=pull.head_sha,
        draft=pull.draft,
        mergeable=pull.mergeable,
        conflicts=pull.mergeable_state == "dirty",
        behind=pull.mergeable_state == "behind",
        opened_at=pull.created_at,
        closed_by_us=state == "closed" and _closed_by_us(desk, row),
    )


def _closed_by_us(desk: Desk, row: PullRow) -> bool:
    return any(
        intent.write.kind == "close"
        and intent.state == "delivered"
        and intent.write.number == row.number
        for intent in desk.store.intents(desk.repo_id, row.item)
    )


def read_forge_checks(desk: Desk, job: Job, pull: Pull | None, head: str) -> tuple[ForgeCheck, ...]:
    """The checks of an open pull request that stands on this head."""
    if pull is None or pull.state != "open" or pull.head_sha != head:
        return ()
    return desk.reading.checks(head, job.base_ref)


def red_on_base(desk: Desk, job: Job, checks: tuple[ForgeCheck, ...], base: str) -> tuple[str, ...]:
    """Names of checks that are red on the base too; asked only when one is red here."""
    if not any(check.state == "red" for check in checks):
        return ()
    return tuple(one.name for one in desk.reading.checks(base, job.base_ref) if one.state == "red")


def pushed_at(desk: Desk, job: Job, head: str) -> datetime | None:
    """When we pushed it, by the forge's time where that is known; None where we did not."""
    for intent in reversed(desk.store.intents(desk.repo_id, job.item)):
        if intent.write.kind == "push" and intent.write.sha == head and intent.receipt:
            return intent.receipt.at or intent.created_at
    return None


def is_update_needed(desk: Desk, pull: Pull | None, head: str, base_tip: str) -> bool:
    """The base moved, and the branch conflicts with it or must be current."""
    how = desk.choice.loop.update
    if pull is None or pull.state != "open" or not head or how == "never":
        return False
    if not desk.trees.merge_base(base_tip, head) or desk.trees.is_ancestor(base_tip, head):
        return False
    if how == "always" or pull.mergeable_state == "behind":
        return True
    _, conflicts = desk.trees.merge_tree(head, base_tip)
    return bool(conflicts)


def approved_head(desk: Desk, job: Job, head: str) -> str:
    """The head, where the last that we said of it is that it is approved."""
    undone = {one.run_id for one in desk.store.undone(desk.repo_id, job.item)}
    said = [
        intent.write.state
        for intent in desk.store.intents(desk.repo_id, job.item)
        if intent.write.kind == "status"
        and intent.write.sha == head
        and intent.state == "delivered"
        and intent.run_id not in undone
    ]
    return head if head and said[-1:] == ["success"] else ""
