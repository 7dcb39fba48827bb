"""What is settled is not argued again: in other words, on other lines, at other heads."""

from __future__ import annotations

import pytest

from harness.facts.entries import EventKind
from harness.rehearsal.models import Prose, on
from tests.stories.conftest import Play
from tests.stories.scripts import (
    CART,
    NEGATIVE,
    TESTS,
    finding,
    quote,
    refute,
    responds,
    reviews,
    says_same,
    told,
)
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

OTHER_WORDS = "Totals go below zero when a quantity does"
MORE_WORDS = "Refunds can be smuggled in as quantities"
DOC = '"""Adding up an order."""\n'


def _settle(*more: object) -> object:
    """Raised in round 1, refuted, agreed to: approved without a commit."""
    return told(
        reviews(1, finding()),
        responds(1, refute()),
        *more,  # type: ignore[arg-type] # chapters
    )


def _move_lines(stage: Stage, note: str) -> None:
    """A person writes above the lines that were argued about."""
    stage.push({CART: stage.text(CART).replace(DOC, f"{DOC}\n# {note}\n")})


def _kinds(stage: Stage, title: str = NEGATIVE) -> list[str]:
    return [event.kind.value for event in stage.standings[title].events]


def test_a_settled_refutation_neither_blocks_nor_is_posted_however_often_it_comes_back(
    play: Play,
) -> None:
    stage = play(
        _settle(
            reviews(2, finding(OTHER_WORDS, line=10, citations=["S1"])),
            reviews(3, finding(OTHER_WORDS, line=12)),
            reviews(4, finding("[P1] `a negative quantity` makes the total negative.", line=14)),
            reviews(5, finding(MORE_WORDS, line=16)),
            on("same * round 5", says_same(MORE_WORDS)),
            reviews(6, finding(MORE_WORDS, line=18)),
        )
    )
    assert stage.run() == 0
    said = stage.comments(5)

    for again in range(2, 7):
        _move_lines(stage, f"note {again}")
        assert stage.run() == 0
        assert stage.outcomes == {1: "approved"}

    assert stage.states == {NEGATIVE: "refuted"}
    assert _kinds(stage) == ["raised", "claimed_refuted", "agreed", *["reraised"] * 5]
    assert len(stage.briefs("respond *")) == 1
    assert len(stage.comments(5)) == len(said) == 1
    assert OTHER_WORDS not in stage.comments(5)[0]


def test_other_words_in_the_same_place_are_new_when_their_raiser_says_so(play: Play) -> None:
    stage = play(
        _settle(
            reviews(2, finding(MORE_WORDS, line=10)),
            on("same * round 2", says_same()),
            responds(2, refute(MORE_WORDS)),
        )
    )
    assert stage.run() == 0
    _move_lines(stage, "note")

    assert stage.run() == 0

    assert len(stage.briefs("same *")) == 1
    assert len(stage.briefs("respond * round 2")) == 1
    assert stage.states == {NEGATIVE: "refuted", MORE_WORDS: "refuted"}


def test_without_a_valid_answer_to_that_question_a_person_decides(play: Play) -> None:
    stage = play(_settle(reviews(2, finding(MORE_WORDS, line=10))))
    stage.models.fail(Prose(), times=9, headline="same *")
    assert stage.run() == 0
    _move_lines(stage, "note")

    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert stage.states == {NEGATIVE: "refuted", MORE_WORDS: "needs_human"}
    assert stage.briefs("respond * round 2") == []


NEW = [quote(TESTS, 14, '        self.assertEqual(total([make_line("tea", 350, 3)]), 1050)')]
NEWER = [quote(TESTS, 11, '        self.assertEqual(total([make_line("tea", 350, 1)]), 350)')]


def test_new_evidence_goes_to_the_author_once_and_other_new_evidence_to_a_person(
    play: Play,
) -> None:
    stage = play(
        _settle(
            reviews(2, finding(line=10, evidence=NEW)),
            responds(2, refute()),
            reviews(3, finding(line=12, evidence=NEW)),
            reviews(4, finding(line=14, evidence=NEWER)),
        )
    )
    assert stage.run() == 0

    _move_lines(stage, "once")
    assert stage.run() == 0
    assert len(stage.briefs("respond * round 2")) == 1
    assert stage.states == {NEGATIVE: "refuted"}

    _move_lines(stage, "twice")
    assert stage.run() == 0
    assert len(stage.briefs("respond *")) == 2

    _move_lines(stage, "and again")
    assert stage.run() == 1
    assert stage.outcomes == {1: "escalated"}
    assert stage.states == {NEGATIVE: "needs_human"}
    assert len(stage.briefs("respond *")) == 2
    assert "harness: needs a person" in stage.labels(5)


def test_a_settled_point_is_open_again_when_its_code_changes_and_the_event_names_the_commit(
    play: Play,
) -> None:
    stage = play(_settle(responds(2, refute())))
    assert stage.run() == 0

    changed = stage.text(CART).replace("line.cents * line.quantity", "line.quantity * line.cents")
    sha = stage.push({CART: changed})

    assert stage.run() == 0
    reopened = [one for one in stage.standings[NEGATIVE].events if one.kind is EventKind.REOPENED]
    assert [sha in one.reasoning for one in reopened] == [True]
    assert len(stage.briefs("respond * round 2")) == 1
    assert stage.states == {NEGATIVE: "refuted"}
