"""Running one sandboxed command: its output kept in bounds, its time and its disk watched.

`--die-with-parent` follows the thread that started the command, so the same thread waits for it.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from harness.edges.private import told_as
from harness.edges.workbench.limits import Limits, Stopped
from harness.errors import WorkbenchError
from harness.facts.workbench import Ran

_CHUNK = 65_536
_TICK = 0.25  # seconds between looks at the clock and the limits
_MOST_OUTPUT = 200_000_000  # bytes read and thrown away before a command is stopped for shouting
_CHILD = re.compile(rb'"child-pid"\s*:\s*(\d+)')
_GRACE = 5.0  # seconds for the kernel to take everything down


@dataclass
class Kept:
    """The head and the tail of an output, within `limit` bytes."""

    limit: int
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    total: int = 0

    def add(self, chunk: bytes) -> None:
        """Keep what still fits in front, and the newest behind."""
        self.total += len(chunk)
        room = self.limit // 2 - len(self.head)
        if room > 0:
            self.head += chunk[:room]
            chunk = chunk[room:]
        self.tail += chunk
        if len(self.tail) > self.limit:
            del self.tail[: len(self.tail) - self.limit // 2]

    def text(self) -> str:
        """The output, its middle left out aloud where it was too much."""
        tail = bytes(self.tail)
        if len(self.head) + len(tail) > self.limit:
            tail = tail[-(self.limit // 2) :]
        left_out = self.total - len(self.head) - len(tail)
        cut = f"\n[... {left_out} bytes left out ...]\n".encode() if left_out > 0 else b""
        return (bytes(self.head) + cut + tail).decode("utf-8", "replace")


@dataclass(frozen=True)
class Finished:
    """What is left of a command: `exit` is 128 + signal when it was killed."""

    exit: int
    output: str
    seconds: float
    stopped_by: Stopped


class StatusPipe:
    """What bwrap tells of itself (`--json-status-fd`): the pid of its namespace's first process."""

    def __init__(self) -> None:
        self._reading, self.writing = os.pipe()

    def wait_for_burial(self) -> None:
        """Wait until the kernel has taken the whole namespace down."""
        os.close(self.writing)
        with os.fdopen(self._reading, "rb") as pipe:
            told = _CHILD.search(pipe.read(_CHUNK))
        until = time.monotonic() + _GRACE
        while told and _lives(int(told[1])):
            if time.monotonic() > until:
                raise WorkbenchError("what a command started in the sandbox could not be killed")
            time.sleep(0.001)


def _lives(pid: int) -> bool:
    """A first process that only waits to be reaped has outlived its whole namespace."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in {"Z", "X"}


def run_watched(
    argv: list[str],
    *,
    stdin: str,
    seconds: float,
    output_bytes: int,
    limits: Limits,
    disk_passed: Callable[[], bool],
    status: StatusPipe | None = None,
) -> Finished:
    """Run `argv` to its end or its limit; everything it started is gone when this returns.

    `status` is where bwrap tells the first process of its pid namespace: once that one is gone,
    nothing of the namespace lives. Raises WorkbenchError when it cannot be started or killed.
    """
    began = time.monotonic()
    kept = Kept(output_bytes)
    with _as_file(stdin) as given:
        try:
            process = subprocess.Popen(
                limits.wrap(argv),
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={"PATH": "/usr/bin:/bin"},
                pass_fds=(status.writing,) if status else (),
                start_new_session=True,
            )
        except OSError as error:
            raise WorkbenchError(f"the sandbox cannot be started: {error}") from error
        stopped: Stopped = ""
        try:
            stopped = _read(process, kept, began + seconds, limits, disk_passed)
        finally:
            _take_down(process)
            if status:
                status.wait_for_burial()
    code = process.returncode
    return Finished(
        exit=128 - code if code < 0 else code,
        output=kept.text(),
        seconds=time.monotonic() - began,
        stopped_by=stopped or (limits.hit() if code else ""),
    )


def _as_file(stdin: str) -> IO[bytes]:
    with told_as(WorkbenchError, Path(tempfile.gettempdir())):
        given = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
        given.write(stdin.encode("utf-8", "surrogateescape"))
        given.seek(0)
    return given


def _read(
    process: subprocess.Popen[bytes],
    kept: Kept,
    until: float,
    limits: Limits,
    disk_passed: Callable[[], bool],
) -> Stopped:
    """Read to the end of the output or the first limit."""
    stream = process.stdout
    if stream is None:
        raise WorkbenchError("the sandbox has no output")
    os.set_blocking(stream.fileno(), False)
    next_look = time.monotonic()
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while True:
            now = time.monotonic()
            if now >= until:
                return "time"
            if now >= next_look:
                stopped = limits.watched(process.pid) or ("disk" if disk_passed() else "")
                if stopped:
                    return stopped
                next_look = now + _TICK
            if selector.select(min(_TICK, until - now)):
                chunk = stream.read(_CHUNK)
                if chunk == b"":
                    break
                kept.add(chunk or b"")
                if kept.total > _MOST_OUTPUT:
                    return "output"
            elif process.poll() is not None:
                break
    left = until - time.monotonic()
    try:
        process.wait(timeout=max(left, 0.01))
    except subprocess.TimeoutExpired:
        return "time"
    return ""


def _take_down(process: subprocess.Popen[bytes]) -> None:
    """Kill bwrap; the kernel then kills everything in its pid namespace."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    try:
        process.wait(timeout=_GRACE)
    except subprocess.TimeoutExpired as error:
        raise WorkbenchError("a command in the sandbox could not be killed") from error
    finally:
        if process.stdout is not None:
            process.stdout.close()


def tell_end(done: Finished, mask: Callable[[str], str]) -> Ran:
    """How it ended, without secrets, the limit that stopped it said in its output."""
    said = f"\n[stopped: over the limit of {done.stopped_by}]\n" if done.stopped_by else ""
    return Ran(
        exit=done.exit,
        output=mask(done.output) + said,
        seconds=done.seconds,
        stopped_by=done.stopped_by,
    )
