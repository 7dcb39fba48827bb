"""Texts that are too long are cut on a line, or left out whole, and it is said aloud."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from harness.rules.diff_headers import git_names

T = TypeVar("T")

_FILE = re.compile(r"^diff --git ", re.MULTILINE)
_LONGEST_LINE = 2_000


def cut_on_line(text: str, limit: int) -> tuple[str, int]:
    """The first whole lines within `limit` characters, and how many characters were left out.

    A first line that alone is longer is cut within the line: there is no other place.
    """
    if len(text) <= limit:
        return text, 0
    end = text.rfind("\n", 0, limit + 1)
    kept = text[: end if end > 0 else limit]
    return kept, len(text) - len(kept)


def tail_on_line(text: str, limit: int) -> tuple[str, int]:
    """The last whole lines within `limit` characters, and how many characters were left out."""
    if len(text) <= limit:
        return text, 0
    start = text.find("\n", len(text) - limit - 1) + 1
    kept = text[start if 0 < start < len(text) else len(text) - limit :]
    return kept, len(text) - len(kept)


def keep_newest(items: Sequence[T], sizes: Sequence[int], limit: int) -> tuple[tuple[T, ...], int]:
    """The newest items that fit whole, at least one, and how many of the oldest were dropped."""
    total, kept = 0, 0
    for size in reversed(sizes):
        if kept and total + size > limit:
            break
        total, kept = total + size, kept + 1
    return tuple(items[len(items) - kept :]), len(items) - kept


class DiffShown(NamedTuple):
    """What of a diff is shown; the files left out, and those of which long lines are cut."""

    text: str
    left_out: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()


def cut_diff(diff: str, limit: int) -> DiffShown:
    """The diff's files that fit, whole, in their order.

    A line that is longer than any person reads is cut within the line, and the cut is marked.
    """
    starts = [match.start() for match in _FILE.finditer(diff)]
    if not starts:
        return DiffShown(diff)
    shown, left_out, cut, used = [diff[: starts[0]]], list[str](), list[str](), 0
    for start, end in pairwise([*starts, len(diff)]):
        whole = diff[start:end]
        piece = _cut_long_lines(whole)
        if used + len(piece) > limit:
            left_out.append(_path_of(whole))
            continue
        shown.append(piece)
        used += len(piece)
        if piece != whole:
            cut.append(_path_of(whole))
    return DiffShown("".join(shown), tuple(left_out), tuple(cut))


def _path_of(section: str) -> str:
    header = section.split("\n", 1)[0].removeprefix("diff --git ")
    return git_names(header)[1]


def _cut_long_lines(text: str) -> str:
    if len(text) <= _LONGEST_LINE:
        return text
    return "\n".join(
        line
        if len(line) <= _LONGEST_LINE
        else f"{line[:_LONGEST_LINE]} [{len(line) - _LONGEST_LINE} more characters]"
        for line in text.split("\n")
    )
