"""Hunks of OpenAI's apply_patch (V4A), applied by their context.

A hunk is lines that start with a blank (context), `-` or `+`; `@@ text` before it names a line
above it, `*** End of File` after it says that it ends the file. The first place that fits wins
only below an `@@` line: a hunk that fits two places without one is refused.
(https://developers.openai.com/api/docs/guides/tools-apply-patch)

Sent into the workbench as source, so it imports nothing but the standard library and its siblings.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from harness.edges.editing.files import Refused
from harness.edges.editing.lines import ending_of, join_lines, main_ending, split_lines, to_lf

ENVELOPE = ("*** ", "\\ No newline")
HEADER = re.compile(r"(?:\A|\n)--- \S.*\n\+\+\+ \S.*\n(?=@@)")
UNIFIED = re.compile(r"-\d+(,\d+)? \+\d+(,\d+)? @@")
FOLDS: tuple[Callable[[str], str], ...] = (str, str.rstrip, str.strip)


class Hunk(NamedTuple):
    """Where it belongs, its lines as (tag, text), and whether it ends the file."""

    anchors: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]
    at_end: bool

    @property
    def old(self) -> list[str]:
        """The lines that must stand there."""
        return [text for tag, text in self.lines if tag != "+"]


def apply_hunks(raw: str, diff: str, path: str) -> tuple[str, str]:
    """(the text with all hunks applied, what to say); Refused when one does not fit."""
    lines = split_lines(raw)
    hunks = parse_hunks(diff)
    if not hunks:
        raise Refused("the patch has no line that starts with + or -")
    done: list[str] = []
    places: list[str] = []
    at = 0
    for hunk in hunks:
        start = find_place(lines, hunk, at, path)
        done += lines[at:start]
        places.append(str(len(done) + 1))
        done += apply_hunk(lines, start, hunk, main_ending(raw))
        at = start + len(hunk.old)
    text = join_lines(done + lines[at:], raw)
    if text == raw:
        raise Refused("the patch changes nothing")
    return text, f"{path} was changed from line {', '.join(places)} on"


def parse_hunks(diff: str) -> list[Hunk]:
    """The hunks of a diff; the envelope around them may be there or not."""
    hunks: list[Hunk] = []
    anchors: list[str] = []
    lines: list[tuple[str, str]] = []
    body = HEADER.sub("\n", to_lf(diff), count=1).removeprefix("\n").removesuffix("\n")
    for line in [*body.split("\n"), "@@"]:
        ends_file = line.startswith("*** End of File")
        if line.startswith("@@") or ends_file:
            if any(tag != " " for tag, _ in lines):
                hunks.append(Hunk(tuple(anchors), tuple(lines), ends_file))
                anchors.clear()
            lines.clear()
        if line.startswith("@@"):
            anchors += read_anchor(line)
        elif line[:1] in {"", " ", "+", "-"}:
            lines.append((line[:1] or " ", line[1:]))
        elif not line.startswith(ENVELOPE):
            raise Refused(f"a line of the patch starts with neither blank, + nor -: {line[:80]}")
    return hunks


def read_anchor(line: str) -> list[str]:
    """The line that `@@` names; line numbers of a unified diff name none."""
    anchor = line.removeprefix("@@").strip()
    return [anchor] if anchor and not UNIFIED.match(anchor) else []


def find_place(lines: list[str], hunk: Hunk, at: int, path: str) -> int:
    """The index where the hunk's old lines stand: exactly, else but for white space."""
    plain = [line.rstrip("\n").rstrip("\r") for line in lines]
    anchored, at = skip_anchors(plain, hunk.anchors, at)
    if not hunk.old:
        return at if anchored and not hunk.at_end else len(lines)
    for fold in FOLDS:
        places = find_lines([fold(line) for line in plain], [fold(line) for line in hunk.old], at)
        if hunk.at_end:
            places = places[-1:]
        if len(places) > 1 and not anchored:
            where = ", ".join(str(place + 1) for place in places[:20])
            raise Refused(f"a hunk fits {path} at lines {where}: give more context or an @@ line")
        if places:
            return places[0]
    shown = "\n".join(hunk.old[:8])
    raise Refused(f"a hunk does not fit {path}; these lines are not there:\n{shown}")


def skip_anchors(plain: list[str], anchors: tuple[str, ...], at: int) -> tuple[bool, int]:
    """(whether an anchor was found, the index behind the last one)."""
    anchored = False
    for anchor in anchors:
        found = [n for n in range(at, len(plain)) if plain[n].strip() == anchor]
        if found:
            anchored, at = True, found[0] + 1
    return anchored, at


def find_lines(having: list[str], wanted: list[str], at: int) -> list[int]:
    """Every index from `at` on where the wanted lines stand."""
    size = len(wanted)
    return [n for n in range(at, len(having) - size + 1) if having[n : n + size] == wanted]


def apply_hunk(lines: list[str], start: int, hunk: Hunk, ending: str) -> list[str]:
    """The lines that stand there now; context keeps the file's own bytes."""
    new: list[str] = []
    for tag, text in hunk.lines:
        if tag == "+":
            new.append(text + ending)
            continue
        here = lines[start]
        start += 1
        ending = ending_of(here) or ending
        if tag == " ":
            new.append(here)
    return new
