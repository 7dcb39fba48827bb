"""Only characters that a reader can see: valid UTF-8, LF, nothing of zero width, no controls."""

from __future__ import annotations

import re

BREAK = "\u200b"  # put in by us, always anew: it is dropped with the others first

_DROPPED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\ufe00-\ufe0d\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_AFTER_PLAIN = re.compile("(?<![\u0080-\U0010ffff])[\u200d\ufe0e\ufe0f]+")
_BEFORE_PLAIN = re.compile("\u200d+(?![\u0080-\U0010ffff])")
_SURROGATE = re.compile("[\ud800-\udfff]")


def visible_text(text: str) -> str:
    """The text as it can be seen; joiners and emoji styles stay inside sequences that need them."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = lines.replace("\u2028", "\n").replace("\u2029", "\n")
    shown = _DROPPED.sub("", _SURROGATE.sub("\ufffd", lines))
    return _BEFORE_PLAIN.sub("", _AFTER_PLAIN.sub("", shown))


def one_line(text: str) -> str:
    """The text with all its blanks folded."""
    return " ".join(text.split())
