"""A plain run looks again once what a person was called for has mended, and is silent before."""

from __future__ import annotations

import pytest

from harness.rehearsal.models.faults import Overloaded
from tests.stories.conftest import Play
from tests.stories.reviewing import PULL, go, open_change
from tests.stories.scripts import told
from tests.stories.stage import Stage
from tests.stories.test_forge_checks import CI, GREEN, PENDING, guard, run_ci

pytestmark = pytest.mark.slow

CHECK = 'check = "python3 -m unittest -q"\n'
UNTIL_IT_IS_GIVEN_UP = 6
LABEL = "harness: needs a person"


def stays_silent(stage: Stage) -> None:
    """A plain run finds nothing new: it writes nothing, pays nothing, and says the same."""
    written, said, spent = len(stage.forge.writes), stage.reports[1], len(stage.models.requests)

    assert stage.run() == 1

    assert len(stage.forge.writes) == written
    assert stage.reports[1] == said
    assert len(stage.models.requests) == spent


def test_a_check_that_ends_after_all(play: Play) -> None:
    stage = play(told())
    guard(stage, CI)
    done: list[bool] = []
    run_ci(stage, lambda *_: GREEN if done else PENDING)
    assert stage.run() == 1
    stays_silent(stage)

    done.append(True)

    assert stage.run() == 0
    assert stage.outcomes == {1: "approved"}
    assert LABEL not in stage.labels(5)
    assert len(stage.briefs("review *")) == 1


def test_a_check_that_can_run_after_all(play: Play) -> None:
    stage = play(told())
    stage.set(CHECK, 'check = "no-such-command"\n')
    assert stage.run() == 1
    assert "`check` or `setup`" in stage.comments(1)[0]
    stays_silent(stage)

    stage.set('check = "no-such-command"\n', CHECK)

    assert stage.run() == 0
    assert stage.outcomes == {1: "approved"}
    assert LABEL not in stage.labels(1)


def test_a_vendor_that_is_reached_after_all(play: Play) -> None:
    stage = play(told())
    open_change(stage)
    stage.set("[loop]\n", "[loop]\nmax_tries = 1\n")
    stage.models.fail(Overloaded(), times=UNTIL_IT_IS_GIVEN_UP + 3)
    codes = [go(stage)]
    while codes[-1] == 3:
        stage.pass_time(hours=1)
        codes.append(stage.resume())
    written, said = len(stage.forge.writes), stage.reports[PULL]
    stage.pass_time(hours=1)
    assert (codes[-1], stage.resume()) == (1, 3)
    assert len(stage.forge.writes) == written
    assert "overloaded" in said.reason

    stage.pass_time(hours=1)

    assert stage.resume() == 0
    assert stage.outcomes == {PULL: "approved"}
    assert LABEL not in stage.labels(PULL)
