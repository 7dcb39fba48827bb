"""What people say on an approved pull request is looked at before it counts as approved again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.rehearsal.demo.story import MAINTAINER
from harness.rehearsal.models import edit
from tests.stories.conftest import Play
from tests.stories.scripts import CART, NEGATIVE, TIMES, finding, responds, reviews, told
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

WORDS = "A refund has a negative quantity: look at that again."


def _comment(stage: Stage) -> None:
    stage.say(5, WORDS)


def _on_the_issue(stage: Stage) -> None:
    stage.say(1, WORDS)


def _review(stage: Stage) -> None:
    stage.forge.people.review(stage.slug, MAINTAINER, 5, "COMMENT", WORDS)


def _note(stage: Stage) -> None:
    stage.forge.people.note(stage.slug, MAINTAINER, 5, CART, 8, WORDS)


@pytest.mark.parametrize("speak", [_comment, _on_the_issue, _review, _note])
def test_a_maintainers_word_is_reviewed_and_not_merged_over(
    play: Play, speak: Callable[[Stage], None]
) -> None:
    stage = play(told())
    assert stage.run() == 0
    head = stage.item(5).pull.head_sha
    speak(stage)
    stage.set("[loop]\n", "[loop]\nauto_merge = true\n")

    assert stage.run() == 0

    briefs = stage.briefs("review *")
    assert [WORDS in brief for brief in briefs] == [False, True]
    assert "Removed from the pull request" not in briefs[1]
    assert stage.outcomes == {1: "approved"}
    assert stage.item(5).state == "open"
    assert f"Merging is left to people, since {MAINTAINER} wrote about it" in stage.comments(5)[0]
    ours = [one.state for one in stage.statuses if one.sha == head]
    assert ours == ["success", "pending", "success"]

    before = stage.said
    assert stage.run() == 0
    assert stage.said == before
    assert len(stage.briefs("review *")) == 2


def test_what_a_word_is_right_about_is_mended_before_it_is_approved(play: Play) -> None:
    mend = edit(CART, TIMES, f"{TIMES}\n    assert whole >= 0")
    stage = play(told(reviews(2, finding()), responds(2, mend)))
    assert stage.run() == 0
    _note(stage)

    assert stage.run() == 0

    (answered,) = stage.briefs("respond *")
    assert f'what="inline note by {MAINTAINER} (administers it)' in answered
    assert stage.states == {NEGATIVE: "fixed"}
    assert stage.outcomes == {1: "approved"}


def test_strangers_bots_and_drafts_set_nothing_going(play: Play) -> None:
    stage = play(told())
    assert stage.run() == 0
    people = stage.forge.people
    people.join("helper", kind="Bot")
    people.review(stage.slug, "mallory", 5, "REQUEST_CHANGES", "No.")
    people.note(stage.slug, "mallory", 5, CART, 8, "No.")
    stage.say(5, "@harness run it again", "mallory")
    stage.say(5, "Coverage fell.", "helper")
    note = {"path": CART, "line": 8, "body": "Not said yet."}
    people.review(stage.slug, MAINTAINER, 5, "", "Not said yet.", notes=[note])
    before = stage.said

    assert stage.run() == 0

    assert stage.said == before
    assert stage.outcomes == {1: "approved"}
    assert len(stage.briefs("review *")) == 1


def test_whoever_asked_for_changes_is_heard_and_then_asked(play: Play) -> None:
    stage = play(told())
    assert stage.run() == 0
    stage.forge.people.review(stage.slug, MAINTAINER, 5, "REQUEST_CHANGES", WORDS)

    assert stage.run() == 1

    assert WORDS in stage.briefs("review *")[1]
    assert f"{MAINTAINER} asked for changes" in stage.reports[1].reason
    assert stage.statuses[-1].state == "failure"
    assert "harness: needs a person" in stage.labels(5)

    stage.forge.people.review(stage.slug, MAINTAINER, 5, "APPROVE")
    assert stage.run() == 0
    assert stage.outcomes == {1: "approved"}
    assert stage.statuses[-1].state == "success"
    assert len(stage.briefs("review *")) == 2


def test_a_machine_user_starts_no_review_and_stops_no_merge(play: Play) -> None:
    stage = play(told())
    stage.set("[github]\n", '[github]\nbots = ["CLA-Assistant"]\n')
    stage.forge.people.join("cla-assistant")
    stage.forge.people.allow(stage.slug, "cla-assistant", "write")
    assert stage.run() == 0
    stage.say(5, "All contributors have signed.", "cla-assistant")
    stage.forge.people.review(stage.slug, "cla-assistant", 5, "REQUEST_CHANGES", "Sign first.")
    stage.set("[loop]\n", "[loop]\nauto_merge = true\n")

    assert stage.run() == 0

    assert len(stage.briefs("review *")) == 1
    assert stage.outcomes == {1: "merged"}


def test_an_issue_or_a_label_of_a_machine_user_allows_no_code(play: Play) -> None:
    stage = play(told(), 3)
    stage.set("[github]\n", '[github]\nbots = ["mirror"]\n')
    stage.forge.people.join("mirror")
    stage.forge.people.allow(stage.slug, "mirror", "write")
    stage.forge.people.open_issue(stage.slug, "mirror", "Another", "Please.")
    stage.forge.people.label(stage.slug, "mirror", 5, "harness: go")

    stage.run()

    assert stage.outcomes[5] == "parked"
    assert "harness/issue-5" not in stage.branches
