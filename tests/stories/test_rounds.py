"""Rounds are counted: a closing pass, fixes that break what they mend, a person who starts anew."""

from __future__ import annotations

import pytest

from harness.rehearsal.models import edit, on
from tests.stories.conftest import Play
from tests.stories.scripts import (
    CART,
    NEGATIVE,
    PRICES,
    RIGHT,
    ROUNDING,
    TIMES,
    WRONG,
    Answer,
    finding,
    fixed,
    implements,
    quote,
    refute,
    responds,
    reviews,
    rounding,
    says_review,
    told,
)

pytestmark = pytest.mark.slow

WRONGLY = (edit(CART, PRICES, TIMES), edit(CART, RIGHT, WRONG))
ALSO_WRONG = "    return whole - (whole * discount_percent + 99) // 100"
STILL_WRONG = "    return whole - whole * discount_percent // 100 - 1"


def test_a_fix_in_the_last_round_is_looked_at_once_more_by_a_closing_pass(play: Play) -> None:
    stage = play(
        told(
            on("implement *", *implements(*WRONGLY)),
            reviews(1, rounding()),
            responds(1, fixed(), edit(CART, WRONG, RIGHT)),
        )
    )
    stage.set("[loop]\n", "[loop]\nmax_rounds = 1\n")

    assert stage.run() == 0

    assert stage.states == {ROUNDING: "fixed"}
    assert len(stage.briefs("review *")) == len(stage.briefs("close *")) == 1


def test_a_closing_pass_that_finds_a_blocker_calls_a_person_whose_word_starts_a_new_round(
    play: Play,
) -> None:
    stage = play(
        told(
            on("implement *", *implements(*WRONGLY)),
            reviews(1, rounding()),
            responds(1, fixed(), edit(CART, WRONG, RIGHT)),
            on("close * round 2", says_review(finding())),
            responds(2, refute()),
        )
    )
    stage.set("[loop]\n", "[loop]\nmax_rounds = 1\n")

    assert stage.run() == 1
    assert stage.run() == 1
    assert "closing pass" in stage.reports[1].reason
    assert "harness: needs a person" in stage.labels(5)

    stage.say(5, "`make_line` refuses those; look again, please.")
    assert stage.run() == 0
    assert stage.outcomes == {1: "approved"}
    assert stage.states == {ROUNDING: "fixed", NEGATIVE: "refuted"}
    assert "harness: needs a person" not in stage.labels(5)


def test_two_rounds_of_blockers_in_what_fixes_wrote_call_a_person(play: Play) -> None:
    stage = play(
        told(
            on("implement *", *implements(*WRONGLY)),
            reviews(1, rounding()),
            responds(1, fixed(), edit(CART, WRONG, ALSO_WRONG)),
            reviews(2, finding("The total is a cent too low", line=9, quoted=ALSO_WRONG)),
            responds(2, edit(CART, ALSO_WRONG, STILL_WRONG)),
            reviews(3, finding("The total is one too low", line=9, quoted=STILL_WRONG)),
        )
    )

    assert stage.run() == 1

    assert "two rounds in a row" in stage.reports[1].reason
    assert len(stage.briefs("review *")) == 3


def test_a_person_may_mend_it_themselves_with_a_commit_from_long_ago(play: Play) -> None:
    stage = play(
        told(
            on("implement *", *implements(*WRONGLY)),
            reviews(1, rounding()),
            responds(1, refute(ROUNDING), edit("README.md", "# shop", "# Shop")),
            on("close * round 2", says_review(objects=[ROUNDING])),
            responds(3, Answer(ROUNDING, "fixed", [quote(CART, 9, RIGHT)], "A person mended it.")),
        )
    )
    stage.set("[loop]\n", "[loop]\nmax_rounds = 1\n")
    assert stage.run() == 1
    assert stage.states == {ROUNDING: "disputed"}

    stage.push_old({CART: stage.text(CART).replace(WRONG, RIGHT)})

    assert stage.run() == 0
    assert len(stage.briefs("review * round 3")) == 1
    assert stage.states == {ROUNDING: "fixed"}
