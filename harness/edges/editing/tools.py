"""The tools that edit one file of a work tree, and the one question and answer of a call.

In: one JSON object {tool, arguments, bytes} on standard input, the work tree as current directory.
Out: what the agent reads; exit 0 when it was done, 1 when it was refused and nothing was changed.

A file is text in UTF-8; other bytes pass through untouched. An edit changes only the lines it is
about: a byte order mark, CRLF and a missing newline at the end stay as they are.

Sent into the workbench as source, so it imports nothing but the standard library and its siblings.
"""

from __future__ import annotations

import json
import os
import re
import sys
from bisect import bisect_left
from collections.abc import Callable

from harness.edges.editing.files import (
    Refused,
    find_inside,
    find_link_inside,
    make_folder,
    read_text,
    write_text,
)
from harness.edges.editing.hunks import apply_hunks
from harness.edges.editing.lines import (
    ending_of,
    join_lines,
    main_ending,
    nearest_ending,
    split_bom,
    split_lines,
    to_lf,
    with_ending,
)
from harness.edges.editing.viewing import show_change, view


def create(path: str, text: str) -> str:
    """Write a whole file; one that is there keeps its byte order mark and its line endings."""
    real = find_inside(path)
    if os.path.isdir(real):
        raise Refused(f"{path} is a directory")
    if not os.path.lexists(real):
        make_folder(os.path.dirname(real), path)
        write_text(real, text)
        return f"{path} was created"
    bom, old = split_bom(read_text(real, path))
    if old.count("\n") == old.count("\r\n") > 0:
        text = with_ending(text, "\r\n")
    write_text(real, bom + split_bom(text)[1])
    return f"{path} was written anew"


def replace(path: str, old: str, new: str) -> str:
    """Replace the one place where `old` stands."""
    real = find_inside(path)
    bom, raw = split_bom(read_text(real, path))
    old, new, text = to_lf(old), to_lf(new), to_lf(raw)
    if not old:
        raise Refused("the text to replace is empty")
    if old == new:
        raise Refused("old and new are the same, nothing would change")
    starts = find_all(text, old)
    if len(starts) != 1:
        raise Refused(tell_misses(path, text, old, starts))
    ahead = shared_start(old, new)
    behind = shared_start(old[ahead:][::-1], new[ahead:][::-1])
    start, end = starts[0] + ahead, starts[0] + len(old) - behind
    changed = new[ahead : len(new) - behind]
    crlf = [found.start() - at for at, found in enumerate(re.finditer("\r\n", raw))]
    begin, stop = (at + bisect_left(crlf, at) for at in (start, end))
    done = raw[:begin] + with_ending(changed, nearest_ending(raw, begin)) + raw[stop:]
    write_text(real, bom + done)
    return show_change(path, done, text.count("\n", 0, start), changed)


def find_all(text: str, part: str) -> list[int]:
    """Where `part` stands, overlapping places too."""
    places, at = [], text.find(part)
    while at >= 0:
        places.append(at)
        at = text.find(part, at + 1)
    return places


def shared_start(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def tell_misses(path: str, text: str, old: str, starts: list[int]) -> str:
    """Why `old` does not name one place."""
    if starts:
        lines = ", ".join(str(text.count("\n", 0, at) + 1) for at in starts[:20])
        times = f"stands {len(starts)} times in {path}, at lines {lines}"
        return f"the text to replace {times}: take more of its surroundings"
    wanted = [line.strip() for line in old.strip("\n").split("\n")]
    having = [line.strip() for line in text.split("\n")]
    for at in range(len(having) - len(wanted) + 1):
        if having[at : at + len(wanted)] == wanted:
            near = f"line {at + 1} differs from it in white space only"
            return f"the text to replace is not in {path}; {near}"
    return f"the text to replace is not in {path}"


def insert(path: str, after_line: int, text: str) -> str:
    """Put whole lines after a line (0: in front)."""
    real = find_inside(path)
    bom, raw = split_bom(read_text(real, path))
    lines = split_lines(raw)
    if not 0 <= after_line <= len(lines):
        raise Refused(f"{path} has {len(lines)} lines, there is no line {after_line}")
    before = lines[:after_line]
    ending = (ending_of(before[-1]) if before else "") or main_ending(raw)
    new = split_lines(with_ending(to_lf(text).removesuffix("\n") + "\n", ending))
    done = join_lines(before + new + lines[after_line:], raw)
    write_text(real, bom + done)
    return show_change(path, done, after_line, to_lf("".join(new)).removesuffix("\n"))


def patch(path: str, diff: str) -> str:
    """Apply hunks by their context; all of them or none."""
    real = find_inside(path)
    bom, raw = split_bom(read_text(real, path))
    text, told = apply_hunks(raw, diff, path)
    write_text(real, bom + text)
    return told


def remove(path: str) -> str:
    """Delete a file, or a link itself."""
    real = find_link_inside(path)
    if os.path.isdir(real) and not os.path.islink(real):
        raise Refused(f"{path} is a directory; use the shell")
    os.remove(real)
    return f"{path} was removed"


TOOLS: dict[str, Callable[..., str]] = {
    "view": view,
    "create": create,
    "replace": replace,
    "insert": insert,
    "patch": patch,
    "remove": remove,
}


def cut_text(text: str, limit: int) -> str:
    """The text within so many bytes, its end left out aloud."""
    content = text.encode("utf-8", "replace")
    if len(content) <= limit:
        return text
    kept = content[:limit].decode("utf-8", "ignore")
    return f"{kept}\n[... {len(content) - limit} bytes left out ...]"


def main() -> int:
    """Answer the question on standard input."""
    question = json.load(sys.stdin.buffer)
    limit, arguments = question["bytes"], question["arguments"]
    if question["tool"] == "view":
        arguments["limit"] = limit
    try:
        answer, code = TOOLS[question["tool"]](**arguments), 0
    except Refused as refused:
        answer, code = f"Not done: {refused}", 1
    except OSError as error:
        answer, code = f"Not done: {error.strerror}", 1
    sys.stdout.buffer.write((cut_text(answer, limit) + "\n").encode("utf-8", "replace"))
    return code
