"""What stands where something of ours was taken back, and `harness undo` for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from harness.facts.undoing import UndoneLine, UndonePage, UndoneState, Withdrawn
from harness.words.passages import counted
from harness.words.tables import Cell, Paint, Tone, as_it_is, indented, on_line, table

WITHDRAWN = Withdrawn(status="withdrawn", review="This review was withdrawn.")

_TONES: dict[UndoneState, Tone] = {"taken_back": "good", "nothing_to_do": "faint", "left": "warn"}
_SHORT = 8


def resting_reason(run_id: str) -> str:
    """Why an item is not worked by itself any more."""
    return f"run {run_id[:_SHORT]} was undone on it; name it on the command line to work it again"


def undone_text(page: UndonePage, paint: Paint = as_it_is, *, quiet: bool = False) -> str:
    """Each write with what became of it; `quiet` leaves out what needs nobody."""
    told = [one for one in page.lines if one.state == "left" or not quiet]
    blocks = [
        f"{paint(repo, 'head')}\n{_writes(list(lines), paint, dry=page.dry)}"
        for repo, lines in groupby(told, key=lambda one: one.repo)
    ]
    return "\n\n".join([*blocks, _total(page)]) + "\n"


def _writes(lines: Sequence[UndoneLine], paint: Paint, *, dry: bool) -> str:
    rows = [
        [
            Cell(f"#{one.item}" if one.item else ""),
            Cell(one.kind.replace("_", " ")),
            Cell(one.target),
            Cell(_state(one.state, dry=dry), _TONES[one.state]),
            Cell(on_line(one.why)),
        ]
        for one in lines
    ]
    notes = [
        "\n".join(indented(part, "      ") for part in (one.command, _where(one)) if part)
        for one in lines
    ]
    return table(("item", "write", "target", "", "why"), rows, paint, notes=notes)


def _state(state: UndoneState, *, dry: bool) -> str:
    if state == "taken_back" and dry:
        return "would be taken back"
    return state.replace("_", " ")


def _where(line: UndoneLine) -> str:
    return line.url if line.state == "left" else ""


def _total(page: UndonePage) -> str:
    counts = Counter(one.state for one in page.lines)
    if not counts["taken_back"] and not counts["left"] and not page.events:
        where = " elsewhere" if page.failed else ""
        nothing = f"nothing of run {page.run[:_SHORT]} is left to be taken back{where}"
        return "\n".join([nothing, *_not_done(page)])
    taken = f"{counts['taken_back']} of {counted(len(page.lines), 'write')} taken back"
    told = [f"{taken}, {counts['left']} left, {counted(page.events, 'ledger event')} revoked."]
    if counts["left"]:
        told.append("What is left needs a person: it was changed since, or no undo can reach it.")
    if page.items:
        numbers = ", ".join(f"#{number}" for number in page.items)
        told.append(f"Not worked again by themselves, only when you name them: {numbers}.")
    told += _not_done(page)
    if page.dry:
        told.append("Dry run: nothing was changed.")
    return "\n".join(told)


def _not_done(page: UndonePage) -> list[str]:
    return [f"Not done, run it again: {sentence}" for sentence in page.failed]
