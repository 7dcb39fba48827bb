"""What a person cannot see in a text of the forge is taken out before an agent reads it.

Hidden are HTML comments, the alternatives inside `<picture>` and characters without a shape:
zero-width, bidirectional controls, variation selectors and the tag block (which spells ASCII).
What stands in a code block or code span is visible and stays. In a text that is shown as it is (a
log, an annotation, a name) a comment is seen; only characters, and codes for terminals, are not.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter

from harness.facts.value import Fact
from harness.rules.ticks import TickRuns

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_TERMINAL = re.compile(
    r"\x1b(?:\[[0-?]{0,60}[ -/]{0,9}[@-~]|\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)|[@-Z^_])"
)
_TAG = r"(?:[^>]{0,1000}>|[^>]{1001})"  # one that goes on for longer counts as begun
_FENCE = re.compile(r"^ {0,3}(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)
_TOKEN = re.compile(
    rf"{_FENCE.pattern}|(?P<ticks>`+)|(?P<comment><!--)|(?P<picture><picture\b{_TAG})",
    re.IGNORECASE | re.MULTILINE,
)
_COMMENT_END = re.compile(r"(?<=<!--)-?>|-->")
_PICTURE_END = re.compile(r"</picture\s*>", re.IGNORECASE)
_BLANK_LINE = re.compile(r"\n(?=[ \t]*\n)")
_IMAGE = re.compile(r"<img\b[^>]{0,1000}?\bsrc\s*=\s*([\"'])(?P<src>[^\"'<>]*)\1", re.IGNORECASE)


class Cleaned(Fact):
    """A text as a person sees it; `removed` says in half sentences what was taken out."""

    text: str
    removed: tuple[str, ...]


def clean_text(text: str) -> Cleaned:
    """Take out what is hidden where Markdown is rendered, and count it."""
    counts: Counter[str] = Counter()
    return _cleaned(_shown(_characters(text, counts), counts), counts)


def clean_plain(text: str) -> Cleaned:
    """Take out what is hidden in a text that is shown as it is, and count it."""
    counts: Counter[str] = Counter()
    text, counts["terminal code"] = _TERMINAL.subn("", text)
    return _cleaned(_characters(text, counts), counts)


def _characters(text: str, counts: Counter[str]) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text, counts["invisible character"] = _INVISIBLE.subn("", text)
    text, counts["control character"] = _CONTROL.subn("", text)
    return text


def _cleaned(text: str, counts: Counter[str]) -> Cleaned:
    removed = tuple(count_of(n, what) for what, n in counts.items() if n)
    return Cleaned(text=text, removed=removed)


def count_invisible(text: str) -> int:
    """How many characters of a text have no shape; for texts that must stay as they are."""
    return len(_INVISIBLE.findall(text))


def _shown(text: str, counts: Counter[str]) -> str:
    """The text without comments and pictures, read once from left to right as CommonMark does."""
    spans, kept, at = _Spans(text), [], 0
    while token := _TOKEN.search(text, at):
        kept.append(text[at : token.start()])
        match token.lastgroup:
            case "comment":
                counts["hidden HTML comment"] += 1
                at = _end(_COMMENT_END, text, token.end())
            case "picture":
                counts["picture alternative"] += 1
                at = _end(_PICTURE_END, text, token.end())
                image = _IMAGE.search(text, token.start(), at)
                kept.append(f'<img src="{image["src"]}">' if image else "")
            case "fence":
                at = _end(_closing(token["fence"]), text, token.end())
                kept.append(text[token.start() : at])
            case _:
                at = spans.end(token)
                kept.append(text[token.start() : at])
    return "".join((*kept, text[at:]))


def _end(what: re.Pattern[str], text: str, at: int) -> int:
    """Where this ends next; the text's end where it never does."""
    found = what.search(text, at)
    return found.end() if found else len(text)


def _closing(fence: str) -> re.Pattern[str]:
    return re.compile(rf"^ {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*$", re.MULTILINE)


class _Spans:
    """Where code spans end: in their own paragraph, before the next fence."""

    def __init__(self, text: str) -> None:
        self._runs = TickRuns(text)
        self._ends = sorted(
            found.start() for what in (_BLANK_LINE, _FENCE) for found in what.finditer(text)
        )

    def end(self, ticks: re.Match[str]) -> int:
        """The end of the span that these ticks open, or of the ticks where they open none."""
        end = self._runs.next_end(len(ticks[0]), ticks.end())
        n = bisect_left(self._ends, ticks.end())
        is_parted = n < len(self._ends) and self._ends[n] < end
        return ticks.end() if is_parted else end or ticks.end()


def count_of(count: int, what: str) -> str:
    """`1 comment`, `3 comments`."""
    return f"{count} {what}{'' if count == 1 else 's'}"
