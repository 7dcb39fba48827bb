"""One write at a time per credential, at least a second apart, whatever runs in parallel."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol


class Pace(Protocol):
    """Held around one attempt at a write; entering waits for its turn."""

    def turn(self) -> AbstractContextManager[None]: ...
