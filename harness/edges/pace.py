"""The pace of outbound writes: a locked file, shared by all processes, tells when the last was.

Where the forge asked to wait it also tells until when, and how often in a row it asked.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from harness.doors.clock import Clock
from harness.edges.private import told_as
from harness.errors import ForgeError, StoreError

_APART = timedelta(seconds=1)  # GitHub asks for a second between writes of one credential
_AT_LEAST = timedelta(seconds=60)  # after a limit, doubling with each in a row
_AT_MOST = timedelta(hours=1)
_SIZE = 256  # bytes, more than three values need


@dataclass(frozen=True)
class _Last:
    """What the file says: the last attempt, until when all wait, limits in a row."""

    at: datetime | None = None
    until: datetime | None = None
    limits: int = 0


class FilePace:
    """Satisfies `doors.pace.Pace`; the kernel frees the lock of a dead process."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the lock, then for the second to pass."""
        with told_as(StoreError, self._path):
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            last = _read(fd)
            self._wait_after(last)
            try:
                yield
            except ForgeError as error:
                error.not_before = self._hold(fd, last, error)
                raise
            _write(fd, _Last(self._clock.now()))
        finally:
            os.close(fd)

    def _wait_after(self, last: _Last) -> None:
        if last.at is None:
            return
        now = self._clock.now()
        if last.until is not None and last.at <= now < last.until:
            raise ForgeError(
                f"GitHub asked to wait with writes until {last.until:%Y-%m-%d %H:%M:%S} UTC",
                reason="rate_limited",
                not_before=last.until,
            )
        left = last.at + _APART - now
        if timedelta(0) < left <= _APART:
            self._clock.wait(left.total_seconds())

    def _hold(self, fd: int, last: _Last, error: ForgeError) -> datetime | None:
        """Note how it ended; when to come back."""
        now = self._clock.now()
        if error.reason != "rate_limited":
            _write(fd, _Last(now))
            return error.not_before
        growing = min(_AT_LEAST * 2**last.limits, _AT_MOST)
        until: datetime = max(error.not_before or now, now + growing)
        _write(fd, _Last(now, until, min(last.limits + 1, 10)))
        return until


def _read(fd: int) -> _Last:
    """An empty or damaged file says nothing."""
    try:
        at, until, limits = os.pread(fd, _SIZE, 0).decode("ascii", "replace").split()
        return _Last(
            datetime.fromisoformat(at),
            None if until == "-" else datetime.fromisoformat(until),
            int(limits),
        )
    except ValueError:
        return _Last()


def _write(fd: int, last: _Last) -> None:
    assert last.at is not None
    until = last.until.isoformat() if last.until else "-"
    line = f"{last.at.isoformat()} {until} {last.limits}"
    os.pwrite(fd, line.ljust(_SIZE).encode("ascii"), 0)
