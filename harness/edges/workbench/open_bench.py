"""No sandbox at all: only where the operator's own config says so."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from harness.edges.workbench.limits import limited
from harness.edges.workbench.places import watch_disk
from harness.edges.workbench.running import run_watched, tell_end
from harness.facts.settings import LimitSettings
from harness.facts.trees import Tree
from harness.facts.workbench import Command, Ran


@dataclass(frozen=True)
class OpenWorkbench:
    """No sandbox at all: only where the operator's own config says `kind = "none"`."""

    limits: LimitSettings
    mask: Callable[[str], str]
    built: set[str] = field(default_factory=set)

    @contextmanager
    def open(
        self,
        tree: Tree,
        mode: Literal["write", "overlay"],
        *,
        layers: tuple[str, ...] = (),  # noqa: ARG002 - nothing can be laid below
    ) -> Iterator[_OpenBench]:
        """A bench in the tree itself, or in a copy of it."""
        if mode == "write":
            yield _OpenBench(self, tree.path)
            return
        with tempfile.TemporaryDirectory() as name:
            copy = Path(name, "tree")
            shutil.copytree(tree.path, copy, symlinks=True)
            yield _OpenBench(self, str(copy))

    def layer(self, key: str) -> str | None:
        """Whether the setup command ran in this process's lifetime is not known: it runs again."""
        return key if key in self.built else None

    def build(self, tree: Tree, command: Command, key: str) -> Ran:
        """Run the setup command in the tree itself; there is no layer to keep."""
        ran = _OpenBench(self, tree.path).run(command)
        if ran.exit == 0:
            self.built.add(key)
        return ran

    def old_layers(self, before: datetime) -> tuple[str, ...]:  # noqa: ARG002 - there is none
        """Setup ran in the trees themselves."""
        return ()

    def drop_layer(self, key: str) -> None:
        """There is none."""

    def leftovers(self) -> tuple[str, ...]:
        """There are none that are known."""
        return ()

    def probe(self) -> str:
        """There is nothing that could be missing."""
        return ""

    def sweep(self) -> None:
        """Nothing is left behind that is known here."""

    def describe(self) -> str:
        """One line for `doctor` and every report."""
        return "NO SANDBOX: agents run commands as you, with your network and files"


@dataclass(frozen=True)
class _OpenBench:
    workbench: OpenWorkbench
    where: str

    def run(self, command: Command) -> Ran:
        """Run in the tree, limited in time and output, its process group killed at the end."""
        limits = self.workbench.limits
        argv = [
            "/usr/bin/env",
            "-C",
            self.where,
            "GIT_OPTIONAL_LOCKS=0",
            "GIT_PAGER=cat",
            *command.argv,
        ]
        with limited(limits.memory_bytes, limits.processes) as held:
            done = run_watched(
                argv,
                stdin=command.stdin,
                seconds=command.seconds,
                output_bytes=limits.result_bytes,
                limits=held,
                disk_passed=watch_disk((Path(self.where),), limits.disk_bytes),
            )
        return tell_end(done, self.workbench.mask)
