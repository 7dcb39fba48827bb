"""A `setup` that fails: the operator is told, no item suffers, and it is not run for ever."""

from __future__ import annotations

import json

import pytest

from harness.rehearsal.demo.story import MAINTAINER
from tests.stories.conftest import Play
from tests.stories.reviewing import CHECK
from tests.stories.scripts import told
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

SETUP = 'setup = "test -e ready.txt || { echo cannot find libtea; exit 4; }"\n'


def tries(stage: Stage) -> list[int]:
    with stage.store() as store:
        return [row["tries"] for row in store._records.rows("SELECT tries FROM builds")]


def test_a_setup_that_fails_is_told_and_given_up_until_something_changes(
    play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = play(told())
    called = stage.root / "called"
    stage.set(CHECK, f"{SETUP}{CHECK}")
    stage.set("[loop]\n", "[loop]\nmax_tries = 2\n")
    stage.config += f"\n[notify]\ncommand = {json.dumps(['tee', '-a', str(called)])}\n"
    before = (stage.said, stage.labels(1))

    codes = [stage.run() for _ in range(3)]

    said = capsys.readouterr().err
    assert codes == [3, 2, 2]
    assert stage.outcomes == {1: "waiting"}
    assert tries(stage) == [2]
    assert (stage.said, stage.labels(1)) == before
    assert stage.models.requests == ()
    assert "in 2 tries (exit 4: cannot find libtea); mend `setup` under [[repos]]" in said
    assert "\n    cannot find libtea\n" in said
    assert called.read_text().count("failed at") == 1

    stage.forge.people.commit(stage.slug, MAINTAINER, "main", {"ready.txt": "yes"}, "Add libtea")
    assert stage.run() == 0
    assert stage.outcomes == {1: "approved"}


def test_an_issue_that_is_named_tries_it_again(play: Play) -> None:
    stage = play(told())
    stage.set(CHECK, f"{SETUP}{CHECK}")
    stage.set("[loop]\n", "[loop]\nmax_tries = 1\n")

    codes = [stage.run(), stage.run(), stage.run(1)]

    assert codes == [2, 2, 2]
    assert tries(stage) == [2]
