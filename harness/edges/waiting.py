"""How long a server asks to be left alone: whatever it writes, a time that is bounded, or none."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MOST = 86_400.0  # seconds: nobody is believed to want longer, and is asked again after them
_SECONDS = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def seconds_asked(text: str, since: datetime) -> float | None:
    """What a Retry-After says (RFC 9110, 10.2.3: seconds, or an HTTP date), at most MOST."""
    seconds = read_seconds(text)
    if seconds is None and (until := read_date(text)):
        seconds = (until - since).total_seconds()
    return None if seconds is None else min(max(seconds, 0.0), MOST)


def read_seconds(text: str) -> float | None:
    """A plain number, from nothing up; None for anything else. It may be infinite."""
    return max(float(text), 0.0) if _SECONDS.fullmatch(text.strip()) else None


def read_date(text: str) -> datetime | None:
    """An HTTP date as UTC, None when it is none."""
    try:
        at = parsedate_to_datetime(text)
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (TypeError, ValueError, OverflowError):
        return None
