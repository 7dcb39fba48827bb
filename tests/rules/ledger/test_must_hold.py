"""The sentences about the ledger that the loop stands on, at the level of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.facts.entries import EventKind, State
from harness.facts.findings import Finding
from harness.rules.points import is_for_ruling, is_gating
from harness.rules.settle import plan_rebuttal, plan_reopenings
from harness.rules.staleness import binding_anchor

if TYPE_CHECKING:
    from tests.rules.ledger.conftest import Book, Making


@pytest.fixture
def refuted(book: Book, make: Making) -> Book:
    """A point that was raised by claude, refuted by gpt with evidence, and agreed to by claude."""
    book.review(make.finding())
    book.respond("refuted")
    book.rule(True)
    assert book.state() is State.REFUTED
    return book


def gates(book: Book) -> bool:
    return any(is_gating(point) for point in book.points())


def again(make: Making, **changes: object) -> Finding:
    """The same point with moved lines."""
    return make.finding(anchor=make.anchor(start=2, end=4), **changes)


def test_the_settled_refutation_is_raised_again_with_moved_lines_and_under_an_earlier_title_it_neither_blocks_nor_is_posted_however_often(  # noqa: E501 - the sentence that must hold
    refuted: Book, make: Making
) -> None:
    refuted.aliases.append((refuted.standings()[0].entry.id, "rows vanish", "a.py"))
    for _ in range(20):
        (moved,) = refuted.review(again(make))
        (reworded,) = refuted.review(again(make, title="Rows vanish"))

        assert (moved.action, moved.rule) == ("silent", "key")
        assert (reworded.action, reworded.rule) == ("silent", "alias")
        assert refuted.state() is State.REFUTED
        assert not gates(refuted)
        assert len(refuted.entries) == 1


def test_with_new_evidence_it_goes_to_the_author_once(refuted: Book, make: Making) -> None:
    proof = make.quote("rows = rows[:-1]", line=40)

    (first,) = refuted.review(make.finding(evidence=(proof,)))
    assert (first.action, refuted.state()) == ("again", State.OPEN)
    refuted.respond("refuted")
    refuted.rule(True)
    (same_again,) = refuted.review(make.finding(evidence=(proof,)))

    assert (same_again.action, refuted.state()) == ("silent", State.REFUTED)


def test_with_other_new_evidence_it_escalates(refuted: Book, make: Making) -> None:
    refuted.review(make.finding(evidence=(make.quote("rows = rows[:-1]", line=40),)))
    refuted.respond("refuted")
    refuted.rule(True)

    (met,) = refuted.review(make.finding(evidence=(make.quote("return None", line=50),)))

    assert (met.action, refuted.state()) == ("escalate", State.NEEDS_HUMAN)
    assert gates(refuted)


def test_when_its_code_changes_it_is_open_again_and_names_the_commit(refuted: Book) -> None:
    changed = refuted.became(1, "reopened", since="c" * 40)
    plan = plan_reopenings(refuted.standings(), (changed,), refuted.context("harness"))

    refuted.record(plan)

    assert [(one.kind, "c" * 40 in one.reasoning) for one in plan.events] == [
        (EventKind.REOPENED, True)
    ]
    assert refuted.state() is State.OPEN
    assert gates(refuted)


def test_reopened_and_settled_anew_it_stands_on_the_lines_it_was_settled_on(
    refuted: Book, make: Making
) -> None:
    anew = make.anchor(start=3, end=4, text="if a <= b:\n    pass")
    changed = refuted.became(1, "reopened", since="c" * 40).model_copy(update={"anchor": anew})
    plan = plan_reopenings(refuted.standings(), (changed,), refuted.context("harness"))
    refuted.record(plan)
    assert binding_anchor(refuted.standings()[0]) == anew

    refuted.respond("refuted")
    later = anew.model_copy(update={"text": "if a <= b + 1:\n    pass"})
    entry = refuted.standings()[0].entry.id
    refuted.holdings[entry] = changed.model_copy(update={"anchor": later})
    refuted.rule(True)

    assert refuted.state() is State.REFUTED
    assert binding_anchor(refuted.standings()[0]) == later


def test_a_silent_repeat_does_not_move_the_lines_a_point_is_settled_on(
    refuted: Book, make: Making
) -> None:
    before = binding_anchor(refuted.standings()[0])

    refuted.review(again(make))

    assert binding_anchor(refuted.standings()[0]) == before


def test_raised_again_after_its_code_changed_it_is_open_and_names_the_commit(
    refuted: Book, make: Making
) -> None:
    refuted.became(1, "reopened", since="c" * 40)

    refuted.review(make.finding())

    assert refuted.state() is State.OPEN
    assert any(
        one.kind is EventKind.REOPENED and "c" * 40 in one.reasoning
        for one in refuted.standings()[0].events
    )


def test_a_refutation_whose_raiser_does_not_agree_never_lets_it_through(
    book: Book, make: Making
) -> None:
    book.review(make.finding())
    book.respond("refuted")
    book.rule(False)

    assert book.state() is State.DISPUTED
    assert gates(book)

    book.respond("refuted")
    book.rule(False)
    assert book.state() is State.NEEDS_HUMAN
    assert gates(book)


def test_a_refutation_whose_quote_is_nowhere_never_lets_it_through(
    book: Book, make: Making
) -> None:
    book.review(make.finding())

    book.respond("refuted", fallen=True)
    assert book.state() is State.OPEN
    assert gates(book)

    book.respond("refuted", fallen=True)
    assert book.state() is State.NEEDS_HUMAN
    assert gates(book)


def test_a_refutation_whose_raiser_gives_no_valid_answer_never_lets_it_through(
    book: Book, make: Making
) -> None:
    book.review(make.finding())
    book.respond("refuted")

    book.rule(True, fallen=True)
    book.review(rulings=())
    book.record(plan_rebuttal((book.answer(False),), {"S1"}, book.context("claude")))

    assert book.state() is State.CLAIMED
    assert [is_for_ruling(point) for point in book.points()] == [True]
    assert gates(book)


def test_a_claimed_fix_that_its_reviewer_does_not_confirm_never_lets_it_through(
    book: Book, make: Making
) -> None:
    book.review(make.finding())
    book.respond("fixed", new_head="b" * 40)
    assert gates(book)

    book.rule(False)

    assert book.state() is State.DISPUTED
    assert gates(book)


def test_a_confirmed_fix_lets_it_through(book: Book, make: Making) -> None:
    book.review(make.finding())
    book.respond("fixed", new_head="b" * 40)
    book.rule(True)

    assert book.state() is State.FIXED
    assert not gates(book)
