"""Refuting and fixing are claims: nothing is approved by them before somebody else agrees."""

from __future__ import annotations

import pytest

from harness.rehearsal.models import Prose, Refuses, Truncated, edit
from harness.rehearsal.models.faults import Fault
from tests.stories.conftest import Play
from tests.stories.scripts import (
    CART,
    NEGATIVE,
    ORDER,
    PRICES,
    RIGHT,
    ROUNDING,
    TIMES,
    WRONG,
    Shown,
    finding,
    fixed,
    implements,
    on,
    quote,
    rebuts,
    refute,
    responds,
    reviews,
    rounding,
    says_rebuttal,
    says_review,
    shown,
    told,
)
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

A_TEST = edit(
    "tests/test_cart.py",
    "class TotalTest(unittest.TestCase):",
    "class TotalTest(unittest.TestCase):\n    maxDiff = None\n",
)
WRONGLY = (edit(CART, PRICES, TIMES), edit(CART, RIGHT, WRONG))


def _is_for_a_person(stage: Stage, pull: int = 5) -> bool:
    return "harness: needs a person" in stage.labels(pull)


def _is_approved(stage: Stage) -> bool:
    return any(status.state == "success" for status in stage.statuses)


# -- refuted --------------------------------------------------------------------------------------
def test_a_refutation_that_its_raiser_objects_to_twice_needs_a_person_with_both_arguments(
    play: Play,
) -> None:
    stage = play(
        told(
            reviews(1, finding()),
            responds(1, refute(), A_TEST),
            reviews(2, objects=[NEGATIVE]),
            responds(2, refute()),
            rebuts(2, NEGATIVE),
        )
    )

    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert stage.states == {NEGATIVE: "needs_human"}
    assert _is_for_a_person(stage)
    assert not _is_approved(stage)
    said = stage.comments(5)[0]
    assert "`make_line` is the only place where lines are made" in said
    assert "I went there" in said
    assert "it still does" in stage.briefs("respond * round 2")[0]


def test_a_refutation_without_a_commit_is_put_to_its_raiser_who_ends_it(play: Play) -> None:
    stage = play(told(reviews(1, finding()), responds(1, refute())))

    assert stage.run() == 0

    assert stage.states == {NEGATIVE: "refuted"}
    assert len(stage.briefs("rebut *")) == 1
    assert len(stage.briefs("review *")) == 1


def test_a_raiser_who_stands_once_gets_a_second_answer_and_may_then_give_in(play: Play) -> None:
    stage = play(
        told(
            reviews(1, finding()),
            responds(1, refute()),
            rebuts(1, NEGATIVE, times=1),
        )
    )

    assert stage.run() == 0

    assert stage.states == {NEGATIVE: "refuted"}
    assert len(stage.briefs("respond *")) == 2
    assert len(stage.briefs("rebut *")) == 2


def test_a_raiser_who_stands_twice_is_not_overruled(play: Play) -> None:
    stage = play(
        told(reviews(1, finding()), responds(1, refute()), rebuts(1, NEGATIVE)),
    )

    assert stage.run() == 1
    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert stage.states == {NEGATIVE: "needs_human"}
    assert len(stage.briefs("rebut *")) == 2
    assert not _is_approved(stage)


def test_a_refutation_whose_quote_is_nowhere_is_not_claimed_and_the_second_needs_a_person(
    play: Play,
) -> None:
    nowhere = refute(NEGATIVE, quote(ORDER, 16, "    if quantity == 0: raise"))
    stage = play(told(reviews(1, finding()), responds(1, nowhere)))

    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert stage.states == {NEGATIVE: "needs_human"}
    kinds = [event.kind.value for event in stage.standings[NEGATIVE].events]
    assert "claimed_refuted" not in kinds
    assert stage.briefs("rebut *") == []
    assert not _is_approved(stage)


@pytest.mark.parametrize("fault", [Prose(), Refuses(), Truncated()], ids=["prose", "no", "cut"])
def test_a_raiser_without_a_valid_answer_leaves_the_refutation_claimed_and_unapproved(
    play: Play, fault: Fault
) -> None:
    stage = play(told(reviews(1, finding()), responds(1, refute())))
    stage.models.fail(fault, times=9, headline="rebut *")

    assert stage.run() == 3

    assert stage.outcomes == {1: "waiting"}
    assert "no valid answer from gpt" in stage.reports[1].reason
    assert stage.states == {NEGATIVE: "claimed"}
    assert not _is_approved(stage)


def test_a_raiser_who_never_answers_is_asked_a_few_times_and_then_a_person_is(play: Play) -> None:
    stage = play(told(reviews(1, finding()), responds(1, refute())))
    stage.models.fail(Refuses(), times=9, headline="rebut *")

    codes = [stage.run() for _ in range(4)]

    assert codes == [3, 3, 3, 1]
    assert stage.outcomes == {1: "escalated"}
    assert len([one for one in stage.models.requests if one.fault == Refuses()]) == 3
    assert not _is_approved(stage)


def test_a_raiser_who_stands_without_proof_has_not_ruled(play: Play) -> None:
    stage = play(
        told(
            reviews(1, finding()),
            responds(1, refute()),
            on(
                "rebut *",
                says_rebuttal(NEGATIVE, proof=quote(ORDER, 16, "    if no such line:")),
                ...,
            ),
        )
    )

    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert f"nobody ruled on what was claimed about: {NEGATIVE}" in stage.reports[1].reason
    assert stage.states == {NEGATIVE: "claimed"}
    assert not _is_approved(stage)


def test_a_fix_that_nobody_confirms_with_evidence_is_not_approved(play: Play) -> None:
    nowhere = quote(ORDER, 16, "    if no such line:")
    stage = play(
        told(
            reviews(1, finding()),
            responds(1, A_TEST, fixed(NEGATIVE)),
            on("review * round 2", says_review(proof=nowhere), ...),
            on("rebut *", says_rebuttal(bare=True), ...),
        )
    )

    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert f"nobody ruled on what was claimed about: {NEGATIVE}" in stage.reports[1].reason
    assert stage.states == {NEGATIVE: "claimed"}
    assert not _is_approved(stage)


def test_of_a_verdict_and_its_list_the_worse_counts(play: Play) -> None:
    stage = play(told(on("review *", says_review(verdict="changes_requested"), ...)))

    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert "gpt asks for changes and names nothing that blocks" in stage.reports[1].reason
    assert not _is_approved(stage)


def test_what_blocks_is_handed_back_even_where_something_was_left_out(play: Play) -> None:
    left_out = [{"path": CART, "reason": "too long"}]
    stage = play(
        told(
            on("implement *", *implements(*WRONGLY)),
            reviews(1, rounding(), not_reviewed=left_out),
            responds(1, fixed(), edit(CART, WRONG, RIGHT)),
        )
    )

    assert stage.run() == 0

    assert stage.states == {ROUNDING: "fixed"}


# -- fixed ----------------------------------------------------------------------------------------
def test_a_claimed_fix_that_its_reviewer_does_not_confirm_is_not_approved(play: Play) -> None:
    stage = play(
        told(
            on("implement *", *implements(*WRONGLY)),
            reviews(1, rounding()),
            responds(1, fixed(), A_TEST),
            reviews(2, objects=[ROUNDING]),
            responds(2, fixed(), edit("README.md", "# shop", "# Shop")),
            reviews(3, objects=[ROUNDING]),
        )
    )

    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert stage.states == {ROUNDING: "needs_human"}
    assert _is_for_a_person(stage)
    assert not _is_approved(stage)


def test_a_review_that_confirms_a_fix_and_raises_the_point_again_confirms_nothing(
    play: Play,
) -> None:
    stage = play(
        told(
            on("implement *", *implements(*WRONGLY)),
            reviews(1, rounding()),
            responds(1, fixed(), A_TEST),
            reviews(2, rounding()),
            rebuts(2, ROUNDING),
            responds(2, fixed(), edit(CART, WRONG, RIGHT)),
        )
    )

    assert stage.run() == 0

    kinds = [event.kind.value for event in stage.standings[ROUNDING].events]
    assert kinds.index("stood") < kinds.index("fixed")
    assert len(stage.briefs("respond *")) == 2
    assert RIGHT in stage.text(CART)


def test_fixed_without_a_change_is_no_claim(play: Play) -> None:
    stage = play(told(reviews(1, finding()), responds(1, fixed(NEGATIVE))))

    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert stage.states == {NEGATIVE: "needs_human"}
    assert not _is_approved(stage)


def test_the_reviewer_who_mends_what_it_found_is_reviewed_by_the_other(play: Play) -> None:
    stage = play(
        told(
            on("implement *", *implements(*WRONGLY)),
            reviews(1, rounding(), action="fix_myself"),
            responds(1, fixed(), edit(CART, WRONG, RIGHT), kind="fix_own"),
        )
    )

    assert stage.run() == 0

    assert stage.states == {ROUNDING: "fixed"}
    asked = [
        (one.question.kind, one.question.model.split("-")[0])
        for one in stage.models.requests
        if one.question and one.question.turn == 0 and one.question.kind != "triage"
    ]
    assert asked == [
        ("implement", "claude"),
        ("review", "gpt"),
        ("fix_own", "gpt"),
        ("review", "claude"),
    ]


def test_what_an_agent_refutes_of_its_own_is_withdrawn(play: Play) -> None:
    stage = play(
        told(
            on("implement *", *implements(*WRONGLY)),
            reviews(1, rounding(), finding(), action="fix_myself"),
            responds(1, refute(), fixed(), edit(CART, WRONG, RIGHT), kind="fix_own"),
        )
    )

    assert stage.run() == 0

    assert stage.states == {ROUNDING: "fixed", NEGATIVE: "withdrawn"}
    assert [one.title for one in _claimed(stage, "review * round 2")] == [ROUNDING]


def _claimed(stage: Stage, headline: str) -> list[Shown]:
    asked = next(
        one.question
        for one in stage.models.requests
        if one.question and one.question.brief in stage.briefs(headline)
    )
    return [one for one in shown(asked) if one.what.startswith("claimed")]
