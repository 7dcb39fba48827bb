"""A work tree that cannot be made, or is gone half-way: an error of the run and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.rehearsal.models import edit, on, say, shell
from tests.stories.conftest import Play
from tests.stories.moments import Moments, before
from tests.stories.scripts import CART, PRICES, TIMES, implements, told

pytestmark = pytest.mark.slow


def test_a_tree_that_is_taken_away_under_an_agent_is_no_deletion_of_everything(play: Play) -> None:
    moments = Moments()
    edits, ends = implements()
    looks = moments.during("implement", lambda _: say(edit(CART, PRICES, TIMES)))
    stage = play(told(on("implement *", say(shell("ls")), looks, edits, ends)))

    def take_away() -> None:
        (tree,) = stage.state.glob("git/*/trees/*-implement-*")
        shutil.rmtree(tree)

    with moments.at("during implement", take_away):
        assert stage.run() == 3

    assert stage.reports[1].reason.endswith("is gone or was never finished")
    assert "harness/issue-1" not in stage.branches
    assert stage.run() == 0
    assert stage.outcomes == {1: "approved"}


def test_what_was_not_pushed_is_asked_for_again_where_the_mirror_is_damaged(play: Play) -> None:
    stage = play(told())
    stage.only(1)

    def damage() -> None:
        (mirror,) = stage.state.glob("git/*/mirror.git")
        shutil.rmtree(mirror / "objects")

    with before("push", damage):
        assert stage.run() == 3
    asked = len(stage.briefs("implement *"))

    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    assert len(stage.briefs("implement *")) == asked + 1
    assert len(list(stage.state.glob("git/*/mirror.git.damaged-*"))) == 1


def test_a_tree_that_cannot_be_made_stops_its_item_and_the_next_run_goes_on(play: Play) -> None:
    stage = play(told())

    def place() -> Path:
        (mirror,) = stage.state.glob("git/*/mirror.git")
        return mirror / "worktrees"

    def block() -> None:
        place().rename(place().with_name("away"))
        place().touch()

    with before("implement", block):
        assert stage.run() == 3

    assert "work tree" in stage.reports[1].reason
    assert stage.briefs("implement *") == []
    place().unlink()
    place().with_name("away").rename(place())
    assert stage.run() == 0
