"""What was undone rests: it is not worked again by itself, only when somebody names it."""

from __future__ import annotations

from harness.facts.decisions import ItemReport, Outcome
from harness.facts.undoing import Undone
from harness.rules.undo import counts_as_work
from harness.runs.desk import Desk
from harness.words.undone import resting_reason


def rest_after_undo(desk: Desk, item: int, title: str) -> ItemReport | None:
    """The report of an item on which a run was undone, and nothing was done since."""
    undone = _last_undo(desk, item)
    if undone is None:
        return None
    pulls = [row.number for row in desk.store.pulls(desk.repo_id, item)]
    if desk.named & {item, *pulls}:
        return None
    return ItemReport(
        repo=desk.repo.slug,
        item=item,
        title=title,
        outcome=Outcome.ABANDONED,
        reason=resting_reason(undone.run_id),
    )


def _last_undo(desk: Desk, item: int) -> Undone | None:
    undone = desk.store.undone(desk.repo_id, item)
    if not undone:
        return None
    last = undone[-1]
    asked = [one.created_at for one in desk.store.exchanges(desk.repo_id, item)]
    wrote = [
        one.created_at for one in desk.store.intents(desk.repo_id, item) if counts_as_work(one)
    ]
    return None if any(at > last.at for at in (*asked, *wrote)) else last
