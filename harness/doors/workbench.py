"""The sandboxed place where commands run."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime
from typing import Literal, Protocol

from harness.facts.trees import Tree
from harness.facts.workbench import Command, Ran


class Bench(Protocol):
    """A place made for one exchange or one check, with its own HOME and /tmp."""

    def run(self, command: Command) -> Ran:
        """Run to its end or its limit; nothing of it survives. WorkbenchError when it cannot."""
        ...


class Workbench(Protocol):
    """Makes benches."""

    def open(
        self, tree: Tree, mode: Literal["write", "overlay"], *, layers: tuple[str, ...] = ()
    ) -> AbstractContextManager[Bench]:
        """A bench on this tree; an overlay is thrown away at exit; `layers` are laid below it."""
        ...

    def layer(self, key: str) -> str | None:
        """The layer that was built under this key, None when there is none."""
        ...

    def build(self, tree: Tree, command: Command, key: str) -> Ran:
        """Run a setup command with its own HOME and, where allowed, the network.

        What it wrote is kept as the layer `key` if it ended with 0.
        """
        ...

    def old_layers(self, before: datetime) -> tuple[str, ...]:
        """The keys of layers that were made before then, unfinished ones too."""
        ...

    def drop_layer(self, key: str) -> None:
        """Remove a layer that no open bench lies on."""
        ...

    def leftovers(self) -> tuple[str, ...]:
        """The names of places that killed processes left, which `sweep` removes."""
        ...

    def probe(self) -> str:
        """Why no sandbox can be made here; "" when it can."""
        ...

    def sweep(self) -> None:
        """Remove what killed processes left behind."""
        ...

    def describe(self) -> str:
        """One line for `doctor`: which sandbox, and how memory, processes and disk are limited."""
        ...
