from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as some

from harness.facts.entries import Disposition, EventKind, State
from harness.facts.findings import Severity
from harness.rules.points import is_for_person, is_gating
from harness.rules.settle import (
    plan_gone,
    plan_person_acted,
    plan_person_ruling,
    plan_review,
)

if TYPE_CHECKING:
    from harness.facts.findings import Finding
    from tests.rules.ledger.conftest import Book, Making

ELSEWHERE = "return rows[start:end]"


@pytest.fixture
def refuted(book: Book, make: Making) -> Book:
    return refute(book, make.finding())


def refute(book: Book, finding: Finding) -> Book:
    book.review(finding)
    number = len(book.entries)
    book.respond("refuted", f"S{number}")
    book.rule(True, f"S{number}")
    return book


def other_place(make: Making, **changes: object) -> Finding:
    return make.finding(anchor=make.anchor(start=40, end=41, text=ELSEWHERE), **changes)


# -- new and open --------------------------------------------------------------------------------
def test_a_finding_seen_first_is_an_entry_with_its_fingerprint(book: Book, make: Making) -> None:
    (met,) = book.review(make.finding())

    (standing,) = book.standings()
    assert (met.action, met.rule, met.entry_id) == ("new", "none", standing.entry.id)
    assert standing.state is State.OPEN
    assert standing.entry.fingerprint.startswith("v1:")
    assert standing.events[0].finding == make.finding()


def test_an_open_point_raised_again_is_still_open_and_one_entry(book: Book, make: Making) -> None:
    book.review(make.finding())

    (met,) = book.review(make.finding(evidence=(make.quote("x = 1", line=50),)))

    assert (met.action, len(book.entries), book.state()) == ("still", 1, State.OPEN)


def test_an_open_blocker_repeated_as_a_nit_still_gates(book: Book, make: Making) -> None:
    book.review(make.finding())

    book.review(make.finding(severity=Severity.NIT, in_scope=False))

    assert [is_gating(point) for point in book.points()] == [True]


def test_a_nit_that_is_open_and_raised_as_a_blocker_gates(book: Book, make: Making) -> None:
    book.review(make.finding(severity=Severity.NIT))
    assert [is_gating(point) for point in book.points()] == [False]

    book.review(make.finding())

    assert [is_gating(point) for point in book.points()] == [True]


def test_two_findings_of_one_review_with_one_title_in_two_places_are_two_entries(
    book: Book, make: Making
) -> None:
    first, second = make.finding(), other_place(make, handle="F2")

    book.review(first, second)

    ordinals = [one.entry.key.ordinal for one in book.standings()]
    assert ordinals == [1, 2]
    assert len({one.entry.fingerprint for one in book.standings()}) == 2


def test_the_same_words_right_below_a_settled_point_are_a_second_entry_and_not_held(
    refuted: Book, make: Making
) -> None:
    (met,) = refuted.review(make.finding(anchor=make.anchor(start=5, end=5, text="if c > d:")))

    assert (met.action, len(refuted.entries)) == ("new", 2)


def test_a_blocker_that_was_fixed_and_is_back_as_a_nit_does_not_gate(
    book: Book, make: Making
) -> None:
    book.review(make.finding())
    book.respond("fixed", new_head="b" * 40)
    book.rule(True)

    book.review(make.finding(severity=Severity.NIT))

    assert book.state() is State.OPEN
    assert [is_gating(point) for point in book.points()] == [False]


def test_one_finding_given_twice_in_a_review_is_one_entry(book: Book, make: Making) -> None:
    first, second = book.review(make.finding(), make.finding(handle="F2"))

    assert (first.action, second.action) == ("new", "still")
    assert first.entry_id == second.entry_id


def test_titles_that_differ_in_an_operator_are_two_entries(book: Book, make: Making) -> None:
    book.review(make.finding(title="a < b loses a row"))
    book.respond("refuted")
    book.rule(True)

    (met,) = book.review(other_place(make, title="a > b loses a row"))

    assert met.action == "new"


def test_a_finding_that_did_not_check_waits_for_a_person(book: Book, make: Making) -> None:
    (met,) = book.review(make.finding(fallen="its quote is nowhere"))

    assert (met.action, book.state()) == ("needs_human", State.NEEDS_HUMAN)
    assert [is_for_person(point) for point in book.points()] == [True]


def test_a_repeat_that_did_not_check_changes_nothing_of_a_point_that_did(
    book: Book, make: Making
) -> None:
    book.review(make.finding())

    (met,) = book.review(make.finding(fallen="its quote is nowhere"))

    assert (met.action, book.state()) == ("still", State.OPEN)


def test_fixed_and_back_is_a_regression(book: Book, make: Making) -> None:
    book.review(make.finding())
    book.respond("fixed", new_head="b" * 40)
    book.rule(True)
    book.head = "c" * 40

    (met,) = book.review(make.finding())

    assert (met.action, book.state()) == ("regression", State.OPEN)


def test_what_a_person_called_fixed_and_is_back_is_a_regression(book: Book, make: Making) -> None:
    book.review(make.finding())
    rule_by_person(book, Disposition.FIXED)

    (met,) = book.review(make.finding())

    assert (met.action, book.state()) == ("regression", State.OPEN)


# -- settled -------------------------------------------------------------------------------------
def rule_by_person(
    book: Book, disposition: Disposition | None, number: int = 1, said: str = "comment-1"
) -> None:
    plan = plan_person_ruling(
        book.standings()[number - 1],
        disposition,
        by="maintainer",
        reasoning="won't fix",
        context=book.context("harness", said),
    )
    book.record(plan)


def test_a_persons_no_is_silent_whatever_is_brought(book: Book, make: Making) -> None:
    book.review(make.finding())
    rule_by_person(book, Disposition.REFUTED)

    for line in (50, 60, 70):
        (met,) = book.review(make.finding(evidence=(make.quote(f"x{line} = 1", line=line),)))

        assert (met.action, book.state()) == ("silent", State.REFUTED)


def test_the_same_refusal_given_in_four_places_is_one_disposition_and_the_next_round_is_silent(
    book: Book, make: Making
) -> None:
    book.review(make.finding())

    for place in ("thread 1", "comment 7", "commit abc123", "/harness settle"):
        rule_by_person(book, Disposition.REFUTED, said=place)
        (met,) = book.review(make.finding())

        assert (met.action, book.state()) == ("silent", State.REFUTED)
    ruled = [one for one in book.standings()[0].events if one.kind is EventKind.RULED]
    assert [one.reasoning for one in ruled] == ["won't fix"]


def test_a_person_can_open_it_again(book: Book, make: Making) -> None:
    book.review(make.finding())
    book.respond("refuted")
    book.rule(True)
    rule_by_person(book, None)

    assert book.state() is State.OPEN


def test_a_quote_of_the_anchors_own_lines_is_never_new(refuted: Book, make: Making) -> None:
    wide = make.anchor(start=2, end=4, text="count = 0\nif a < b:\n    count += 1")
    for quote in ("if  a < b:", "count = 0", "count += 1", "count = 0 if a < b: count += 1"):
        (met,) = refuted.review(make.finding(anchor=wide, evidence=(make.quote(quote),)))

        assert met.action == "silent"


@pytest.mark.parametrize(
    ("text", "file", "action"),
    [
        ("the proof", "b.py", "silent"),
        ("see  the\nproof here", "b.py", "silent"),
        ("proof", "b.py", "silent"),
        ("the proof", "c.py", "again"),
        ("another proof", "b.py", "again"),
        ("", "c.py", "silent"),
    ],
)
def test_evidence_is_new_when_nobody_gave_it_before(
    refuted: Book, make: Making, text: str, file: str, action: str
) -> None:
    (met,) = refuted.review(make.finding(evidence=(make.quote(text, file=file),)))

    assert met.action == action


def test_old_evidence_of_a_renamed_file_is_still_old(refuted: Book, make: Making) -> None:
    refuted.renames = (("b.py", "c.py"),)

    (met,) = refuted.review(make.finding(evidence=(make.quote("the proof", file="c.py"),)))

    assert met.action == "silent"


def test_evidence_of_a_finding_that_did_not_check_is_none(refuted: Book, make: Making) -> None:
    new = make.quote("x = 1", line=50)

    (fell,) = refuted.review(make.finding(evidence=(new,), fallen="its quote is nowhere"))
    (checked,) = refuted.review(make.finding(evidence=(new,)))

    assert (fell.action, checked.action) == ("silent", "again")


def test_evidence_that_did_not_check_at_first_is_new_once_it_does(book: Book, make: Making) -> None:
    proof = make.quote("x = 1", line=50)
    book.review(make.finding(evidence=(proof,), fallen="its quote is nowhere"))
    book.record(plan_person_acted(book.standings(), book.context("harness")))
    book.respond("refuted")
    book.rule(True)

    (met,) = book.review(make.finding(evidence=(proof,)))

    assert met.action == "again"


def test_a_finding_and_a_ruling_on_the_same_settled_point_are_one(
    refuted: Book, make: Making
) -> None:
    met = refuted.review(make.finding(), rulings=(refuted.ruling(False, text="if a < b:"),))

    assert [one.action for one in met] == ["silent"]


def test_a_settled_point_that_nobody_followed_to_this_head_is_held(
    refuted: Book, make: Making
) -> None:
    context = refuted.context("claude").model_copy(update={"holdings": (), "head": "b" * 40})

    (met,) = plan_review((make.finding(),), context, None).met

    assert met.action == "hold"


@pytest.mark.parametrize(
    "changes", [{"severity": Severity.NIT}, {"in_scope": False}], ids=["nit", "out of scope"]
)
def test_only_what_blocks_is_argued_again(
    refuted: Book, make: Making, changes: dict[str, object]
) -> None:
    new = make.quote("x = 1", line=50)

    (met,) = refuted.review(make.finding(evidence=(new,), **changes))

    assert (met.action, refuted.state()) == ("silent", State.REFUTED)


def test_a_refuted_nit_that_comes_back_as_blocking_is_argued_once(book: Book, make: Making) -> None:
    refute(book, make.finding(severity=Severity.NIT))

    (first,) = book.review(make.finding())
    assert (first.action, book.state()) == ("again", State.OPEN)
    book.respond("refuted")
    book.rule(True)
    (second,) = book.review(make.finding())

    assert (second.action, book.state()) == ("silent", State.REFUTED)


def test_a_ruling_on_a_settled_point_brings_its_evidence_to_the_finding(
    refuted: Book, make: Making
) -> None:
    finding = make.finding(title="Rows vanish at the end", citations=("S1",))
    ruling = refuted.ruling(False, text="x = unseen()")

    (met,) = refuted.review(finding, rulings=(ruling,))

    assert (met.action, met.rule, refuted.state()) == ("again", "handle", State.OPEN)


def test_a_ruling_alone_raises_a_settled_point_again(refuted: Book) -> None:
    (old,) = refuted.review(rulings=(refuted.ruling(False, text="if a < b:"),))
    (new,) = refuted.review(rulings=(refuted.ruling(False, text="x = unseen()"),))

    assert (old.action, new.action) == ("silent", "again")
    assert refuted.state() is State.OPEN


def test_agreeing_with_a_settled_point_changes_nothing(refuted: Book) -> None:
    assert refuted.review(rulings=(refuted.ruling(True, text="x = unseen()"),)) == ()
    assert refuted.state() is State.REFUTED


def test_a_point_settled_elsewhere_is_a_precedent_and_handled_as_new(
    refuted: Book, make: Making
) -> None:
    refuted.scope = "branch:harness/issue-13"

    (met,) = refuted.review(make.finding())

    assert met.action == "new"
    assert len(refuted.entries) == 1


def test_refuted_in_one_file_it_is_new_in_another(refuted: Book, make: Making) -> None:
    there = make.finding(anchor=make.anchor(file="b.py"), title="Rows vanish", citations=("S1",))

    (met,) = refuted.review(there)

    assert (met.action, len(refuted.entries)) == ("new", 2)


def test_a_point_settled_for_the_whole_repository_binds_and_stays_settled_there(
    book: Book, make: Making
) -> None:
    book.scope = "repo"
    refute(book, make.finding())
    book.scope = "branch:harness/issue-13"

    (met,) = book.review(make.finding())

    assert met.action == "silent"
    assert {event.scope for event in book.events.values()} == {"repo"}


def test_what_went_with_its_file_does_not_bind_when_it_is_back(refuted: Book, make: Making) -> None:
    gone = refuted.became(1, "gone", since="c" * 40)
    refuted.record(plan_gone(refuted.standings(), (gone,), refuted.context("harness")))
    assert refuted.state() is State.WITHDRAWN
    refuted.holdings = {}

    (met,) = refuted.review(make.finding())

    assert (met.action, refuted.state()) == ("new", State.OPEN)


# -- possibly settled ----------------------------------------------------------------------------
def reworded(make: Making, **changes: object) -> Finding:
    return make.finding(title="Rows vanish at the end", **changes)


def test_other_words_in_the_place_of_a_settled_point_are_held(refuted: Book, make: Making) -> None:
    (met,) = refuted.review(reworded(make))

    settled = refuted.standings()[0].entry.id
    assert (met.action, met.rule, met.possibly) == ("hold", "anchor", (settled,))
    assert len(refuted.entries) == 1


def test_held_and_the_same_it_is_silent_and_known_by_the_new_words(
    refuted: Book, make: Making
) -> None:
    settled = refuted.standings()[0].entry.id

    (met,) = refuted.review(reworded(make), said={"F1": settled})
    (later,) = refuted.review(reworded(make))

    assert (met.action, met.rule) == ("silent", "said_same")
    assert (later.action, later.rule) == ("silent", "alias")
    assert refuted.state() is State.REFUTED


def test_held_and_not_the_same_it_is_new(refuted: Book, make: Making) -> None:
    (met,) = refuted.review(reworded(make), said={"F1": ""})

    assert (met.action, refuted.state(2)) == ("new", State.OPEN)


@pytest.mark.parametrize("said", [{}, {"F1": "no such entry"}], ids=["silence", "nonsense"])
def test_held_without_a_valid_answer_it_waits_for_a_person(
    refuted: Book, make: Making, said: dict[str, str]
) -> None:
    (met,) = refuted.review(reworded(make), said=said)

    assert (met.action, refuted.state(2)) == ("needs_human", State.NEEDS_HUMAN)


def test_a_settled_point_whose_lines_are_there_twice_is_held(refuted: Book, make: Making) -> None:
    refuted.became(1, "possibly")
    settled = refuted.standings()[0].entry.id

    (held,) = refuted.review(make.finding())
    (same,) = refuted.review(make.finding(), said={"F1": settled})

    assert (held.action, held.rule, held.possibly) == ("hold", "key", (settled,))
    assert same.action == "silent"


def test_other_words_in_the_place_of_an_open_point_are_new(book: Book, make: Making) -> None:
    book.review(make.finding())

    (met,) = book.review(reworded(make))

    assert met.action == "new"


def test_the_place_of_a_settled_point_is_where_its_lines_are_now(
    refuted: Book, make: Making
) -> None:
    refuted.moved(1, 43, 43)

    (there,) = refuted.review(reworded(make, anchor=make.anchor(start=46, end=46, text="x")))
    (away,) = refuted.review(reworded(make, anchor=make.anchor(start=47, end=47, text="x")))

    assert (there.action, away.action) == ("hold", "new")


def test_near_and_in_its_place_is_the_same_and_near_alone_is_held(
    refuted: Book, make: Making
) -> None:
    context = refuted.context("claude")

    def plan(finding: Finding) -> tuple[str, str]:
        (met,) = plan_review((finding,), context, None, near=lambda _one, _other: True).met
        return met.rule, met.action

    assert plan(reworded(make)) == ("anchor+near", "silent")
    assert plan(other_place(make, title="Rows vanish at the end")) == ("near", "hold")


def test_a_renamed_file_is_the_same_entry(refuted: Book, make: Making) -> None:
    refuted.renames = (("a.py", "c.py"),)
    refuted.moved(1, 3, 3, file="c.py")
    there = make.finding(anchor=make.anchor(file="c.py"))

    (renamed,) = refuted.review(there)
    refuted.renames = ()
    (later,) = refuted.review(there)

    assert (renamed.rule, renamed.action) == ("rename", "silent")
    assert later.action == "silent"


# -- the same story ------------------------------------------------------------------------------
def test_a_review_planned_twice_is_the_same_story(refuted: Book, make: Making) -> None:
    findings = (make.finding(), other_place(make, handle="F2"), reworded(make, handle="F3"))
    context = refuted.context("claude")

    assert plan_review(findings, context, None) == plan_review(findings, context, None)


def test_a_review_planned_after_it_was_recorded_adds_only_what_was_held(
    refuted: Book, make: Making
) -> None:
    new = make.quote("x = 1", line=50)
    findings = (
        make.finding(evidence=(new,)),
        other_place(make, handle="F2"),
        make.finding(
            handle="F3",
            title="Nothing is shown",
            anchor=make.anchor(start=90, end=90, text="z"),
            fallen="its quote is nowhere",
        ),
        make.finding(handle="F5", title="Rows vanish", anchor=make.anchor(start=5, end=5)),
    )
    refute(refuted, make.finding(title="Six", anchor=make.anchor(start=7, end=7, text="six")))
    first = refuted.review(*findings, exchange="review-1")
    before = len(refuted.events)

    repeated = refuted.review(*findings, exchange="review-1")
    assert [one.action for one in repeated] == [one.action for one in first]
    assert [one.entry_id for one in repeated] == [one.entry_id for one in first]
    assert len(refuted.events) == before

    told = refuted.review(*findings, said={"F5": ""}, exchange="review-1")
    assert [one.action for one in first] == ["again", "new", "needs_human", "hold"]
    assert [one.action for one in told] == ["again", "new", "needs_human", "new"]
    assert len(refuted.events) == before + 1


OLD = ("if a < b:", "the proof", "proof", "seen", "a <  b")


@given(data=some.data())
def test_a_settled_finding_raised_again_any_number_of_times_without_evidence_never_blocks(
    make: Making, data: some.DataObject
) -> None:
    claim = data.draw(some.sampled_from(["refuted", "filed"]))
    book = make.book()
    book.review(make.finding())
    book.respond(claim)
    book.rule(True)
    settled = book.standings()[0].entry.id
    for _ in range(data.draw(some.integers(1, 6))):
        start = data.draw(some.integers(1, 6))
        finding = make.finding(
            title=data.draw(
                some.sampled_from(["The last page is lost", "[high] the `last page` is lost (L3)"])
                | some.text("abc ", min_size=1, max_size=8)
            ),
            anchor=make.anchor(start=start, end=data.draw(some.integers(start, 9))),
            severity=data.draw(some.sampled_from(Severity)),
            evidence=tuple(
                make.quote(text, file=file)
                for text, file in data.draw(
                    some.lists(
                        some.sampled_from([(t, f) for t, f in zip(OLD, FILES, strict=True)]),
                        max_size=3,
                    )
                )
            ),
            citations=data.draw(some.sampled_from([(), ("S1",)])),
        )

        (met,) = book.review(finding)
        if met.action == "hold":
            (met,) = book.review(finding, said={"F1": settled})

        assert met.action == "silent"
        assert not any(is_gating(point) for point in book.points())
    assert len(book.entries) == 1


FILES = ("a.py", "b.py", "b.py", "a.py", "a.py")
