"""One write at a time per credential, at least a second apart, whatever runs in parallel."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol


class Pace(Protocol):
    """Held around one attempt at a write; entering waits for its turn."""

    def turn(self) -> AbstractContextManager[None]:
        """A turn. Raises ForgeError rate_limited, at once, while writes were asked to wait.

        A turn that ends in such an error holds all turns until its `not_before`, longer each time
        in a row: the error then names that.
        """
        ...
