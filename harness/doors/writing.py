"""Writing to the outside: only the outbox, its edges and the wiring may import this door."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from harness.facts.intents import Intent, Receipt


class Writing(Protocol):
    """One attempt at a write, and the question whether it already happened.

    The body of the write already carries the hidden marker where its kind has one.
    """

    def deliver(self, intent: Intent) -> Receipt:
        """Make the write once. Raises ForgeError or GitError."""
        ...

    def read_back(self, intent: Intent) -> Receipt | None:
        """The receipt if the write has taken effect, else None. Never by search (writes.md)."""
        ...

    def unmet(self, intent: Intent) -> str:
        """Why the preconditions do not hold any more; "" when they do."""
        ...

    def forge_time(self) -> datetime:
        """The Date header last seen."""
        ...
