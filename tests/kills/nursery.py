"""The warmed parent as a test sees it: hand in a job, hear how its child ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from harness.facts.intents import Precondition, Write
from harness.wiring import REHEARSAL
from tests.kills.hook import Kill
from tests.kills.warm import Job
from tests.stories.stage import SECRETS, Stage

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds


@dataclass(frozen=True)
class Ended:
    """How one child ended; `orphans` still ran long after it, `orphaned` says how long in all."""

    pid: int
    exit: int
    seconds: float
    orphaned: float
    orphans: tuple[str, ...]

    @property
    def killed(self) -> bool:
        """Whether it died as it was meant to."""
        return self.exit == -signal.SIGKILL


class Nursery:
    """A context manager around the process `python -m tests.kills.warm`."""

    def __enter__(self) -> Self:
        """Start it; the first job waits until it is warm."""
        self._parent = subprocess.Popen(
            [sys.executable, "-m", "tests.kills.warm"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """It ends with its standard input."""
        self._parent.communicate()

    def run(self, stage: Stage, kill: Kill | None = None, *words: str) -> Ended:
        """`harness run -q`, or other words, in a child of its own, killed at a row."""
        return self._do(_job(stage, kill) | ({"words": words} if words else {}))

    def run_until(self, stage: Stage, there: Callable[[], object], *, bury: bool = True) -> Ended:
        """`harness run` in a child of its own, killed from outside once something is there.

        Unless told to `bury`, what it left running goes on beside the next child.
        """
        return self._do(_job(stage, None) | {"bury": bury}, there)

    def write(
        self, stage: Stage, write: Write, needs: Precondition, kill: Kill | None = None
    ) -> Ended:
        """One write through the outbox in a child of its own; exit 0 when it is delivered."""
        given = {"write": write.model_dump(mode="json"), "needs": needs.model_dump(mode="json")}
        return self._do(_job(stage, kill) | given)

    def _do(self, job: Job, there: Callable[[], object] | None = None) -> Ended:
        assert self._parent.stdin is not None
        self._parent.stdin.write(json.dumps(job) + "\n")
        self._parent.stdin.flush()
        pid = self._hear()["pid"]
        if there is not None:
            wait_until(there)
            with contextlib.suppress(ProcessLookupError):  # it ended by itself
                os.kill(pid, signal.SIGKILL)
        told = self._hear()
        return Ended(pid, told["exit"], told["seconds"], told["orphaned"], tuple(told["left"]))

    def _hear(self) -> Job:
        assert self._parent.stdout is not None
        told: Job = json.loads(self._parent.stdout.readline())
        return told


def execute(stage: Stage, there: Callable[[], object] | None = None) -> Ended:
    """The real command, executed anew; killed from outside once something is there."""
    path = _config(stage)
    began = time.monotonic()
    with said(stage).open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "harness", "run", "-q", "--config", str(path)],
            env=environ(stage),
            cwd=ROOT,
            stdout=out,
            stderr=out,
        )
    if there is not None:
        wait_until(there)
        process.kill()
    code = process.wait(PATIENCE)
    return Ended(process.pid, code, time.monotonic() - began, 0.0, ())


def wait_until(there: Callable[[], object]) -> None:
    """Look until it is there."""
    until = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.002)


def environ(stage: Stage) -> dict[str, str]:
    """What a process of this stage has around it; its temporary files lie on the stage."""
    tmp = stage.root / "tmp"
    tmp.mkdir(exist_ok=True)
    around = {**os.environ, **SECRETS, REHEARSAL: stage.forge.base, "TMPDIR": str(tmp)}
    return around | stage.environ


def said(stage: Stage) -> Path:
    """What all children of a stage printed."""
    return stage.root / "said.txt"


def _job(stage: Stage, kill: Kill | None) -> Job:
    return {
        "config": str(_config(stage)),
        "state": str(stage.state),
        "environ": environ(stage),
        "said": str(said(stage)),
        "imported": str(stage.root / "imported.txt"),
        "words": ("run", "-q"),
        "bury": True,
        "kill": asdict(kill) if kill else None,
        "write": None,
        "needs": None,
    }


def _config(stage: Stage) -> Path:
    path = stage.root / "harness.toml"
    path.write_text(stage.config)
    return path
