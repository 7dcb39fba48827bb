"""The pace of outbound writes: a locked file, shared by all processes, holds when the last was."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from harness.doors.clock import Clock

_APART = timedelta(seconds=1)  # GitHub asks for a second between writes of one credential


class FilePace:
    """Satisfies `doors.pace.Pace`; the kernel frees the lock of a dead process."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the lock, then for the second to pass."""
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            self._wait_after(os.pread(fd, 64, 0).decode("ascii", "replace"))
            yield
            os.pwrite(fd, self._clock.now().isoformat().ljust(40).encode("ascii"), 0)
        finally:
            os.close(fd)

    def _wait_after(self, stamp: str) -> None:
        try:
            last = datetime.fromisoformat(stamp.strip())
        except ValueError:
            return
        left = last + _APART - self._clock.now()
        if timedelta(0) < left <= _APART:
            self._clock.wait(left.total_seconds())
