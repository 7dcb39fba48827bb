"""`harness clean` for a terminal: what was removed, and what was kept and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.facts.looking import Cleared, ClearedPage
from harness.words.passages import counted
from harness.words.tables import Cell, Paint, as_it_is, columns


def cleared_text(page: ClearedPage, paint: Paint = as_it_is, *, quiet: bool = False) -> str:
    """`quiet` says only how much it was."""
    removed = [one for one in page.things if one.removed]
    kept = [one for one in page.things if not one.removed]
    verb = "would remove" if page.dry else "removed"
    blocks = [_block(verb, removed, paint), _block("kept", kept, paint)] if not quiet else []
    return "\n\n".join([*filter(None, blocks), _total(removed, dry=page.dry)]) + "\n"


def _block(verb: str, things: Sequence[Cleared], paint: Paint) -> str:
    if not things:
        return ""
    rows = [[Cell(one.what), Cell(one.name), Cell(one.why, "faint")] for one in things]
    return f"{paint(verb, 'head')}\n{columns(rows, paint, margin='  ')}"


def _total(removed: Sequence[Cleared], *, dry: bool) -> str:
    if not removed:
        return "there is nothing to remove"
    counts = Counter(one.what for one in removed)
    told = ", ".join(_counted(count, what) for what, count in sorted(counts.items()))
    return f"would remove {told}; nothing was removed" if dry else f"removed {told}"


def _counted(count: int, what: str) -> str:
    match what:
        case "journal":
            return "old texts of the journal"
        case "scratch":
            return counted(count, "scratch place")
        case _:
            return counted(count, what)
