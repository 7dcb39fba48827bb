from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as some

from harness.facts.entries import Disposition, Event, EventKind, State
from harness.rules.fold import carries_state, fold, last_put

if TYPE_CHECKING:
    from tests.rules.ledger.conftest import Making

RAISED, CLAIMED = EventKind.RAISED, EventKind.CLAIMED_REFUTED


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (EventKind.RAISED, State.OPEN),
        (EventKind.REOPENED, State.OPEN),
        (EventKind.CLAIMED_FIXED, State.CLAIMED),
        (EventKind.CLAIMED_REFUTED, State.CLAIMED),
        (EventKind.CLAIMED_FILED, State.CLAIMED),
        (EventKind.OBJECTED, State.DISPUTED),
        (EventKind.STOOD, State.DISPUTED),
        (EventKind.ESCALATED, State.NEEDS_HUMAN),
        (EventKind.WITHDRAWN, State.WITHDRAWN),
        (EventKind.GONE, State.WITHDRAWN),
        (EventKind.FIXED, State.FIXED),
        (EventKind.SUPPRESSED, State.SUPPRESSED),
    ],
    ids=str,
)
def test_the_newest_event_decides_the_state(make: Making, kind: EventKind, state: State) -> None:
    events = [make.event(RAISED, 1), make.event(kind, 2)]

    assert fold(events).state is state


@pytest.mark.parametrize("claim", list(Disposition), ids=str)
def test_an_agreed_claim_has_the_state_of_the_claim(make: Making, claim: Disposition) -> None:
    events = [make.event(RAISED, 1), make.event(EventKind.AGREED, 2, disposition=claim)]

    assert fold(events).state == claim.value


def test_agreeing_with_a_finding_about_which_nothing_is_claimed_leaves_it_open(
    make: Making,
) -> None:
    events = [make.event(RAISED, 1), make.event(EventKind.AGREED, 2)]

    assert fold(events).state is State.OPEN


def test_a_reraise_without_new_evidence_leaves_it_settled(make: Making) -> None:
    settled = make.event(EventKind.AGREED, 2, disposition=Disposition.REFUTED)
    again = make.event(EventKind.RERAISED, 3)

    assert fold([make.event(RAISED, 1), settled, again]).state is State.REFUTED
    assert not carries_state(again)


def test_a_reraise_with_new_evidence_opens_it(make: Making) -> None:
    settled = make.event(EventKind.AGREED, 2, disposition=Disposition.REFUTED)
    again = make.event(EventKind.RERAISED, 3, new_evidence=True)

    assert fold([make.event(RAISED, 1), settled, again]).state is State.OPEN


def test_a_persons_ruling_holds_against_later_words_of_agents(make: Making) -> None:
    events = [
        make.event(RAISED, 1),
        make.ruled(Disposition.REFUTED, 2),
        make.event(EventKind.RERAISED, 3, new_evidence=True),
        make.event(EventKind.ESCALATED, 4),
    ]

    folded = fold(events)

    assert (folded.state, folded.by_person) == (State.REFUTED, True)


def test_a_persons_ruling_holds_until_its_code_changed(make: Making) -> None:
    events = [make.ruled(Disposition.REFUTED, 2), make.event(EventKind.REOPENED, 3)]

    folded = fold(events)

    assert (folded.state, folded.by_person) == (State.OPEN, False)


def test_what_a_person_reopened_can_be_fixed_again(make: Making) -> None:
    reopened = make.ruled(None, 2)
    fixed = make.event(EventKind.FIXED, 3)

    assert fold([make.ruled(Disposition.REFUTED, 1), reopened]).state is State.OPEN
    assert fold([make.ruled(Disposition.REFUTED, 1), reopened, fixed]).state is State.FIXED


def test_what_was_taken_back_does_not_count(make: Making) -> None:
    ruled = make.ruled(Disposition.FILED, 2)
    undone = make.event(EventKind.REVOKED, 3, revokes=ruled.id)

    assert fold([make.event(RAISED, 1), ruled, undone]).state is State.OPEN


def test_the_open_claim_is_told_while_it_waits_and_while_it_is_disputed(make: Making) -> None:
    claimed = [make.event(RAISED, 1), make.event(CLAIMED, 2)]
    disputed = [*claimed, make.event(EventKind.OBJECTED, 3)]
    settled = [*claimed, make.event(EventKind.AGREED, 3, disposition=Disposition.REFUTED)]

    assert fold(claimed).claim is Disposition.REFUTED
    assert fold(disputed).claim is Disposition.REFUTED
    assert fold(settled).claim is None


def test_of_two_machines_with_the_same_clock_the_later_time_decides(make: Making) -> None:
    here = make.event(EventKind.FIXED, 2, id="b", at=make.noon)
    there = make.event(EventKind.OBJECTED, 2, id="a", at=make.noon + timedelta(seconds=1))

    assert fold([here, there]).state is State.DISPUTED


@given(data=some.data())
def test_the_state_is_the_same_whatever_order_the_events_of_two_machines_arrive_in(
    make: Making, data: some.DataObject
) -> None:
    events = data.draw(some.lists(_events(make), max_size=12, unique_by=lambda event: event.id))
    shuffled = data.draw(some.permutations(events))
    doubled = [*shuffled, *shuffled]

    assert fold(shuffled) == fold(events)
    assert fold(doubled) == fold(events)


def _events(make: Making) -> some.SearchStrategy[Event]:
    start = datetime(2026, 11, 30, tzinfo=UTC)
    return some.builds(
        lambda kind, clock, second, name, claim, new, revokes: make.event(
            kind,
            clock,
            id=name,
            at=start + timedelta(seconds=second),
            disposition=claim,
            by_person=kind is EventKind.RULED,
            new_evidence=new,
            revokes=revokes if kind is EventKind.REVOKED else "",
        ),
        some.sampled_from(EventKind),
        some.integers(1, 4),
        some.integers(0, 3),
        some.sampled_from("abcdefghijkl"),
        some.sampled_from([*Disposition, None]),
        some.booleans(),
        some.sampled_from("abcdefghijkl"),
    )


# -- the words it is in ---------------------------------------------------------------------------
def _put(make: Making, kind: EventKind, clock: int, title: str, **changes: object) -> Event:
    return make.event(kind, clock, finding=make.finding(title=title), **changes)


def test_a_repeat_of_an_open_point_changes_its_words(make: Making) -> None:
    events = [_put(make, RAISED, 1, "one"), _put(make, EventKind.RERAISED, 2, "two")]

    put = last_put(events)
    assert put is not None
    assert put.title == "two"


@pytest.mark.parametrize(("new", "title"), [(False, "one"), (True, "two")], ids=str)
def test_a_repeat_of_a_settled_point_changes_them_only_with_new_evidence(
    make: Making, *, new: bool, title: str
) -> None:
    events = [
        _put(make, RAISED, 1, "one"),
        make.event(EventKind.AGREED, 2, disposition=Disposition.REFUTED),
        _put(make, EventKind.RERAISED, 3, "two", new_evidence=new),
    ]

    put = last_put(events)
    assert put is not None
    assert put.title == title
