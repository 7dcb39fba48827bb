"""Everything that is not ours stands between fences that it cannot contain.

The fence is derived, not drawn: first 16 hex of sha256 over the exchange's key and n, for the
smallest n whose fence no fenced text contains, so that a resumed exchange sends identical bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import count

from harness.facts.value import Fact


class Part(Fact):
    """A text as data; `id` is what it can be cited by, `what` says what it is."""

    id: str
    what: str
    text: str


def derive_fence(key: str, texts: Iterable[str]) -> str:
    """The fence for an exchange in which these texts are shown."""
    shown = tuple(texts)
    for n in count():
        mark = hashlib.sha256(f"{key}\n{n}".encode()).hexdigest()[:16]
        if not any(mark in text for text in shown):
            return mark
    raise AssertionError  # count() has no end


def fence_part(mark: str, part: Part) -> str:
    """The part between its fences; what it is stands in one line, quotes and controls folded."""
    name = f' id="{part.id}"' if part.id else ""
    opening = f'<data-{mark}{name} what="{_one_line(part.what)}">'
    return f"{opening}\n{part.text.rstrip()}\n</data-{mark}>"


def _one_line(text: str) -> str:
    kept = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(kept.replace('"', "'").replace("<", "(").replace(">", ")").split())
