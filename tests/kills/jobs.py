"""What a child does: the ordinary command, in a process that may die at a row."""

from __future__ import annotations

import sqlite3
import tomllib
from pathlib import Path

from pydantic import TypeAdapter

from harness.cli.progress import QuietProgress
from harness.cli.session import Call, tell_run
from harness.config import read_settings
from harness.facts.intents import Precondition, Write
from harness.runs.desk import Desk
from harness.runs.sweep import run_repo
from harness.wiring import Calling, House, open_desk, open_house
from tests.kills.hook import Kill, install
from tests.kills.points import row_names
from tests.kills.warm import Job

WRITE: TypeAdapter[Write] = TypeAdapter(Write)


def do(job: Job) -> int:
    """Do one job; returns the exit code."""
    settings = read_settings(tomllib.loads(job["config"]), "harness.toml")
    house = open_house(settings, job["environ"])
    if job["kill"]:
        install(Kill(**job["kill"]), _rows_there(house))
    if job["write"]:
        return _deliver(house, job)
    call = Call("run", frozenset(job["numbers"]), quiet=True)
    return tell_run(house, house.settings.repos, call, run_repo)


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


def _rows_there(house: House) -> frozenset[str]:
    house.open_store().close()
    database = sqlite3.connect(Path(house.settings.state) / "store.db")
    try:
        return row_names(database)
    finally:
        database.close()
