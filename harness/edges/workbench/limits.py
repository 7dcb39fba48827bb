"""Limits on memory and processes: a cgroup where one can be made, else a watcher.

A wrapper that forks between us and bwrap would survive a kill of ours, so the wrapper here only
execs: it writes its own pid into the cgroup, then becomes the command.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Protocol

from harness.edges.owners import end, is_alive, own_name

Stopped = Literal["", "time", "memory", "processes", "disk", "output"]

_V1 = Path("/sys/fs/cgroup")
_BURIAL = 5.0  # seconds
_JOIN = 'for f in $1; do echo $$ > "$f" || exit 125; done; shift; exec "$@"'


class Limits(Protocol):
    """How memory and processes of one command are held."""

    def wrap(self, argv: list[str]) -> list[str]:
        """The command that puts itself under the limits, then becomes `argv`."""
        ...

    def hit(self) -> Stopped:
        """Which limit was hit, "" when none was."""
        ...

    def watched(self, pid: int) -> Stopped:
        """Asked now and then while it runs: which limit is passed right now."""
        ...


class Cgroup:
    """cgroup v1 memory and pids, or one v2 group."""

    def __init__(self, groups: dict[str, Path], *, unified: bool) -> None:
        self._groups = groups
        self._unified = unified

    def wrap(self, argv: list[str]) -> list[str]:
        joins = " ".join(str(path / "cgroup.procs") for path in self._groups.values())
        return ["/bin/sh", "-c", _JOIN, "sh", joins, *argv]

    def hit(self) -> Stopped:
        if self._count(
            "memory", "memory.events" if self._unified else "memory.oom_control", "oom_kill"
        ):
            return "memory"
        if self._count("pids", "pids.events", "max"):
            return "processes"
        return ""

    def watched(self, pid: int) -> Stopped:  # noqa: ARG002 - the kernel watches
        return ""

    def remove(self) -> None:
        """Take the groups away as soon as the kernel has buried what was killed in them."""
        for path in set(self._groups.values()):
            _remove_soon(path)

    def _count(self, group: str, file: str, key: str) -> int:
        try:
            lines = (self._groups[group] / file).read_text().splitlines()
        except OSError:
            return 0
        return next((int(n) for name, n in (line.split() for line in lines) if name == key), 0)


class Watcher:
    """Sums the memory and counts the processes of a process tree, twice a second."""

    def __init__(self, memory: int, processes: int) -> None:
        self._memory = memory
        self._processes = processes
        self._hit: Stopped = ""

    def wrap(self, argv: list[str]) -> list[str]:
        return argv

    def hit(self) -> Stopped:
        return self._hit

    def watched(self, pid: int) -> Stopped:
        pids = _descendants(pid)
        if len(pids) > self._processes:
            self._hit = "processes"
        elif sum(_resident(one) for one in pids) > self._memory:
            self._hit = "memory"
        return self._hit


@contextmanager
def limited(memory: int, processes: int) -> Iterator[Limits]:
    """Limits in bytes and processes for one command."""
    groups = _make_groups(memory, processes)
    if groups is None:
        yield Watcher(memory, processes)
        return
    try:
        yield groups
    finally:
        groups.remove()


def sweep_groups() -> None:
    """Remove the groups of harness processes that were killed, and what still runs in them."""
    for path in _left_groups():
        with contextlib.suppress(OSError):
            end(int(pid) for pid in (path / "cgroup.procs").read_text().split())
        _remove_soon(path)


def _left_groups() -> list[Path]:
    found: set[Path] = set()
    for controller in ("", "memory", "pids"):
        with contextlib.suppress(OSError):
            found |= set(_own_group(controller).glob("harness-*-*"))
    return [path for path in sorted(found) if not is_alive(path.name)]


def describe_limits() -> str:
    """How limits are held here, for `doctor`."""
    groups = _make_groups(1 << 30, 64)
    if groups is None:
        return "memory and processes by a watcher (no cgroup can be made here)"
    groups.remove()
    return "memory and processes by cgroup, disk by a watcher"


def _remove_soon(path: Path) -> None:
    """Remove a group as soon as the kernel has buried what was killed in it."""
    until = time.monotonic() + _BURIAL
    while not _removed(path) and time.monotonic() < until:
        time.sleep(0.002)


def _removed(path: Path) -> bool:
    try:
        path.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _make_groups(memory: int, processes: int) -> Cgroup | None:
    name = own_name("harness")
    try:
        if (_V1 / "memory").is_dir() and (_V1 / "pids").is_dir():
            return _make_v1(name, memory, processes)
        return _make_v2(name, memory, processes)
    except OSError:
        return None


def _make_v1(name: str, memory: int, processes: int) -> Cgroup:
    groups = {kind: _own_group(kind) / name for kind in ("memory", "pids")}
    made = []
    try:
        for path in groups.values():
            path.mkdir()
            made.append(path)
        (groups["memory"] / "memory.limit_in_bytes").write_text(str(memory))
        (groups["pids"] / "pids.max").write_text(str(processes))
    except OSError:
        for path in made:
            path.rmdir()
        raise
    return Cgroup(groups, unified=False)


def _make_v2(name: str, memory: int, processes: int) -> Cgroup:
    path = _own_group("") / name
    path.mkdir()
    try:
        (path / "memory.max").write_text(str(memory))
        (path / "memory.oom.group").write_text("1")
        (path / "pids.max").write_text(str(processes))
    except OSError:
        path.rmdir()
        raise
    return Cgroup({"memory": path, "pids": path}, unified=True)


def _own_group(controller: str) -> Path:
    """The folder of our own cgroup under this v1 controller, or of v2 for ""."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, where = line.split(":", 2)
        if controller in names.split(",") if controller else not names:
            root = _V1 / controller if controller else _V1
            own = root / where.lstrip("/")
            return own if own.is_dir() else root
    raise OSError(f"no cgroup for {controller or 'v2'}")


def _descendants(pid: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for name in (path.name for path in Path("/proc").iterdir()):
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                stat = Path(f"/proc/{name}/stat").read_text()
                children.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(int(name))
    found, queue = [], [pid]
    while queue:
        one = queue.pop()
        found.append(one)
        queue.extend(children.get(one, ()))
    return found


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
