"""What is done when an exchange has ended: its transcript is kept, its work tree taken away.

A kill right before leaves it undone; whoever works the item next makes up for it.
"""

from __future__ import annotations

from harness.facts.journal import Brief, Ending, Exchange
from harness.facts.trees import Left
from harness.facts.turns import Tools
from harness.rules.kept_names import transcript_folder, transcript_name
from harness.runs.desk import Desk
from harness.words.transcript import transcript


def tree_name(brief: Brief) -> str:
    """The work tree of an editing exchange: the same one when it is resumed."""
    return (
        f"{brief.repo_id}-{brief.item}-{brief.kind.value}"
        f"-{brief.pin.agent}-{brief.round}-{brief.attempt}"
    )


def put_away(desk: Desk, exchange: Exchange) -> None:
    """Keep what was said and done for a person, and drop the tree once its content is in git."""
    rows = desk.store.journal(exchange.id)
    name = transcript_name(desk.repo.slug, exchange.brief)
    desk.files.keep(name, desk.scrub(transcript(exchange, rows)))
    if exchange.brief.tools is Tools.EDIT:
        _drop_tree(desk, exchange)


def put_away_ended(desk: Desk, item: int) -> None:
    """The same for every exchange of this item that ended right before a kill."""
    kept = {name for name, _ in desk.files.kept(transcript_folder(desk.repo.slug))}
    trees = desk.trees.stale_trees()
    for exchange in desk.store.exchanges(desk.repo_id, item):
        if exchange.result is None:
            continue
        unwritten = transcript_name(desk.repo.slug, exchange.brief) not in kept
        untidy = tree_name(exchange.brief) in trees and not _is_for_a_person(desk, exchange)
        if untidy or (unwritten and desk.store.journal(exchange.id)):
            put_away(desk, exchange)


def _drop_tree(desk: Desk, exchange: Exchange) -> None:
    if _is_for_a_person(desk, exchange):
        return
    left = _left(desk, exchange)
    if exchange.result is Ending.REPLIED and left is not None:
        desk.trees.keep(left.tree_sha)
    desk.trees.drop_tree(tree_name(exchange.brief))


def _is_for_a_person(desk: Desk, exchange: Exchange) -> bool:
    left = _left(desk, exchange)
    return left is not None and bool(left.refused)


def _left(desk: Desk, exchange: Exchange) -> Left | None:
    replied = desk.store.reply(exchange.id)
    return replied.left if replied else None
