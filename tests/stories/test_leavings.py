"""What an implementer leaves: a reason, nothing, or what only a person may commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.rehearsal.models import Act, create, edit, on, shell
from tests.stories.conftest import Play
from tests.stories.scripts import CART, PRICES, TIMES, declines, implements, told
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

MEND = edit(CART, PRICES, TIMES)


def test_an_implementer_may_find_nothing_worth_doing_and_the_issue_is_told_once(
    play: Play,
) -> None:
    stage = play(told(on("implement *", *declines("`total` counts quantities since 1.2."))))

    assert stage.run() == 0
    assert stage.run() == 0

    assert stage.outcomes == {1: "declined"}
    assert [("since 1.2" in said) for said in stage.comments(1)] == [True]
    assert len(stage.briefs("implement *")) == 1
    assert stage.item(1).state == "open"


def test_a_word_from_the_maintainer_has_it_looked_at_again(play: Play) -> None:
    again = on("implement * round 0", *declines(), model="claude-*")
    stage = play(told(again))
    assert stage.run() == 0

    stage.say(1, "It does not: `test_quantities_count` fails.")
    stage.run()

    assert len(stage.briefs("implement *")) == 2
    assert "It does not" in stage.briefs("implement *")[1]


def test_an_implementer_who_changes_nothing_calls_a_person(play: Play) -> None:
    nothing = [*implements(shell("true")), *implements()[1:]]
    stage = play(told(on("implement *", *nothing)))

    assert stage.run() == 1
    assert stage.run() == 1

    assert stage.outcomes == {1: "no_change"}
    assert "harness: needs a person" in stage.labels(1)
    assert len(stage.briefs("implement *")) == 1
    assert "harness/issue-1" not in stage.branches


@pytest.mark.parametrize(
    ("left", "why"),
    [
        (create(".github/workflows/ci.yml", "on: push\n"), ".github/workflows/ci.yml"),
        (create(".gitattributes", "*.py filter=x\n"), ".gitattributes"),
        (shell("mkdir -p sub/.git && git init -q sub 2>&1 | tail -1"), "sub"),
        (shell("mkfifo pipe"), "pipe"),
        (shell("ln -s /etc/passwd users"), "users"),
    ],
    ids=["workflow", "attributes", "repository", "pipe", "link out"],
)
def test_what_only_a_person_may_commit_is_kept_and_nothing_is_pushed(
    play: Play, left: Act, why: str
) -> None:
    stage = play(told(on("implement *", *implements(MEND, left))))

    assert stage.run() == 1

    reason = stage.reports[1].reason
    assert stage.outcomes == {1: "escalated"}
    assert f"claude left what only a person may commit: {why}" in reason
    assert TIMES in (_kept_tree(stage) / CART).read_text()
    assert str(_kept_tree(stage)) in reason
    assert "harness/issue-1" not in stage.branches
    assert "harness: needs a person" in stage.labels(1)
    assert stage.run() == 1
    assert len(stage.briefs("implement *")) == 1


def test_a_word_from_a_person_has_the_change_written_anew_without_it(play: Play) -> None:
    stage = play(
        told(on("implement *", *implements(MEND, create(".github/workflows/ci.yml", "on: push\n"))))
    )
    assert stage.run() == 1

    stage.say(1, "Leave the workflows alone, please.")
    stage.run()

    assert len(stage.briefs("implement *")) == 2


def _kept_tree(stage: Stage) -> Path:
    (tree,) = stage.state.glob("git/*/trees/*-implement-*")
    return tree
