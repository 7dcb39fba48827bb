"""Diff text of git, read into facts, and what its hunks say of lines.

Lines end at LF only: a CR, form feed or NEL is part of its line, as it is for git. Hunks are read
by their counts, so that content which looks like a header stays content. A text that holds
something but no unified diff is refused: an unread diff is never an empty one.
"""

from __future__ import annotations

import re
from typing import Literal

from harness.errors import Refused
from harness.facts.places import Diff, FileDiff, Hunk, Place
from harness.rules.diff_headers import Header, git_names, plain_name

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_COMBINED = re.compile(r"^(?:diff --(?:cc|combined) |@@@+ )")
_CONTEXT_FORMAT = re.compile(r"^\*{15}\s*$")

Tag = Literal[" ", "+", "-"]


def parse_diff(text: str, base: str, head: str) -> Diff:
    """The files of a unified diff, whatever stands around them; Refused on any other text."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    headers: list[Header] = []
    at = 0
    while at < len(lines):
        at = _read(lines, at, headers)
    if not headers and text.strip():
        raise Refused("this is no unified diff: it names no file")
    return Diff(base=base, head=head, files=_join_types(tuple(one.as_file() for one in headers)))


def added_lines(diff: Diff, path: str) -> frozenset[int]:
    """The numbers, on the new side, of the lines that the diff adds to this file."""
    return frozenset(
        number
        for file in diff.files
        if path and file.new_path == path
        for hunk in file.hunks
        for number in _numbers(hunk, "+")
    )


def removed_lines(diff: Diff, path: str) -> frozenset[int]:
    """The numbers, on the old side, of the lines that the diff takes from this file."""
    return frozenset(
        number
        for file in diff.files
        if path and file.old_path == path
        for hunk in file.hunks
        for number in _numbers(hunk, "-")
    )


def new_line(hunks: tuple[Hunk, ...], old: int) -> int | None:
    """Where a line of the old side stands on the new one; None when the diff removes it."""
    return _across(hunks, old, "-", "+")


def old_line(hunks: tuple[Hunk, ...], new: int) -> int | None:
    """Where a line of the new side stood on the old one; None when the diff adds it."""
    return _across(hunks, new, "+", "-")


def is_inline(diff: Diff, place: Place) -> bool:
    """Whether a forge takes a comment there: new-side lines, all within one hunk."""
    if not 1 <= place.start_line <= place.end_line:
        return False
    return any(
        hunk.new_start <= place.start_line
        and place.end_line < hunk.new_start + hunk.new_count
        and file.new_path == place.file
        for file in diff.files
        for hunk in file.hunks
    )


def file_of(diff: Diff, path: str) -> FileDiff | None:
    """What the diff says of the file that has this path on the new side (or had it, deleted)."""
    return next((file for file in diff.files if path and file.path == path), None)


def hidden_files(diff: Diff) -> tuple[str, ...]:
    """The files whose content a diff does not show, or not as it is, each with the reason."""
    return tuple(f"{file.path} ({why})" for file in diff.files if (why := _why_hidden(file)))


def _why_hidden(file: FileDiff) -> str:
    if file.submodule:
        return "submodule"
    if file.binary:
        return "binary"
    if file.undecodable:
        return "not UTF-8; what cannot be read is shown as \ufffd"
    if file.status in {"renamed", "copied"} and not file.hunks:
        return f"{file.status} from {file.old_path}, content unchanged"
    return "" if file.shown else "not shown"


# -- reading -----------------------------------------------------------------------------------
def _read(lines: list[str], at: int, headers: list[Header]) -> int:
    """Read what begins at this line; the index of the line after it."""
    line = lines[at]
    if _COMBINED.match(line):
        raise Refused("a combined diff of a merge has no one old side")
    if _CONTEXT_FORMAT.match(line):
        raise Refused("a diff in context format is not read")
    if line.startswith("diff --git "):
        old, new = git_names(line.removeprefix("diff --git ").rstrip("\r"))
        headers.append(Header(old=old, new=new, git=True))
        return at + 1
    if _names_files(lines, at):
        _name_files(lines, at, headers)
        return at + 2
    if hunk := _HUNK.match(line):
        return _read_hunk(lines, at, hunk, headers)
    if headers:
        headers[-1].read(line)
    return at + 1


def _names_files(lines: list[str], at: int) -> bool:
    two = lines[at : at + 3]
    return (
        two[0].startswith("--- ")
        and len(two) > 2  # noqa: PLR2004 - its own line, the other name, the hunk
        and two[1].startswith("+++ ")
        and _HUNK.match(two[2]) is not None
    )


def _name_files(lines: list[str], at: int, headers: list[Header]) -> None:
    if not headers or not headers[-1].git or headers[-1].hunks:
        headers.append(Header())
    headers[-1].name(plain_name(lines[at][4:]), plain_name(lines[at + 1][4:]))


def _read_hunk(lines: list[str], at: int, match: re.Match[str], headers: list[Header]) -> int:
    if not headers:
        raise Refused(f"a hunk without a file: {lines[at]}")
    old_start, old_count, new_start, new_count = (int(n or "1") for n in match.groups())
    old, new, body = old_count, new_count, list[tuple[Tag, str]]()
    at += 1
    while (old > 0 or new > 0) and at < len(lines):
        tag, content = _tagged(lines[at])
        if tag != "\\":
            old -= tag in " -"
            new -= tag in " +"
            body.append((tag, content))
        at += 1
    if old or new:
        raise Refused(f"a hunk that ends early: {match.group()}")
    headers[-1].hunks.append(
        Hunk(
            old_start=old_start,
            old_count=old_count,
            new_start=new_start,
            new_count=new_count,
            lines=tuple(body),
        )
    )
    return at


def _tagged(line: str) -> tuple[Literal[" ", "+", "-", "\\"], str]:
    match line[:1]:
        case "+":
            return "+", line[1:]
        case "-":
            return "-", line[1:]
        case " ":
            return " ", line[1:]
        case "\\":
            return "\\", ""
        case "" | "\r":
            return " ", line  # an empty context line whose blank an editor took
        case _:
            raise Refused(f"no line of a hunk: {line[:80]}")


def _join_types(files: tuple[FileDiff, ...]) -> tuple[FileDiff, ...]:
    """Git tells a file that became a link as a deletion and an addition: it is one change."""
    joined: list[FileDiff] = []
    for file in files:
        before = joined[-1] if joined else None
        if (
            before is not None
            and (before.status, file.status) == ("deleted", "added")
            and before.old_path == file.new_path
        ):
            joined[-1] = before.model_copy(
                update={
                    "new_path": file.new_path,
                    "new_mode": file.new_mode,
                    "status": "type",
                    "binary": before.binary or file.binary,
                    "submodule": before.submodule or file.submodule,
                    "shown": before.shown and file.shown,
                    "hunks": before.hunks + file.hunks,
                }
            )
        else:
            joined.append(file)
    return tuple(joined)


# -- lines -----------------------------------------------------------------------------------
def _numbers(hunk: Hunk, wanted: Tag) -> list[int]:
    number = hunk.new_start if wanted == "+" else hunk.old_start
    numbers = []
    for tag, _ in hunk.lines:
        if tag == wanted:
            numbers.append(number)
        number += tag in {" ", wanted}
    return numbers


def _across(hunks: tuple[Hunk, ...], line: int, here: Tag, there: Tag) -> int | None:
    offset = 0
    for hunk in hunks:
        start, count, other = _sides(hunk, here)
        if line < start + (count == 0):
            break
        if line < start + count:
            return _within(hunk, line, here, there)
        other_start, other_count = other
        offset = (other_start + other_count + (other_count == 0)) - (start + count + (count == 0))
    return line + offset


def _sides(hunk: Hunk, here: Tag) -> tuple[int, int, tuple[int, int]]:
    old, new = (hunk.old_start, hunk.old_count), (hunk.new_start, hunk.new_count)
    return (*old, new) if here == "-" else (*new, old)


def _within(hunk: Hunk, line: int, here: Tag, there: Tag) -> int | None:
    mine, theirs = (
        (hunk.old_start, hunk.new_start) if here == "-" else (hunk.new_start, hunk.old_start)
    )
    for tag, _ in hunk.lines:
        if mine == line and tag in {" ", here}:
            return theirs if tag == " " else None
        mine += tag in {" ", here}
        theirs += tag in {" ", there}
    return None
