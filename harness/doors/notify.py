"""Calling a person beside the forge, and telling whoever watches what happens now."""

from __future__ import annotations

from typing import Protocol

from harness.facts.decisions import ItemReport


class Notify(Protocol):
    """Calls a person."""

    def call(self, report: ItemReport) -> None:
        """Tell a person that an item waits for them; failing to is logged, never raised."""
        ...


class Progress(Protocol):
    """What happens now, for the person who watches."""

    def step(self, item: int, text: str, *, round_: int = 0) -> None: ...

    def spent(self, item: int, tokens: int, micro_dollars: int) -> None: ...
