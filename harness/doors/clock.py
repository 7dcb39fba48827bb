"""Time."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The time, and waiting for it. In a rehearsal waiting advances the rehearsal's own time."""

    def now(self) -> datetime:
        """The time, aware, in UTC."""
        ...

    def wait(self, seconds: float) -> None: ...

    def monotonic(self) -> float:
        """Seconds for measuring how long something took; always real."""
        ...
