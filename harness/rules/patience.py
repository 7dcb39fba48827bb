"""How long a vendor that failed is waited for, within a run and beyond it."""

from __future__ import annotations

from datetime import datetime, timedelta

from harness.errors import TURNED_AWAY, VendorError
from harness.facts.moves import Ask, Pause, Wait

LONGEST_WAIT = timedelta(minutes=2)  # within a run; beyond it the item waits
MOST_WAITS = 3  # failures in a row after which the item waits, however short
HELD_LOOKS = 12  # for money that other running requests hold
HELD_SECONDS = 10.0
HELD_PAUSE = 60.0
_BACKOFF = (5, 20, 300, 900, 1_800)  # seconds after the first, second, ... failure in a row


def find_not_before(failures: int, error: VendorError, now: datetime) -> datetime | None:
    """When to ask again after so many failures in a row; None: at once."""
    if error.reason == "bad_signature" or error.reason in TURNED_AWAY:
        return None
    pause = timedelta(seconds=_BACKOFF[min(failures, len(_BACKOFF)) - 1])
    return max(error.not_before or now, now + pause)


def choose_wait(ask: Ask, now: datetime) -> Wait | Pause | None:
    """Whether to wait here, to leave the exchange open, or to ask at once."""
    until = ask.not_before
    if until is None or until <= now:
        return None
    if ask.failures < MOST_WAITS and until - now <= LONGEST_WAIT:
        return Wait(seconds=(until - now).total_seconds())
    often = f", {ask.failures} times in a row" if ask.failures > 1 else ""
    reason = f"{ask.failed.rstrip('.')}{often}; it is asked again later"
    return Pause(not_before=until, reason=reason)
