"""Killed in the middle of something that goes on outside: a command, git, a request, a post."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from harness.rehearsal.github.handling import Request, Response
from harness.rehearsal.models import Question, Said, say, shell
from harness.rehearsal.models.faults import Slow
from tests.kills.comparing import Telling, leftovers, tell
from tests.kills.conftest import NewStage
from tests.kills.nursery import Nursery
from tests.kills.tales import INTERRUPTED, tell_short
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow


def _sleep_once(asked: Question) -> Said:
    """A command that would take a minute; after it was interrupted, its traces are removed."""
    if INTERRUPTED in asked.last:
        return say(shell("cat started && rm started"))
    return say(shell("echo half > started; sleep 60; echo whole > started"))


def test_a_command_dies_with_the_harness_and_its_agent_is_told(
    nursery: Nursery, new_stage: NewStage, calm_short: Telling
) -> None:
    stage = new_stage(tell_short(_sleep_once))

    killed = nursery.run_until(stage, lambda: list(stage.state.glob("git/*/trees/*/started")))
    ended = nursery.run(stage)

    assert killed.killed
    assert killed.orphaned < 5
    told = tell(stage)
    assert told.differs_from(calm_short) == ""
    assert told.repeated() == {}
    assert leftovers(stage, [killed, ended]) == []
    heard = [one.question.last for one in stage.models.requests if one.question]
    assert [text for text in heard if text.startswith(INTERRUPTED)]
    assert "half" in "".join(heard)


@pytest.mark.parametrize("verb", ["fetch", "worktree", "commit-tree", "update-ref", "push"])
def test_git_goes_on_beside_the_next_start_and_does_no_harm(
    nursery: Nursery, new_stage: NewStage, calm_short: Telling, verb: str
) -> None:
    stage = new_stage(tell_short())
    held = _hold_git(stage, verb)

    killed = nursery.run_until(stage, held.exists, bury=False)
    ended = nursery.run(stage)

    assert killed.killed
    told = tell(stage)
    assert told.differs_from(calm_short) == ""
    assert told.repeated() == {}
    assert leftovers(stage, [killed, ended]) == []


@pytest.mark.parametrize("headline", ["implement *", "review * round 1"])
def test_a_request_that_was_under_way_is_paid_and_made_once_more(
    nursery: Nursery, new_stage: NewStage, calm_short: Telling, headline: str
) -> None:
    stage = new_stage(tell_short())
    stage.models.fail(Slow(5), headline=headline)

    killed = nursery.run_until(stage, lambda: any(one.fault for one in stage.models.requests))
    ended = nursery.run(stage)

    assert killed.killed
    told = tell(stage)
    assert told.differs_from(calm_short) == ""
    assert list(told.repeated().values()) == [1]
    assert leftovers(stage, [killed, ended]) == []
    assert _paid_unheard(stage) == 1


@pytest.mark.parametrize("path", ["/issues/2/comments", "/pulls", "/issues/5/comments"])
def test_a_post_whose_answer_nobody_heard_is_found(
    nursery: Nursery, new_stage: NewStage, calm_short: Telling, path: str
) -> None:
    stage = new_stage(tell_short())
    taken, over = _hold_post(stage, path)

    killed = nursery.run_until(stage, taken.is_set)
    over.set()
    ended = nursery.run(stage)

    assert killed.killed
    told = tell(stage)
    assert told.differs_from(calm_short) == ""
    assert leftovers(stage, [killed, ended]) == []


def _hold_git(stage: Stage, verb: str) -> Path:
    """From now on the first git command of this kind waits a while; what is there once it waits."""
    folder = stage.root / "bin"
    folder.mkdir()
    held, program = folder / "held", folder / "git"
    script = f"""\
#!/bin/sh
for word; do
  [ "$word" = {verb} ] && mkdir {held} 2>/dev/null && sleep 1.5
done
exec {shutil.which("git")} "$@"
"""
    program.write_text(script)
    program.chmod(0o755)
    stage.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    return held


def _hold_post(stage: Stage, path: str) -> tuple[threading.Event, threading.Event]:
    """The first write to this path is made and not answered, until the second event."""
    taken, over = threading.Event(), threading.Event()

    def hold(request: Request, _response: Response) -> None:
        if request.method == "POST" and request.path.endswith(path) and not taken.is_set():
            taken.set()
            over.wait(30)

    stage.forge.observe(hold)
    return taken, over


def _paid_unheard(stage: Stage) -> int:
    """Requests whose whole reserve counts as spent."""
    database = sqlite3.connect(stage.state / "store.db")
    try:
        sql = "SELECT count(*) FROM reserves WHERE state = 'spent' AND NOT usage_known"
        return int(database.execute(sql).fetchone()[0])
    finally:
        database.close()
