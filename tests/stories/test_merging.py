"""With auto_merge a pull request is merged when everything is known and good, and only then."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from harness.rehearsal.models import edit, on
from tests.stories.conftest import Play
from tests.stories.scripts import CART, PRICES, TIMES, implements, reviews, told
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow


def _merging(stage: Stage) -> Stage:
    stage.set("[loop]\n", "[loop]\nauto_merge = true\n")
    return stage


def test_an_approved_pull_request_is_merged_at_the_head_that_was_reviewed(play: Play) -> None:
    stage = _merging(play(told()))

    assert stage.run() == 0

    assert stage.outcomes == {1: "merged"}
    assert TIMES in stage.text(CART, "main")
    merges = [one for one in stage.forge.writes if str(one["path"]).endswith("/merge")]
    assert [json.loads(str(one["body"]))["sha"] for one in merges] == [stage.item(5).pull.head_sha]
    assert stage.item(1).state == "closed"
    assert stage.run() == 0
    assert len(stage.briefs("triage *")) == 1


def _to_draft(stage: Stage) -> None:
    stage.forge.people.set_draft(stage.slug, "ada", 5, draft=True)


def _no_squash(stage: Stage) -> None:
    repository = stage.forge.forge.repository(stage.slug)
    assert repository is not None
    repository.allow_squash = False


@pytest.mark.parametrize("act", [_to_draft, _no_squash], ids=["draft", "method"])
def test_what_a_person_did_since_the_review_keeps_it_from_being_merged(
    play: Play, act: Callable[[Stage], None]
) -> None:
    stage = play(told())
    assert stage.run() == 0
    act(stage)

    assert _merging(stage).run() == 0

    assert stage.outcomes == {1: "approved"}
    assert stage.item(5).state == "open"


def test_an_approving_review_without_a_word_lets_it_merge(play: Play) -> None:
    stage = play(told())
    assert stage.run() == 0
    stage.forge.people.review(stage.slug, "ada", 5, "APPROVE")

    assert _merging(stage).run() == 0

    assert stage.outcomes == {1: "merged"}
    assert len(stage.briefs("review *")) == 1


def test_a_strangers_word_leaves_merging_to_people_and_holds_nothing_else_up(play: Play) -> None:
    stage = play(told())
    assert stage.run() == 0
    stage.forge.people.review(stage.slug, "mallory", 5, "REQUEST_CHANGES", "No.")

    assert _merging(stage).run() == 0

    assert stage.outcomes == {1: "approved"}
    assert stage.item(5).state == "open"


def test_a_change_to_what_the_project_says_needs_a_person(play: Play) -> None:
    more = edit("AGENTS.md", "# Working here", "# How to work here")
    stage = _merging(play(told(on("implement *", *implements(edit(CART, PRICES, TIMES), more)))))

    stage.run()

    assert stage.item(5).state == "open"
    assert "AGENTS.md" not in stage.text("AGENTS.md", "main")
    assert stage.text("AGENTS.md", "main").startswith("# Working here")


def test_without_a_check_nothing_is_merged(play: Play) -> None:
    stage = _merging(play(told()))
    stage.set('check = "python3 -m unittest -q"\n', "")

    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    assert stage.item(5).state == "open"


def test_what_was_not_reviewed_is_not_approved(play: Play) -> None:
    left_out = [{"path": CART, "reason": "too long"}]
    stage = _merging(play(told(reviews(1, not_reviewed=left_out))))

    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert f"the review left out: {CART} (too long)" in stage.reports[1].reason
    stage.say(5, "It is nine lines.")
    assert stage.run() == 0
    assert stage.outcomes == {1: "approved"}


def test_what_was_opened_as_a_draft_is_taken_out_of_it_when_it_is_approved(play: Play) -> None:
    stage = play(told(reviews(1, not_reviewed=[{"path": CART, "reason": "too long"}])))
    stage.set("[loop]\n", "[loop]\ndrafts = true\n")
    assert stage.run() == 1
    assert stage.item(5).pull.draft

    stage.say(5, "Look at it, please.")
    assert stage.run() == 0
    assert not stage.item(5).pull.draft

    stage.forge.people.set_draft(stage.slug, "ada", 5, draft=True)
    stage.push({"NOTES.md": "More to come.\n"})
    assert stage.run() == 0
    assert stage.item(5).pull.draft
