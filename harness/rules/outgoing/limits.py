"""Limits in code points and bytes: a text is cut between characters, and the cut is said."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

CUT = "_{count:,} more characters are left out here: the text is too long for this place._"
PLAIN_CUT = "[{count:,} more characters are left out here.]"


def fits(text: str, chars: int, size: int) -> bool:
    """Whether a text is within both limits."""
    return len(text) <= chars and len(text.encode()) <= size


def cut_text(
    text: str, chars: int, size: int, *, say: str, finish: Callable[[str, str], str]
) -> str:
    """The longest beginning of a text that fits with `finish(beginning, sentence)` around it."""
    room, bytes_room = chars, size
    while room > 0 and bytes_room > 0:
        kept = beginning(text, room, bytes_room)
        done = finish(kept, say.format(count=len(text) - len(kept)))
        if fits(done, chars, size):
            return done
        room = min(room, len(kept)) - max(16, len(done) - chars)
        bytes_room = min(bytes_room, len(kept.encode())) - max(16, len(done.encode()) - size)
    return finish("", say.format(count=len(text)))


def beginning(text: str, chars: int, size: int) -> str:
    """The beginning of at most so many code points and bytes, no visible character halved.

    Ends with a line where one ends in its last tenth.
    """
    kept = text[:chars].encode()[:size].decode(errors="ignore")
    at = len(kept)
    while 0 < at < len(text) and _belongs_together(text, at):
        at -= 1
    line = text.rfind("\n", at - at // 10, at)
    return text[: line if line > 0 and at < len(text) else at]


def _belongs_together(text: str, at: int) -> bool:
    """Whether a cut at this index would part what is seen as one character."""
    after, before = text[at], text[at - 1]
    if unicodedata.combining(after) or after in "\u200d\ufe0e\ufe0f\u20e3" or before == "\u200d":
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    return _is_flag(after) and _flags_before(text, at) % 2 == 1


def _flags_before(text: str, at: int) -> int:
    count = 0
    while count < at and _is_flag(text[at - 1 - count]):
        count += 1
    return count


def _is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
