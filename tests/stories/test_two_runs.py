"""Two processes on one store: each item is worked by one of them, and the other says so."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from harness.rehearsal.models import Question, Said, edit, on, say, shell
from harness.rules.forge_names import triage_lease
from harness.runs.sweep import triage_repo
from harness.wiring import REHEARSAL
from tests.stories.conftest import Play
from tests.stories.scripts import implements, told
from tests.stories.stage import SECRETS, Stage

pytestmark = pytest.mark.slow

WAITS = "while [ ! -e go-on ]; do sleep 0.05; done; rm go-on"
"""A command that ends when the test says so."""


@contextmanager
def _another_run(stage: Stage) -> Iterator[subprocess.Popen[str]]:
    """`harness run` in a process of its own."""
    config = stage.root / "harness.toml"
    config.write_text(stage.config)
    environ = {**os.environ, **SECRETS, REHEARSAL: stage.forge.base}
    command = [sys.executable, "-m", "harness", "run", "--quiet", "--config", str(config)]
    process = subprocess.Popen(
        command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_one_works_an_item_and_the_other_says_so_and_goes_on(play: Play) -> None:
    begun = threading.Event()

    def begin(_: Question) -> Said:
        begun.set()
        return say(shell(WAITS))

    first, rest = implements()
    stage = play(
        told(
            on("implement *#1 *", begin, first, rest),
            on("implement *#3 *", *implements(edit("README.md", "# shop", "# Shop"))),
        ),
        1,
        3,
    )

    with _another_run(stage) as other:
        assert begun.wait(60)
        code = stage.run()
        (tree,) = stage.state.glob("git/*/trees/*-1-implement-*")
        (tree / "go-on").touch()
        said, trouble = other.communicate(timeout=60)

    assert code == 3
    assert stage.outcomes == {1: "waiting", 3: "approved"}
    assert stage.reports[1].reason == "another harness process works #1 right now"
    assert (other.returncode, trouble) == (0, "")
    assert "#1  approved" in said
    assert [stage.item(number).pull is not None for number in (5, 6)] == [True, True]
    assert len(stage.briefs("implement *")) == 2
    assert len(stage.briefs("triage *")) == 1


@contextmanager
def _another_triages(stage: Stage) -> Iterator[None]:
    """Another process holds the lease of triage."""
    with stage.store() as store:
        now = stage.house().clock.now()
        lease = store.claim(triage_lease(store.repos()[0].id), now)
        assert lease is not None
        yield
        store.release(lease)


def test_while_another_triages_what_is_decided_is_worked(play: Play) -> None:
    readme = on("implement *#3 *", *implements(edit("README.md", "# shop", "# Shop")))
    stage = play(told(readme), 1, 3)
    stage.forge.people.close(stage.slug, "ada", 3)
    stage.tell("triage", lambda desk: triage_repo(desk).reports)
    stage.forge.people.reopen(stage.slug, "ada", 3)

    with _another_triages(stage):
        code = stage.run()

    assert code == 3
    assert stage.outcomes == {0: "waiting", 1: "approved"}
    assert stage.reports[0].reason == "another harness process works triage right now"
    assert len(stage.briefs("triage *")) == 1
    assert stage.run() == 0
    assert stage.outcomes == {1: "approved", 3: "approved"}
