"""Benches: a sandbox made for one exchange or one check, and taken away after it."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from harness.edges.workbench import bwrap
from harness.edges.workbench.limits import (
    describe_limits,
    is_alive,
    limited,
    own_name,
    sweep_groups,
)
from harness.edges.workbench.running import Finished, run_watched
from harness.errors import WorkbenchError
from harness.facts.settings import LimitSettings, SandboxSettings
from harness.facts.trees import Tree
from harness.facts.workbench import Command, Ran

_FLOOR = 64_000_000  # bytes of free disk below which commands are stopped whatever they wrote


@dataclass(frozen=True)
class BwrapWorkbench:
    """Satisfies `doors.workbench.Workbench` with bubblewrap."""

    settings: SandboxSettings
    limits: LimitSettings
    scratch: Path
    """A folder of ours, outside every repository, for overlays and private homes."""
    builds: Path
    """A folder of ours for the layers that setup commands made."""
    readonly: tuple[str, ...]
    """Shown read-only: the mirror that the trees belong to."""
    mask: Callable[[str], str]

    @contextmanager
    def open(
        self, tree: Tree, mode: Literal["write", "overlay"], *, layers: tuple[str, ...] = ()
    ) -> Iterator[_Bench]:
        """A bench; what an overlay took in is thrown away at exit."""
        place = self._make_place()
        try:
            yield _Bench(self, bwrap.find_bwrap(), self._layout(tree, mode, place, layers))
        finally:
            _remove(place)

    def layer(self, key: str) -> str | None:
        """The layer that was built under this key."""
        path = self.builds / key
        return str(path) if path.is_dir() else None

    def build(self, tree: Tree, command: Command, key: str) -> Ran:
        """Run a setup command and keep what it wrote as a layer, if it ended well."""
        place = self._make_place()
        try:
            bench = _Bench(self, bwrap.find_bwrap(), self._layout(tree, "overlay", place, ()))
            ran = bench.run(command)
            if ran.exit == 0:
                _keep(place, self.builds / key)
            return ran
        finally:
            _remove(place)

    def old_layers(self, before: datetime) -> tuple[str, ...]:
        """By when the layer's folder was filled."""
        folders = sorted(self.builds.iterdir()) if self.builds.is_dir() else []
        return tuple(path.name for path in folders if path.stat().st_mtime < before.timestamp())

    def drop_layer(self, key: str) -> None:
        """Remove the layer of this key."""
        _remove(self.builds / key)

    def leftovers(self) -> tuple[str, ...]:
        """Scratch places whose process is gone."""
        places = sorted(self._root().glob("bench-*-*"))
        return tuple(place.name for place in places if not is_alive(place.name))

    def probe(self) -> str:
        """Why no sandbox can be made here; "" when it can."""
        try:
            with tempfile.TemporaryDirectory(dir=self._root()) as name:
                tree = Tree(repo_id=0, path=name, head="")
                self._own(Path(name))
                with self.open(tree, "overlay") as bench:
                    ran = bench.run(Command(argv=("true",), seconds=20))
        except (WorkbenchError, OSError) as error:
            return str(error)
        return "" if ran.exit == 0 else f"bubblewrap does not work here: {ran.output.strip()[:300]}"

    def sweep(self) -> None:
        """Remove what killed processes left: scratch places and limit groups."""
        for name in self.leftovers():
            _remove(self.scratch / name)
        sweep_groups()

    def describe(self) -> str:
        """One line for `doctor`."""
        who = f"uid {self.settings.uid}" if bwrap.is_root() else "a user namespace"
        return f"bubblewrap ({bwrap.find_bwrap()}) as {who}; {describe_limits()}"

    def _layout(self, tree: Tree, mode: str, place: Path, layers: tuple[str, ...]) -> bwrap.Layout:
        return bwrap.Layout(
            tree=tree.path,
            mode=mode,
            scratch=place,
            readonly=(*self.readonly, *bwrap.toolchains(self.settings.paths)),
            layers=layers,
            tmp_bytes=self.settings.tmp_bytes,
            uid=self.settings.uid,
            path=bwrap.search_path(self.settings.paths),
        )

    def _root(self) -> Path:
        self.scratch.mkdir(parents=True, exist_ok=True, mode=0o711)
        return self.scratch

    def _make_place(self) -> Path:
        place = self._root() / own_name("bench")
        place.mkdir(mode=0o711)
        for name in ("up", "work", "home", "home-work"):
            (place / name).mkdir()
            self._own(place / name)
        return place

    def _own(self, path: Path) -> None:
        if bwrap.is_root():
            os.chown(path, self.settings.uid, self.settings.uid)


@dataclass(frozen=True)
class _Bench:
    """One open bench."""

    workbench: BwrapWorkbench
    program: str
    layout: bwrap.Layout

    def run(self, command: Command) -> Ran:
        """Run to its end or its limit; nothing of it survives."""
        limits = self.workbench.limits
        network = command.network and self.workbench.settings.network == "setup"
        ceilings = bwrap.Ceilings(
            cpu_seconds=int(command.seconds * 2) + 10,
            file_bytes=limits.disk_bytes,
            processes=limits.processes * 2,
        )
        argv = bwrap.command_line(
            self.program, self.layout, ceilings, command.argv, network=network
        )
        with limited(limits.memory_bytes, limits.processes) as held:
            done = run_watched(
                argv,
                stdin=command.stdin,
                seconds=command.seconds,
                output_bytes=limits.result_bytes,
                limits=held,
                disk_passed=_disk_watch(self.layout.scratch, limits.disk_bytes),
            )
        _clear_work(self.layout)
        return _told(done, self.workbench.mask)


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
                disk_passed=_disk_watch(Path(self.where), limits.disk_bytes),
            )
        return _told(done, self.workbench.mask)


def _told(done: Finished, mask: Callable[[str], str]) -> Ran:
    said = f"\n[stopped: over the limit of {done.stopped_by}]\n" if done.stopped_by else ""
    return Ran(
        exit=done.exit,
        output=mask(done.output) + said,
        seconds=done.seconds,
        stopped_by=done.stopped_by,
    )


def _disk_watch(where: Path, limit: int) -> Callable[[], bool]:
    """Whether the disk shrank by more than `limit` since now, or is nearly full."""
    start = _free(where)

    def passed() -> bool:
        free = _free(where)
        return start - free > limit or (free < _FLOOR and free < start)

    return passed


def _free(where: Path) -> int:
    stat = os.statvfs(where)
    return stat.f_bavail * stat.f_frsize


def _clear_work(layout: bwrap.Layout) -> None:
    """Overlays want an empty work directory each time they are mounted."""
    for name in ("work", "home-work"):
        shutil.rmtree(layout.scratch / name / "work", ignore_errors=True)


def _keep(place: Path, into: Path) -> None:
    """Move what a setup command wrote to its layer, whole or not at all."""
    fresh = into.with_name(f"{into.name}.new-{place.name}")
    fresh.mkdir(parents=True)
    shutil.move(place / "up", fresh / "tree")
    shutil.move(place / "home", fresh / "home")
    with contextlib.suppress(OSError):
        fresh.rename(into)
    _remove(fresh)


def _remove(place: Path) -> None:
    """Remove a place even where a command took away our right to."""

    def allow(function: Callable[..., object], path: str, _error: object) -> None:
        with contextlib.suppress(OSError):
            Path(path).parent.chmod(0o700)
            if not Path(path).is_symlink():
                Path(path).chmod(0o700)
            function(path)

    shutil.rmtree(place, onerror=allow)
