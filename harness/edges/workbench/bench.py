"""Benches: a sandbox made for one exchange or one check, and taken away after it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from harness.edges.owners import end_those_in, is_alive, own_name
from harness.edges.private import make_folder, told_as
from harness.edges.workbench import bwrap
from harness.edges.workbench.limits import describe_limits, limited, sweep_groups
from harness.edges.workbench.places import clear_work, keep_layer, remove_place, watch_disk
from harness.edges.workbench.running import StatusPipe, run_watched, tell_end
from harness.edges.workbench.showing import covers, search_path, toolchains
from harness.errors import WorkbenchError
from harness.facts.settings import LimitSettings, SandboxSettings
from harness.facts.trees import Tree
from harness.facts.workbench import Command, Ran


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
    private: tuple[str, ...] = ()
    """Never shown, wherever they lie: the state directory, the folder of the config."""

    @contextmanager
    def open(
        self, tree: Tree, mode: Literal["write", "overlay"], *, layers: tuple[str, ...] = ()
    ) -> Iterator[_Bench]:
        """A bench; what an overlay took in is thrown away at exit."""
        place = self._make_place()
        try:
            yield _Bench(self, bwrap.find_bwrap(), self._layout(tree, mode, place, layers))
        finally:
            remove_place(place)

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
                keep_layer(place, self.builds / key)
            return ran
        finally:
            remove_place(place)

    def old_layers(self, before: datetime) -> tuple[str, ...]:
        """By when the layer's folder was filled."""
        folders = sorted(self.builds.iterdir()) if self.builds.is_dir() else []
        return tuple(path.name for path in folders if path.stat().st_mtime < before.timestamp())

    def drop_layer(self, key: str) -> None:
        """Remove the layer of this key."""
        remove_place(self.builds / key)

    def leftovers(self) -> tuple[str, ...]:
        """Scratch places whose process is gone."""
        places = sorted(self._root().glob("bench-*-*"))
        return tuple(place.name for place in places if not is_alive(place.name))

    def probe(self) -> str:
        """Why no sandbox can be made here; "" when it can."""
        try:
            place = self._make_place()
            try:
                tree = Tree(repo_id=0, path=str(place / "home"), head="")
                with self.open(tree, "overlay") as bench:
                    ran = bench.run(Command(argv=("true",), seconds=20))
            finally:
                remove_place(place)
        except (WorkbenchError, OSError) as error:
            return str(error)
        if ran.exit == 0:
            return ""
        limit = f", over the limit of {ran.stopped_by}" if ran.stopped_by else ""
        said = ran.output.strip()[:300] or "it said nothing"
        return f"bubblewrap does not work here (`true` ended with exit {ran.exit}{limit}): {said}"

    def sweep(self) -> None:
        """Remove what killed processes left: processes, scratch places and limit groups."""
        places = [self.scratch / name for name in self.leftovers()]
        end_those_in(places)
        for place in (*places, *self._half_kept()):
            remove_place(place)
        sweep_groups()

    def _half_kept(self) -> list[Path]:
        """Layers that were being filled when their process was killed."""
        made = self.builds.glob("*.new-bench-*")
        return [path for path in made if not is_alive(path.name.partition(".new-")[2])]

    def describe(self) -> str:
        """One line for `doctor`."""
        who = f"uid {self.settings.uid}" if bwrap.is_root() else "a user namespace"
        return f"bubblewrap ({bwrap.find_bwrap()}) as {who}; {describe_limits()}"

    def _layout(self, tree: Tree, mode: str, place: Path, layers: tuple[str, ...]) -> bwrap.Layout:
        shown = toolchains(self.settings.paths)
        return bwrap.Layout(
            tree=tree.path,
            mode=mode,
            scratch=place,
            readonly=(*self.readonly, *shown),
            covered=covers(shown, self.private),
            layers=layers,
            tmp_bytes=self.settings.tmp_bytes,
            uid=self.settings.uid,
            path=search_path(self.settings.paths),
        )

    def _root(self) -> Path:
        make_folder(self.scratch)
        return self.scratch

    def _make_place(self) -> Path:
        with told_as(WorkbenchError, self.scratch):
            place = self._root() / own_name("bench")
            place.mkdir(mode=0o700)
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
        status = StatusPipe()
        argv = bwrap.command_line(
            self.program,
            self.layout,
            ceilings,
            command.argv,
            network=network,
            status_fd=status.writing,
        )
        with limited(limits.memory_bytes, limits.processes) as held:
            done = run_watched(
                argv,
                stdin=command.stdin,
                seconds=command.seconds,
                output_bytes=limits.result_bytes,
                limits=held,
                disk_passed=watch_disk(
                    (self.layout.scratch, Path(self.layout.tree)), limits.disk_bytes
                ),
                status=status,
            )
        clear_work(self.layout.scratch)
        return tell_end(done, self.workbench.mask)
