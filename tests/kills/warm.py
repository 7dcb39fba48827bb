"""A warmed parent: what children import is imported once, then each job is a forked child.

    python -m tests.kills.warm      one JSON job a line on stdin, two JSON lines on stdout for each:
                                    {"pid"} when its child has begun, {"exit", ...} when it ended

It runs no thread, so that forking it is safe, and it is the subreaper of its children: whatever a
killed child leaves running is seen here.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any

PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 10.0  # seconds for what a killed child started to come to its end

Job = dict[str, Any]  # Any: JSON from the test's process


def main() -> None:
    """Do jobs until there are no more."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for line in sys.stdin:
        job = json.loads(line)
        began = time.monotonic()
        child = _fork(job)
        _tell(pid=child)
        _, status = os.waitpid(child, 0)
        ended = time.monotonic()
        left = _wait_for_orphans() if job["bury"] else []
        _tell(
            exit=os.waitstatus_to_exitcode(status),
            seconds=ended - began,
            orphaned=time.monotonic() - ended,
            left=left,
        )
        _learn(Path(job["imported"]))


def _tell(**told: Any) -> None:
    print(json.dumps(told), flush=True)  # noqa: T201 - this is how it talks


def _fork(job: Job) -> int:
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        _speak_into(job["said"])
        code = importlib.import_module("tests.kills.jobs").do(job)
        Path(job["imported"]).write_text("\n".join(sys.modules))
    except BaseException:  # noqa: BLE001 - a child never returns into its parent
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _speak_into(path: str) -> None:
    """Nothing to read, and a file for what is printed: the pipes are the parent's."""
    null = os.open(os.devnull, os.O_RDONLY)
    said = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for number, handle in enumerate((null, said, said)):
        os.dup2(handle, number)


def _wait_for_orphans() -> list[str]:
    """Bury what is left of a child; what still lives after a while is named."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return []
        if pid == 0:
            time.sleep(0.002)
    listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ") for pid in listed]


def _learn(path: Path) -> None:
    """Import what a child that ended by itself had imported, for those that follow."""
    if not path.exists():
        return
    for name in path.read_text().split():
        if name not in sys.modules:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    path.unlink()


if __name__ == "__main__":
    main()
