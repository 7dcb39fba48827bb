"""What a child does: the ordinary command, in a process that may die at a row."""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path

from pydantic import TypeAdapter

from harness.cli import main
from harness.cli.progress import QuietProgress
from harness.config import load_config
from harness.edges.store import SqliteStore
from harness.facts.intents import Precondition, Write
from harness.runs.desk import Desk
from harness.wiring import Calling, House, open_desk, open_house
from tests.kills.hook import Kill, install
from tests.kills.points import row_names
from tests.kills.warm import Job

WRITE: TypeAdapter[Write] = TypeAdapter(Write)


def do(job: Job) -> int:
    """Do one job; returns the exit code."""
    os.environ.update(job["environ"])
    if job["kill"]:
        install(Kill(**job["kill"]), _rows_there(Path(job["state"], "store.db")))
    if job["write"]:
        return _deliver(open_house(load_config(Path(job["config"]))), job)
    sys.argv = ["harness", *job["words"], "--config", job["config"]]
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def _deliver(house: House, job: Job) -> int:
    """Make one write as a run would that is told again after a kill: 0 when it is delivered."""
    calling = Calling(run_id="run", started=house.clock.now())
    with open_desk(house, house.settings.repos[0], calling, QuietProgress()) as desk:
        desk.trees.sync()
        desk.outbox.finish_open(desk.repo_id, 1)
        return 0 if _write(desk, job) == "delivered" else 1


def _write(desk: Desk, job: Job) -> str:
    intent = desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=1,
        purpose=job["write"]["kind"],
        write=WRITE.validate_python(job["write"]),
        why="a test wants it",
        needs=Precondition.model_validate(job["needs"]),
    )
    return intent.state


def _rows_there(path: Path) -> frozenset[str]:
    SqliteStore.open(path).close()
    database = sqlite3.connect(path)
    try:
        return row_names(database)
    finally:
        database.close()
