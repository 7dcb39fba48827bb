"""What a vendor's no means in our errors: what was used, when to try again, readable words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from harness.doors.clock import Clock
from harness.edges.told import an_object, mend, parse, read
from harness.edges.waiting import MOST, read_date, read_seconds, seconds_asked
from harness.errors import VendorError, VendorReason
from harness.facts.money import Usage

NOTHING = Usage(input=0, cache_read=0, cache_write=0, output=0)
_TIMED_OUT = {408, 504}  # somebody gave up waiting; what was made meanwhile may be paid for
_SHOWN = 400  # characters of a vendor's message that are worth reading


def not_before(headers: Mapping[str, str], clock: Clock) -> datetime | None:
    """When the vendor wants to be asked again, by our clock.

    A date in Retry-After is taken relative to the answer's own Date, so that two clocks that differ
    do not matter.
    """
    seconds = _delay(headers, clock)
    return None if seconds is None else clock.now() + timedelta(seconds=seconds)


def _delay(headers: Mapping[str, str], clock: Clock) -> float | None:
    milliseconds = read_seconds(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return min(milliseconds / 1000, MOST)
    since = read_date(headers.get("date", "")) or clock.now()
    return seconds_asked(headers.get("retry-after", ""), since)


def read_model(pieces: Iterable[bytes], clock: Clock, vendor: str, seconds: float) -> None:
    """What a vendor says of an LLM, to its end; VendorError where that says it is no more.

    Unreadable where it is no such thing.
    """
    ends, whole = clock.monotonic() + seconds, bytearray()
    for piece in pieces:
        whole += piece
        if clock.monotonic() > ends:
            raise failure(vendor, "no end", "unreachable", usage=NOTHING)
    told = an_object(parse(bytes(whole)))
    name = read(told, "id", str)
    if told.get("lifecycle") == "retired":
        raise failure(vendor, f"{name} is retired", "misconfigured", usage=NOTHING)


def turned_away(status: int) -> Usage | None:
    """What a request used that got an error status instead of an answer: nothing, mostly."""
    return None if status in _TIMED_OUT else NOTHING


def never_sent(error: BaseException) -> Usage | None:
    """What a request used whose connection failed: nothing where none was made at all."""
    import httpx2

    causes = (error, error.__cause__)
    unmade = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
    return NOTHING if any(isinstance(one, unmade) for one in causes) else None


def failure(
    vendor: str,
    message: str,
    reason: VendorReason,
    *,
    when: datetime | None = None,
    usage: Usage | None = None,
) -> VendorError:
    """A VendorError in one line: the vendor, then what it said; `usage` None: nobody knows."""
    said = " ".join(mend(message).split())
    return VendorError(
        f"{vendor}: {said if len(said) <= _SHOWN else said[:_SHOWN] + '...'}",
        reason=reason,
        not_before=when,
        usage_json=usage.model_dump_json() if usage else "",
    )
