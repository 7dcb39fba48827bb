"""What a person cannot see in a text of the forge is taken out before an agent reads it.

Hidden are HTML comments, the alternatives inside `<picture>` and characters without a shape:
zero-width, bidirectional controls, variation selectors and the tag block (which spells ASCII).
What stands in a code block or code span is visible and stays.
"""

from __future__ import annotations

import re
from collections import Counter

from harness.facts.value import Fact

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)
_HIDDEN = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])+?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<comment><!--(?:>|->|[\s\S]*?(?:-->|\Z)))"
    r"|(?P<picture><picture\b[^>]*>[\s\S]*?(?:</picture\s*>|\Z))",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"<img\b[^>]*?\bsrc\s*=\s*([\"'])(?P<src>[^\"'<>]*)\1", re.IGNORECASE)


class Cleaned(Fact):
    """A text as a person sees it; `removed` says in half sentences what was taken out."""

    text: str
    removed: tuple[str, ...]


def clean_text(text: str) -> Cleaned:
    """Take out what is hidden, and count it."""
    counts: Counter[str] = Counter()
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text, counts["invisible character"] = _INVISIBLE.subn("", text)
    text, counts["control character"] = _CONTROL.subn("", text)
    shown = "".join(
        piece if is_code else _show(piece, counts) for is_code, piece in _split_code(text)
    )
    return Cleaned(text=shown, removed=tuple(count_of(n, what) for what, n in counts.items() if n))


def count_invisible(text: str) -> int:
    """How many characters of a text have no shape; for texts that must stay as they are."""
    return len(_INVISIBLE.findall(text))


def _show(piece: str, counts: Counter[str]) -> str:
    def replace(match: re.Match[str]) -> str:
        if match["code"] is not None:
            return match[0]
        if match["comment"] is not None:
            counts["hidden HTML comment"] += 1
            return ""
        counts["picture alternative"] += 1
        image = _IMAGE.search(match[0])
        return f'<img src="{image["src"]}">' if image else ""

    return _HIDDEN.sub(replace, piece)


def _split_code(text: str) -> list[tuple[bool, str]]:
    """Pieces of (is a fenced code block, text), as CommonMark opens and closes fences.

    An HTML comment that begins before a fence hides it, so a fence inside one opens nothing.
    """
    pieces: list[tuple[bool, str]] = []
    start = 0
    while fence := _next_fence(text, start):
        closing = re.compile(
            rf"^ {{0,3}}{re.escape(fence[1][0])}{{{len(fence[1])},}}[ \t]*$", re.MULTILINE
        ).search(text, fence.end())
        end = closing.end() if closing else len(text)
        pieces += [(False, text[start : fence.start()]), (True, text[fence.start() : end])]
        start = end
    return [*pieces, (False, text[start:])]


def _next_fence(text: str, start: int) -> re.Match[str] | None:
    """The next fence at the start of a line that no comment and no picture swallows."""
    hidden = _HIDDEN.finditer(text, start)
    block = next(hidden, None)
    for fence in _FENCE.finditer(text, start):
        if fence.start() and text[fence.start() - 1] != "\n":
            continue
        while block and block.end() <= fence.start():
            block = next(hidden, None)
        swallowed = block and block["code"] is None and block.start() < fence.start()
        if not swallowed:
            return fence
    return None


def count_of(count: int, what: str) -> str:
    """`1 comment`, `3 comments`."""
    return f"{count} {what}{'' if count == 1 else 's'}"
