"""The core of an anchor, compared and found again.

Two pieces of code are the same core when their lines, without blank ones and with inner blanks
folded, are equal and nest equally: a block that moved to another depth is the same, a line that
left its block is not.
"""

from __future__ import annotations

from typing import NamedTuple

from harness.rules.identity import core_words, fold_text

FEWEST_WORDS = 4  # a shorter core is found anywhere


class Line(NamedTuple):
    """A line that is not blank, by its number in the file."""

    number: int
    indent: int
    text: str


class Span(NamedTuple):
    """First and last line, inclusive."""

    start: int
    end: int


def full_lines(text: str) -> tuple[Line, ...]:
    """All lines of a text but the blank ones; lines end at LF, as git counts them."""
    return tuple(
        Line(number, _indent(line), folded)
        for number, line in enumerate(text.split("\n"), start=1)
        if (folded := fold_text(line))
    )


def is_same_core(one: tuple[Line, ...], other: tuple[Line, ...]) -> bool:
    """Whether both say the same and nest the same."""
    return (
        len(one) == len(other)
        and all(a.text == b.text for a, b in zip(one, other, strict=True))
        and _nesting(one) == _nesting(other)
    )


def is_searchable(core: str) -> bool:
    """Whether it holds enough words to be looked for elsewhere."""
    return len(core_words(core)) >= FEWEST_WORDS


def find_core(core: str, text: str) -> tuple[Span, ...]:
    """Every place in the text where the core stands."""
    wanted, lines = full_lines(core), full_lines(text)
    if not wanted:
        return ()
    windows = (
        lines[at : at + len(wanted)] for at, line in enumerate(lines) if line.text == wanted[0].text
    )
    return tuple(
        Span(window[0].number, window[-1].number)
        for window in windows
        if is_same_core(window, wanted)
    )


def fold_core(core: str) -> str:
    """The core's text for comparing without regard to lines and depth."""
    return fold_text(core)


def _indent(line: str) -> int:
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip())


def _nesting(lines: tuple[Line, ...]) -> tuple[int, ...]:
    depths = sorted({line.indent for line in lines})
    return tuple(depths.index(line.indent) for line in lines)
