"""Whether a merge was solved: no more conflict markers than the two sides had themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MARKERS = re.compile(rb"^(?:<{7}|>{7})(?: .*)?\r?$", re.MULTILINE)


def has_markers(merged: bytes, sides: Iterable[bytes]) -> bool:
    """Whether the merged file holds conflict markers; a side may hold such lines of its own."""
    own = max((_count(side) for side in sides), default=0)
    return _count(merged) > own


def _count(text: bytes) -> int:
    return len(_MARKERS.findall(text))
