"""A vendor's answer heard to its end, and what goes wrong on the way in our errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from harness.doors.clock import Clock
from harness.edges.sse import decode_events
from harness.edges.told import Json
from harness.edges.vendor import failure, never_sent
from harness.facts.money import Usage


class Stream(Protocol):
    """What collects the events of one answer."""

    @property
    def ended(self) -> bool:
        """Whether the last event was taken."""

    def take(self, event: Json) -> None:
        """Add one event; VendorError by an error event, Unreadable by an odd one."""

    def usage(self) -> Usage | None:
        """What was used as far as it is told; None where nobody knows."""


def hear(
    pieces: Iterable[bytes], stream: Stream, clock: Clock, *, vendor: str, seconds: float
) -> None:
    """Take each event up to the last; VendorError unreachable when they do not end in time.

    What may come after it, a connection that breaks or never ends, is not waited for.
    """
    ends = clock.monotonic() + seconds
    for event in decode_events(pieces):
        stream.take(event)
        if stream.ended:
            return
        if clock.monotonic() > ends:
            raise failure(vendor, "no end", "unreachable", usage=stream.usage())


@contextmanager
def translated(
    stream: Stream, *, vendor: str, cut: type[Exception], other: type[Exception]
) -> Iterator[None]:
    """VendorError for a connection that failed and for an answer that cannot be read.

    `cut` and `other` are what the vendor's SDK raises for the first, and for anything at all.
    """
    import httpx2

    try:
        yield
    except (cut, httpx2.HTTPError) as error:
        said = f"no connection ({error.__cause__ or error})"
        used = stream.usage() or never_sent(error)
        raise failure(vendor, said, "unreachable", usage=used) from error
    except (ValueError, RecursionError, other) as error:
        said = f"an answer that cannot be read ({error})"
        raise failure(vendor, said, "unexpected", usage=stream.usage()) from error
