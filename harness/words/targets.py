"""What a thing of the forge is called in a line."""

from __future__ import annotations

from harness.facts.intents import Write

_TARGETS = ("number", "branch", "sha", "name", "title", "ref")


def named(repo: str, item: int) -> str:
    """`o/calc#12`, or the repository alone where no item is meant."""
    return f"{repo}#{item}" if item else repo


def target_of(write: Write) -> str:
    """What a write is about, in one word: `#12`, a branch, the beginning of a commit."""
    for name in _TARGETS:
        value = getattr(write, name, "")
        if value:
            return f"#{value}" if name == "number" else str(value)[: 12 if name == "sha" else None]
    return ""
