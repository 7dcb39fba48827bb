from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.facts.entries import Disposition, EventKind, State
from harness.facts.findings import Severity
from harness.rules.history import fix_commit
from harness.rules.points import as_points, is_for_author, is_for_ruling, is_settled
from harness.rules.settle import (
    plan_escalation,
    plan_lost_fixes,
    plan_person_acted,
    plan_rebuttal,
    plan_reopenings,
    plan_rulings,
)

if TYPE_CHECKING:
    from tests.rules.ledger.conftest import Book, Making


@pytest.fixture
def opened(book: Book, make: Making) -> Book:
    book.review(make.finding())
    return book


# -- the author's answers ------------------------------------------------------------------------
@pytest.mark.parametrize("action", ["refuted", "filed"])
def test_what_the_author_says_is_a_claim_until_somebody_rules(opened: Book, action: str) -> None:
    opened.respond(action)

    (point,) = opened.points()
    assert (point.state, point.claim, point.claimed_by) == (State.CLAIMED, action, "gpt")
    assert is_for_ruling(point)


def test_fixed_without_any_edit_is_not_claimed(opened: Book) -> None:
    opened.respond("fixed")
    assert opened.state() is State.OPEN

    opened.respond("fixed")
    assert opened.state() is State.NEEDS_HUMAN


def test_fixed_without_any_edit_is_claimed_where_somebody_moved_head_since(opened: Book) -> None:
    opened.head = "c" * 40

    opened.respond("fixed")
    opened.rule(True)

    assert opened.state() is State.FIXED


def test_who_refutes_what_it_raised_itself_withdraws_it(opened: Book) -> None:
    opened.respond("refuted", by="claude", fallen=True)

    assert opened.state() is State.WITHDRAWN


def test_a_fix_whose_evidence_did_not_check_is_claimed_without_it(opened: Book) -> None:
    plan = opened.respond("fixed", fallen=True, new_head="b" * 40)

    assert [(one.kind, one.evidence) for one in plan.events] == [(EventKind.CLAIMED_FIXED, ())]


def test_an_answer_that_fell_once_is_forgotten_when_the_point_is_opened_anew(
    opened: Book, make: Making
) -> None:
    opened.respond("refuted", fallen=True)
    opened.respond("refuted")
    opened.rule(True)
    opened.review(make.finding(evidence=(make.quote("x = 1", line=50),)))

    opened.respond("refuted", fallen=True)

    assert opened.state() is State.OPEN


def test_an_answer_that_fell_leaves_the_point_as_its_raiser_put_it(opened: Book) -> None:
    before = opened.points()[0]

    plan = opened.respond("refuted", fallen=True)

    assert opened.points()[0] == before
    assert "did not check" in plan.events[0].reasoning
    assert is_for_author(before)


def test_an_answer_to_something_not_shown_or_settled_says_nothing(opened: Book) -> None:
    assert opened.respond("refuted", "S9").events == ()
    opened.respond("refuted")
    assert opened.respond("filed").events == ()
    opened.rule(True)
    assert opened.respond("filed").events == ()


# -- rulings -------------------------------------------------------------------------------------
@pytest.mark.parametrize(("action", "state"), [("refuted", State.REFUTED), ("filed", State.FILED)])
def test_an_agreed_claim_is_settled(opened: Book, action: str, state: State) -> None:
    opened.respond(action)

    plan = opened.rule(True)

    assert opened.state() is state
    assert plan.events[0].disposition == action
    assert is_settled(opened.points()[0])


def test_nobody_rules_on_their_own_claim(opened: Book) -> None:
    opened.respond("refuted")

    assert opened.rule(True, by="gpt").events == ()
    rebuttal = plan_rebuttal((opened.answer(False),), set(), opened.context("gpt"))
    assert rebuttal.events == ()


def test_fixed_needs_a_head_that_is_not_the_one_it_was_raised_at(opened: Book) -> None:
    opened.respond("fixed", new_head="b" * 40)
    opened.head = "a" * 40

    opened.rule(True)

    assert opened.state() is State.CLAIMED


def test_the_second_objection_needs_a_person(opened: Book) -> None:
    opened.respond("fixed", new_head="b" * 40)
    opened.rule(False)
    assert (opened.state(), opened.points()[0].stood_count) == (State.DISPUTED, 1)

    opened.respond("fixed", new_head="c" * 40)
    opened.rule(False)

    assert opened.state() is State.NEEDS_HUMAN


def test_a_ruling_on_what_is_not_claimed_says_nothing(opened: Book) -> None:
    assert opened.rule(True).events == ()
    assert opened.rule(False).events == ()


def test_rulings_planned_after_they_were_recorded_add_nothing(opened: Book) -> None:
    opened.respond("refuted")
    context = opened.context("claude", "review-2")
    ruling = (opened.ruling(True),)
    opened.record(plan_rulings(ruling, set(), context, context.known))
    later = opened.context("claude", "review-2")

    assert plan_rulings(ruling, set(), later, later.known).events == ()


# -- rebuttals -----------------------------------------------------------------------------------
def test_who_gives_in_to_a_claim_agrees_with_it(opened: Book) -> None:
    opened.respond("refuted")

    opened.record(plan_rebuttal((opened.answer(False),), set(), opened.context("claude")))

    assert opened.state() is State.REFUTED


def test_a_claimed_fix_is_not_confirmed_without_evidence(opened: Book) -> None:
    opened.respond("fixed", new_head="b" * 40)
    bare = opened.answer(False).model_copy(update={"evidence": ()})
    ruling = opened.ruling(True).model_copy(update={"evidence": ()})
    context = opened.context("claude")

    assert plan_rebuttal((bare,), set(), context).events == ()
    assert plan_rulings((ruling,), set(), context, context.known).events == ()
    opened.record(plan_rebuttal((opened.answer(False),), set(), context))

    assert opened.state() is State.FIXED


def test_standing_twice_needs_a_person(opened: Book) -> None:
    for state in (State.DISPUTED, State.NEEDS_HUMAN):
        opened.respond("refuted")
        opened.record(plan_rebuttal((opened.answer(True),), set(), opened.context("claude")))

        assert opened.state() is state


def test_without_a_claim_only_the_raiser_withdraws(opened: Book, make: Making) -> None:
    entry = opened.standings()[0].entry.id
    objected = make.event(EventKind.OBJECTED, 2, entry_id=entry, actor="gpt")
    opened.events[objected.id] = objected
    answer = (opened.answer(False),)

    assert plan_rebuttal(answer, set(), opened.context("gpt")).events == ()
    opened.record(plan_rebuttal(answer, set(), opened.context("claude")))

    assert opened.state() is State.WITHDRAWN


# -- outside of replies --------------------------------------------------------------------------
def test_what_waited_for_a_person_is_open_again_once_one_acted(opened: Book) -> None:
    opened.record(plan_escalation(opened.points(), "two rounds", opened.context("harness")))
    assert opened.state() is State.NEEDS_HUMAN
    assert plan_escalation(opened.points(), "two rounds", opened.context("harness")).events == ()

    opened.record(plan_person_acted(opened.standings(), opened.context("harness")))

    assert opened.state() is State.OPEN


def test_only_settled_points_reopen_and_only_once(opened: Book) -> None:
    changed = opened.became(1, "reopened", since="c" * 40)

    def reopen() -> int:
        context = opened.context("harness", "reopen-head")
        plan = plan_reopenings(opened.standings(), (changed,), context)
        return len(opened.record(plan).events)

    assert reopen() == 0
    opened.respond("refuted")
    opened.rule(True)
    assert reopen() == 1
    assert reopen() == 0


def test_a_point_says_all_that_custody_asks(opened: Book, make: Making) -> None:
    opened.respond("fixed", new_head="b" * 40)
    moved = make.anchor(start=9, end=9)
    opened.moved(1, 9, 9)

    (point,) = as_points(opened.standings(), opened.context("claude").holdings)

    assert point.model_dump(exclude={"finding", "entry_id", "place"}) == {
        "title": "The last page is lost",
        "severity": Severity.BLOCKING,
        "in_scope": True,
        "state": State.CLAIMED,
        "claim": Disposition.FIXED,
        "raised_by": "claude",
        "claimed_by": "gpt",
        "head_of_claim": "a" * 40,
        "stood_count": 0,
        "again_count": 0,
    }
    assert (point.place.start_line, point.place.end_line) == (moved.start_line, moved.end_line)


# -- what a fix hangs on ---------------------------------------------------------------------------
@pytest.mark.parametrize("agreed", [False, True], ids=["claimed", "agreed"])
def test_a_fix_whose_commit_is_lost_is_open_again_and_each_commit_is_lost_once(
    opened: Book, agreed: bool
) -> None:
    opened.head = "b" * 40
    opened.respond("fixed", new_head=opened.head)
    if agreed:
        opened.rule(True)
    (point,) = opened.standings()
    assert fix_commit(point) == "b" * 40

    lost = {point.entry.id: "b" * 40}
    plan = opened.record(plan_lost_fixes((point,), lost, opened.context("harness", "lost")))
    again = plan_lost_fixes(opened.standings(), lost, opened.context("harness", "lost"))

    assert opened.state() is State.OPEN
    assert [("b" * 40 in one.reasoning) for one in plan.events] == [True]
    assert again.events == ()
    assert fix_commit(opened.standings()[0]) == ""


def test_a_refutation_hangs_on_no_commit(opened: Book) -> None:
    opened.respond("refuted")

    assert fix_commit(opened.standings()[0]) == ""
