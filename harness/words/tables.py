"""Aligned columns for a terminal, with a tone per cell that the command line may paint.

Texts come from strangers and from agents: what could steer a terminal is taken out here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from harness.rules.outgoing.characters import visible_text

Tone = Literal["plain", "head", "good", "warn", "bad", "faint"]
Paint = Callable[[str, Tone], str]


class Cell(NamedTuple):
    """A text of one line, and how it should look."""

    text: str
    tone: Tone = "plain"


def as_it_is(text: str, tone: Tone) -> str:  # noqa: ARG001 - the paint of a file or a pipe
    """No colour at all."""
    return text


def columns(rows: Sequence[Sequence[Cell]], paint: Paint = as_it_is, *, margin: str = "") -> str:
    """Rows of equal length as aligned lines, two blanks between columns, none at the end."""
    shown = [[Cell(on_line(cell.text), cell.tone) for cell in row] for row in rows]
    widths = [max(len(cell.text) for cell in column) for column in zip(*shown, strict=True)]
    return "\n".join(f"{margin}{_line(row, widths, paint)}".rstrip() for row in shown)


def table(
    heads: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    paint: Paint = as_it_is,
    *,
    notes: Sequence[str] = (),
    margin: str = "  ",
) -> str:
    """Columns under faint heads, with the note of each row (if it has one) below it."""
    whole = columns([[Cell(head, "faint") for head in heads], *rows], paint, margin=margin)
    first, *lines = whole.split("\n")
    below = notes or [""] * len(lines)
    told = [part for line, note in zip(lines, below, strict=True) for part in (line, note) if part]
    return "\n".join([first, *told])


def on_line(text: str) -> str:
    """Only what can be seen, on one line."""
    return " ".join(visible_text(text).split())


def indented(text: str, margin: str) -> str:
    """Only what can be seen, each line behind a margin."""
    return "\n".join(f"{margin}{line}".rstrip() for line in visible_text(text).split("\n"))


def minute(at: datetime | None) -> str:
    """`2026-11-30 12:05`, "" for none; UTC, as the heading of its column says."""
    return f"{at:%Y-%m-%d %H:%M}" if at else ""


def _line(row: Sequence[Cell], widths: Sequence[int], paint: Paint) -> str:
    last = max((n for n, cell in enumerate(row) if cell.text), default=-1)
    shown = row[: last + 1]
    texts = [cell.text.ljust(width) for cell, width in zip(shown, widths, strict=False)]
    if shown:
        texts[last] = shown[last].text
    painted = (paint(text, cell.tone) for text, cell in zip(texts, shown, strict=True))
    return "  ".join(painted)
