"""In a child only: kill -9 at a row, around the one function that all writes to the store go by."""

from __future__ import annotations

import itertools
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from harness.edges.store.pen import Pen
from harness.rehearsal.clock import RehearsalClock
from harness.runs.outbox import FIRST_LOOK
from tests.kills.points import row_names

PATIENCE = 10.0  # seconds
REPEATS = """
SELECT 1 FROM exchanges x WHERE x.result = '' AND 1 < (
  SELECT count(*) FROM journal j WHERE j.exchange = x.id AND j.row = 'asked' AND j.seq > (
    SELECT coalesce(max(h.seq), 0) FROM journal h WHERE h.exchange = x.id AND h.row <> 'asked'))
"""


@dataclass(frozen=True)
class Kill:
    """Dies at the `nth` commit of a new row whose name fits `row`, before or after it.

    `waiting`: dies instead where it would wait, for the `nth` time, to see whether a write landed.
    """

    row: str = "*"
    nth: int = 1
    when: Literal["before", "after", "waiting"] = "after"


@dataclass
class Hook:
    """Counts the rows that were not there when this process began."""

    kill: Kill
    seen: set[str]
    met: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)  # triage writes from two threads

    def look(self, database: sqlite3.Connection, when: str) -> None:
        """Die if this is the row."""
        if when != self.kill.when:
            return
        with self.lock:
            new = row_names(database) - self.seen
            self.seen |= new
            self.met += any(fnmatchcase(name, self.kill.row) for name in new)
            if self.met >= self.kill.nth:
                if when == "after":
                    _let_repeats_be_heard(database)
                die()


def install(kill: Kill, seen: frozenset[str]) -> None:
    """From now on every transaction of this process is looked at."""
    if kill.when == "waiting":
        _die_waiting(kill.nth)
        return
    hook, whole = Hook(kill, set(seen)), Pen.writing

    @contextmanager
    def writing(pen: Pen) -> Iterator[None]:
        outermost = not pen.database.conn.in_transaction and not is_copy(pen)
        with whole(pen):
            yield
            if outermost:
                hook.look(pen.database.conn, "before")
        if outermost:
            hook.look(pen.database.conn, "after")

    Pen.writing = writing  # type: ignore[method-assign] - in a child that is about to die


def is_copy(pen: Pen) -> bool:
    """The records of a dry run go with it: its rows are no progress."""
    return Path(pen.path).parent.name.startswith("dry-")


def die() -> None:
    """As the machine would: nothing is caught, nothing is flushed."""
    os.kill(os.getpid(), signal.SIGKILL)


def _die_waiting(nth: int) -> None:
    waits = itertools.count(1)
    wait = RehearsalClock.wait

    def waiting(clock: RehearsalClock, seconds: float) -> None:
        if seconds >= FIRST_LOOK and next(waits) == nth:
            die()
        wait(clock, seconds)

    RehearsalClock.wait = waiting  # type: ignore[method-assign] - in a child that is about to die


def _let_repeats_be_heard(database: sqlite3.Connection) -> None:
    """No kill in the middle of a request that is the repeat of one that was killed.

    Of the two threads of a triage one is killed in the middle of a request wherever the other one
    writes a row: each request may be lost so once.
    """
    until = time.monotonic() + PATIENCE
    while database.execute(REPEATS).fetchone() and time.monotonic() < until:
        time.sleep(0.002)
