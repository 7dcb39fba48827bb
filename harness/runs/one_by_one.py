"""What several threads of a command need once: one makes it, the others wait for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock


@dataclass(frozen=True)
class OneByOne:
    """A lock for each name; shared by all threads of one command."""

    locks: dict[str, Lock] = field(default_factory=dict)

    def alone(self, name: str) -> Lock:
        """Held by whoever makes the thing of this name."""
        return self.locks.setdefault(name, Lock())
