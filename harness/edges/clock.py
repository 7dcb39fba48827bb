"""The machine's clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.doors.clock import Clock


class SystemClock:
    """Real time; a wait is measured by a clock that nobody can set."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))

    def monotonic(self) -> float:
        return time.monotonic()


if TYPE_CHECKING:

    def _satisfy(clock: SystemClock) -> Clock:
        return clock
