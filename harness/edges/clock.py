"""The system's time."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """Satisfies `doors.clock.Clock`."""

    def now(self) -> datetime:
        """The time, aware, in UTC."""
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        """Sleep; a negative wait is none."""
        time.sleep(max(0.0, seconds))

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()
