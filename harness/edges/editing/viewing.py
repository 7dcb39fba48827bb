"""What an agent sees of a file or a directory: numbered lines, cut aloud.

Sent into the workbench as source, so it imports nothing but the standard library and its siblings.
"""

from __future__ import annotations

import os

from harness.edges.editing.files import Refused, find_inside, read_text
from harness.edges.editing.lines import split_bom, split_lines, to_lf

LONGEST_LINE = 2_000  # characters that are shown of one line
ROOM_TO_SAY = 100  # bytes kept for saying what is missing
MOST_NAMES = 500  # that are shown of a directory


def view(path: str, start_line: int, end_line: int, limit: int) -> str:
    """Numbered lines of a file (end 0: to its end), or what a directory holds."""
    real = find_inside(path)
    if os.path.isdir(real):
        return list_directory(real)
    lines = split_lines(split_bom(read_text(real, path))[1])
    first = max(1, start_line)
    last = min(len(lines), end_line) if end_line > 0 else len(lines)
    if lines and first > last:
        raise Refused(f"{path} has {len(lines)} lines; {first} to {end_line} are not there")
    return number_lines(lines, first, last, limit) or "(the file is empty)"


def number_lines(lines: list[str], first: int, last: int, limit: int) -> str:
    """Lines first to last as they are shown, within so many bytes."""
    shown: list[str] = []
    limit -= ROOM_TO_SAY
    for number in range(first, last + 1):
        line = number_line(number, lines[number - 1])
        limit -= len(line.encode("utf-8", "replace")) + 1
        if limit < 0:
            shown.append(f"[... lines {number} to {last} are not shown, ask for them ...]")
            break
        shown.append(line)
    return "\n".join(shown)


def number_line(number: int, raw: str) -> str:
    """One line as it is shown."""
    line = raw.rstrip("\n").rstrip("\r")
    if len(line) > LONGEST_LINE:
        line = f"{line[:LONGEST_LINE]} [... {len(line) - LONGEST_LINE} characters left out ...]"
    return f"{number:6}\t{line}"


def list_directory(top: str) -> str:
    """Two levels of names, hidden ones left out; directories end in a slash."""
    names: list[str] = []
    for directory, folders, files in os.walk(top):
        inside = os.path.relpath(directory, top)
        prefix = "" if inside == "." else inside + "/"
        seen = sorted(folder for folder in folders if not folder.startswith("."))
        names += [f"{prefix}{folder}/" for folder in seen]
        names += [prefix + name for name in files if not name.startswith(".")]
        folders[:] = [] if prefix else seen
        if len(names) > MOST_NAMES:
            break
    cut = [f"[... cut after {MOST_NAMES} names ...]"] if len(names) > MOST_NAMES else []
    return "\n".join(sorted(names)[:MOST_NAMES] + cut) or "(nothing but hidden files)"


def show_change(path: str, raw: str, first: int, changed: str) -> str:
    """The changed lines, which begin at index `first`, with two around them."""
    lines = split_lines(to_lf(raw))
    last = first + changed.count("\n")
    around = range(max(0, first - 2), min(len(lines), last + 3))
    shown = [number_line(number + 1, lines[number]) for number in around]
    return f"{path} was changed:\n" + "\n".join(shown)
