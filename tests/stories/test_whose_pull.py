"""Whose a pull request is: ours goes on, a person's is left alone, what a person closed is over."""

from __future__ import annotations

import pytest

from harness.errors import Refused
from harness.rehearsal.models import RateLimited, edit, on
from tests.stories.conftest import Play
from tests.stories.scripts import (
    CART,
    NEGATIVE,
    PRICES,
    TIMES,
    finding,
    implements,
    refute,
    responds,
    reviews,
    told,
)
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow


# -- ours ------------------------------------------------------------------------------------------
def test_an_issue_with_an_open_pull_request_of_ours_is_continued(play: Play) -> None:
    stage = play(told())
    stage.models.fail(RateLimited("7200"), headline="review *")
    assert stage.run() == 3
    assert stage.reports[1].not_before is not None

    stage.forge.wait(7300)
    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    assert len(stage.briefs("implement *")) == len(stage.briefs("triage *")) == 1


def test_an_issue_in_work_is_continued_whatever_is_said_on_it(play: Play) -> None:
    stage = play(told())
    assert stage.run() == 0

    stage.say(1, "Thanks!")
    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    assert len(stage.briefs("triage *")) == 1


# -- a person's ------------------------------------------------------------------------------------
def _opened_by_ada(stage: Stage) -> int:
    mended = stage.text(CART, "main").replace(PRICES, TIMES)
    stage.push({CART: mended}, branch="tea")
    return stage.forge.people.open_pull(stage.slug, "ada", "tea", "Count", "Fixes #1")


def test_an_issue_with_an_open_pull_request_of_a_person_is_left_alone(play: Play) -> None:
    stage = play(told())
    number = _opened_by_ada(stage)

    assert stage.run() == 0

    assert stage.outcomes == {1: "abandoned"}
    assert f"pull request #{number} by ada is open for it" in stage.reports[1].reason
    assert stage.models.requests == ()
    assert stage.forge.writes == []


def test_a_pull_request_that_a_person_closed_is_not_made_again_unless_they_insist(
    play: Play,
) -> None:
    stage = play(told())
    assert stage.run() == 0
    stage.forge.people.close(stage.slug, "ada", 5)
    asked = len(stage.models.requests)

    for numbers in ((), (), (1,)):
        assert stage.run(*numbers) == 0
        assert stage.outcomes == {1: "abandoned"}
        assert "#5 was closed by a person" in stage.reports[1].reason
    assert len(stage.models.requests) == asked

    assert stage.run(1, anyway=True) == 0
    assert stage.outcomes == {1: "approved"}
    assert stage.reports[1].pull == 6
    assert stage.item(6).pull.head_ref == "harness/issue-1-2"
    assert stage.run() == 0
    assert stage.outcomes == {1: "approved"}
    assert stage.reports[1].pull == 6


def test_a_second_attempt_that_was_only_begun_goes_on(play: Play) -> None:
    stage = play(told())
    assert stage.run() == 0
    stage.forge.people.close(stage.slug, "ada", 5)
    stage.models.fail(RateLimited("7200"), headline="implement *")
    assert stage.run(1, anyway=True) == 3

    stage.forge.wait(7300)
    assert stage.run() == 0

    assert stage.item(6).pull.head_ref == "harness/issue-1-2"
    assert len(stage.briefs("implement *")) == 2


def test_a_pull_request_that_a_person_opened_again_is_continued(play: Play) -> None:
    stage = play(told())
    assert stage.run() == 0
    stage.forge.people.close(stage.slug, "ada", 5)
    assert stage.run() == 0
    stage.forge.people.reopen(stage.slug, "ada", 5)

    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    assert stage.reports[1].pull == 5


# -- nobody's --------------------------------------------------------------------------------------
@pytest.mark.parametrize("begun", [False, True], ids=["before we begin", "after our commit"])
def test_a_branch_with_commits_that_are_not_ours_is_refused_with_what_to_do(
    play: Play, *, begun: bool
) -> None:
    stage = play(told())
    if begun:
        stage.forge.people.guard_branch(stage.slug, "harness/issue-1", by_rules=True)
        assert stage.run() == 1
        stage.forge.forge.repository(stage.slug).guards.clear()  # type: ignore[union-attr] # it is there
    tip = stage.push({"mine.py": "x = 1\n"}, branch="harness/issue-1")

    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert "the branch harness/issue-1 holds commits the harness did not make" in (
        stage.reports[1].reason
    )
    assert stage.branch_tip("harness/issue-1") == tip
    assert len(stage.briefs("implement *")) == int(begun)


# -- resume ----------------------------------------------------------------------------------------
def test_resume_goes_on_with_what_is_ours(play: Play) -> None:
    stage = play(told())
    stage.models.fail(RateLimited("7200"), headline="review *")
    assert stage.run() == 3
    stage.forge.wait(7300)

    assert stage.resume() == 0

    assert stage.outcomes == {1: "approved"}


def test_an_adopted_pull_request_is_checked_reviewed_and_mended_in_its_own_scope(
    play: Play,
) -> None:
    mend = edit("README.md", "# shop", "# Shop")
    stage = play(told(reviews(1, finding()), responds(1, refute(), mend)))
    number = _opened_by_ada(stage)

    with pytest.raises(Refused, match="--adopt"):
        stage.resume(number)
    assert stage.resume(number, adopt=True) == 0

    assert stage.outcomes == {number: "approved"}
    assert [one.scope for one in stage.standings.values()] == [f"pr:{number}"]
    assert stage.states == {NEGATIVE: "refuted"}
    assert stage.briefs("implement *") == stage.briefs("triage *") == []
    assert stage.text("README.md", "tea").startswith("# Shop")
    assert stage.resume() == 0
    assert stage.outcomes == {number: "approved"}


def test_what_may_not_be_adopted_is_refused_in_one_sentence(play: Play) -> None:
    stage = play(told())
    people = stage.forge.people
    fork = people.fork(stage.slug, "mallory")
    people.commit(fork, "mallory", "topic", {"x.py": "x = 1\n"}, "x")
    forked = people.open_pull(stage.slug, "mallory", "mallory:topic", "x")
    guarded = _opened_by_ada(stage)
    people.guard_branch(stage.slug, "tea")
    stage.push({"y.py": "y = 1\n"}, branch="closed")
    closed = people.open_pull(stage.slug, "ada", "closed", "y")
    people.close(stage.slug, "ada", closed)

    for number, why in (
        (forked, "comes from mallory/shop; only branches of this repository"),
        (guarded, "the branch tea of .* is protected"),
        (closed, "is closed; nothing was done"),
        (1, "is an issue; `harness run 1` works it"),
    ):
        with pytest.raises(Refused, match=why):
            stage.resume(number, adopt=True)

    assert stage.models.requests == ()
    assert stage.forge.writes == []


def test_what_was_settled_on_the_first_branch_is_a_precedent_on_the_second(play: Play) -> None:
    stage = play(
        told(
            on("implement *", *implements()),
            reviews(1, finding()),
            responds(1, refute()),
        )
    )
    assert stage.run() == 0
    stage.forge.people.close(stage.slug, "ada", 5)

    assert stage.run(1, anyway=True) == 0

    second = stage.briefs("review * round 1")[1]
    assert NEGATIVE in second.split("## Precedents")[1].split("# What you are given")[0]
    assert len(stage.briefs("respond *")) == 2
