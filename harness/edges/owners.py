"""Names that say which process made a thing, so that what a killed one left can be told apart.

PREFIX-PID-BEGUN-RANDOM      numbers of processes are used again, BEGUN (since boot) tells apart
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from uuid import uuid4

_PARTS = 4
_BEGUN = 19  # field 22 of /proc/PID/stat, counted from the state
_FLAGS = 6  # field 9
_KERNEL_THREAD = 0x00200000  # PF_KTHREAD of the kernel's include/linux/sched.h
_DEAD = frozenset("ZX")
_STARTING = 2.0  # seconds for an exec to end
_BURIAL = 5.0  # seconds for the kernel to take a killed process down


def own_name(prefix: str) -> str:
    """A name that nothing else has; `prefix` holds no dash."""
    pid = os.getpid()
    return f"{prefix}-{pid}-{_begun(pid)}-{uuid4().hex[:12]}"


def is_alive(name: str) -> bool:
    """Whether the process that made this name still lives; a name of another form is not ours."""
    parts = name.split("-")
    if len(parts) != _PARTS or not parts[1].isdigit():
        return True
    return _begun(int(parts[1])) == parts[2]


def end_those_in(places: Iterable[Path]) -> None:
    """Kill every sandbox that was started over one of these places, and see it gone.

    A sandbox that was just being started when its harness was killed has not yet asked to die with
    it: bwrap may wait for ever then, or run its command to the end.
    """
    marks = [os.fsencode(place) for place in places]
    if marks:
        started = [(pid, said) for pid, said in _command_lines() if b"bwrap" in said]
        end(pid for pid, said in started if any(mark in said for mark in marks))


def end(pids: Iterable[int]) -> None:
    """Kill processes that we started, and wait until they are gone."""
    begun = {pid: _begun(pid) for pid in pids}
    for pid in begun:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + _BURIAL
    while any(_lives(pid, at) for pid, at in begun.items()) and time.monotonic() < until:
        time.sleep(0.002)


def _command_lines() -> Iterator[tuple[int, bytes]]:
    """What every process was started with; one amid its exec is waited for."""
    pids = {int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()}
    until = time.monotonic() + _STARTING
    while pids:
        for pid in sorted(pids):
            if said := _command_line(pid):
                yield pid, said
            if said or not _is_starting(pid):
                pids.discard(pid)
        if time.monotonic() > until:
            return
        time.sleep(0.002)


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _is_starting(pid: int) -> bool:
    """Whether a process without words may still get some: no thread of the kernel, not dead."""
    stat = _stat(pid)
    return bool(stat) and stat[0] not in _DEAD and not int(stat[_FLAGS]) & _KERNEL_THREAD


def _begun(pid: int) -> str:
    """Clock ticks between boot and the start of this process, "" when there is none."""
    stat = _stat(pid)
    return stat[_BEGUN] if stat else ""


def _lives(pid: int, begun: str) -> bool:
    """Whether this very process is more than a line in its parent's books."""
    stat = _stat(pid)
    return bool(stat) and stat[_BEGUN] == begun and stat[0] not in _DEAD


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on (proc(5), field 3), none when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
