"""What an agent is told of secrets in its change: where they stand and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from harness.facts.leaks import Leak
from harness.rules.leaks import leak_line

_WHY = "Nothing is pushed, because there is a secret in what would be:"
_WHAT = (
    "Take each out. A sample that a test needs is built from parts that look like none. "
    "The commits that hold them are replaced by yours and never pushed."
)


def leaks_told(leaks: Sequence[Leak]) -> str:
    """All places, never a value."""
    return "\n".join([_WHY, *(leak_line(one) for one in leaks), _WHAT])
