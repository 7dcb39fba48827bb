"""What was said once is remembered: in other files, over pushes, when it comes back."""

from __future__ import annotations

import pytest

from harness.rehearsal.demo.story import MAINTAINER, STRANGER
from harness.rehearsal.models import edit, on
from tests.stories.conftest import Play
from tests.stories.reviewing import PULL, go, open_change
from tests.stories.scripts import (
    CART,
    GUARD,
    NEGATIVE,
    ORDER,
    PRICES,
    RIGHT,
    ROUNDING,
    TIMES,
    WRONG,
    Answer,
    finding,
    fixed,
    implements,
    refute,
    responds,
    reviews,
    rounding,
    told,
)
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

ELSEWHERE = "Lines of less than nothing can be made"


def _part(brief: str, title: str) -> str:
    """What a brief says right before a title: the opening of its part."""
    return brief.split(f"title: {title}", maxsplit=1)[0].rsplit("<data-", 1)[1]


def _push_elsewhere(stage: Stage, note: str, branch: str) -> None:
    stage.push({"README.md": f"# shop\n\n{note}\n"}, branch)


def test_refuted_in_one_file_and_raised_in_another_it_is_shown_as_precedent_to_both_and_new(
    play: Play,
) -> None:
    there = finding(ELSEWHERE, file=ORDER, line=16, quoted=GUARD)
    stage = play(
        told(
            reviews(1, finding()),
            responds(1, refute()),
            reviews(2, there),
            responds(2, refute(ELSEWHERE)),
        )
    )
    assert stage.run() == 0
    stage.push({ORDER: stage.text(ORDER) + "\n# the end\n"})

    assert stage.run() == 0

    (review,), (response,) = stage.briefs("review * round 2"), stage.briefs("respond * round 2")
    assert 'what="refuted, raised by gpt"' in _part(review, NEGATIVE)
    assert 'what="refuted, raised by gpt"' in _part(response, NEGATIVE)
    assert 'id="' not in _part(response, NEGATIVE)
    assert 'id="F1"' in _part(response, ELSEWHERE)
    assert stage.states == {NEGATIVE: "refuted", ELSEWHERE: "refuted"}
    assert stage.briefs("same *") == []


def test_refuted_in_one_pull_request_it_binds_nothing_in_another(play: Play) -> None:
    stage = play(told(reviews(1, finding()), responds(1, refute())))
    assert stage.run() == 0
    people = stage.forge.people
    changed = stage.text(CART, "main").replace(PRICES, TIMES)
    people.commit(stage.slug, MAINTAINER, "tea", {CART: changed}, "Count quantities")
    number = people.open_pull(stage.slug, MAINTAINER, "tea", "Count quantities")

    assert stage.resume(number, adopt=True) == 0

    review = stage.briefs(f"review *#{number} round 1")[0]
    assert NEGATIVE in review.split("## Precedents")[1].split("# What you are given")[0]
    assert NEGATIVE not in review.split("## Precedents")[0]
    response = stage.briefs(f"respond *#{number} round 1")[0]
    assert 'id="F1"' in response.split(f"title: {NEGATIVE}")[0]
    with stage.store() as store:
        every = store.list_standings(None, state=None, scope=None, limit=9)
    assert {(one.scope.split(":")[0], one.state.value) for one in every} == {
        ("branch", "refuted"),
        ("pr", "refuted"),
    }


def test_three_pushes_that_do_not_touch_the_line_leave_one_comment_in_total(play: Play) -> None:
    lesser = finding(severity="non-blocking")
    stage = play(told(*(reviews(round_, lesser) for round_ in range(1, 5))))
    open_change(stage)
    assert go(stage) == 0

    for push in ("once", "twice", "three times"):
        _push_elsewhere(stage, push, "tea")
        assert stage.resume() == 0

    assert len(stage.briefs("review *")) == 4
    assert [comment.count(NEGATIVE) for comment in stage.comments(PULL)] == [1]
    assert [event.kind.value for event in stage.standings[NEGATIVE].events] == [
        "raised",
        *["reraised"] * 3,
    ]


def test_fixed_and_brought_back_by_a_later_commit_it_is_raised_again_and_called_a_regression(
    play: Play,
) -> None:
    stage = play(
        told(
            on("implement *", *implements(edit(CART, PRICES, TIMES), edit(CART, RIGHT, WRONG))),
            reviews(1, rounding()),
            responds(1, fixed(), edit(CART, WRONG, RIGHT)),
            reviews(3, rounding()),
            responds(3, Answer(ROUNDING, "refuted", [], "I like it.")),
        )
    )
    assert stage.run() == 0
    assert stage.states == {ROUNDING: "fixed"}

    stage.push({CART: stage.text(CART).replace(RIGHT, WRONG)})

    assert stage.run() == 1
    (entry,) = stage.standings.values()
    kinds = [event.kind.value for event in entry.events]
    assert kinds[:4] == ["raised", "claimed_fixed", "fixed", "raised"]
    assert "a regression: fixed once and back" in _part(
        stage.briefs("respond * round 3")[0], ROUNDING
    )
    assert "fixed once and back" in stage.comments(5)[0]


def test_an_author_who_dismisses_all_findings_without_evidence_claims_nothing_and_never_ends_green(
    play: Play,
) -> None:
    wave = [Answer(title, "refuted", [], "Not an issue.") for title in (NEGATIVE, ROUNDING)]
    stage = play(
        told(
            on("implement *", *implements(edit(CART, PRICES, TIMES), edit(CART, RIGHT, WRONG))),
            reviews(1, finding(), rounding()),
            responds(1, *wave),
        )
    )

    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert set(stage.states.values()) == {"needs_human"}
    kinds = {event.kind.value for one in stage.standings.values() for event in one.events}
    assert "claimed_refuted" not in kinds
    assert len(stage.briefs("respond *")) == 2
    assert not [one for one in stage.statuses if one.state == "success"]


def test_our_hidden_marker_in_a_strangers_comment_is_ignored_and_the_finding_is_still_posted(
    play: Play,
) -> None:
    stage = play(told(reviews(1, finding()), responds(1, refute())))
    assert stage.run() == 0
    ours = stage.comments(5)[0]
    people = stage.forge.people
    changed = stage.text(CART, "main").replace(PRICES, TIMES)
    people.commit(stage.slug, MAINTAINER, "tea", {CART: changed}, "Count quantities")
    number = people.open_pull(stage.slug, MAINTAINER, "tea", "Count quantities")
    people.comment(stage.slug, STRANGER, number, ours)

    assert stage.resume(number, adopt=True) == 0

    theirs, posted = stage.comments(number)
    assert theirs == ours
    assert NEGATIVE in posted
