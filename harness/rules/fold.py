"""The state of an entry in one scope, folded from its events.

Events are a set, not a list: whatever order two machines' events arrive in, (clock, time, id)
orders them, and what `revoked` takes back does not count. A person's ruling holds until the point
is reopened; a ruling that settles nothing is such a reopening. Otherwise the newest event that
carries a state decides. These carry none: `revoked`, `reraised` without new evidence, `agreed`
about no claim (a reviewer agreeing that the finding is right).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from harness.facts.entries import Disposition, Event, EventKind, State
from harness.facts.findings import Finding
from harness.facts.value import Fact

CLAIMS = {
    EventKind.CLAIMED_FIXED: Disposition.FIXED,
    EventKind.CLAIMED_REFUTED: Disposition.REFUTED,
    EventKind.CLAIMED_FILED: Disposition.FILED,
}
SETTLED_AS = {
    Disposition.FIXED: State.FIXED,
    Disposition.REFUTED: State.REFUTED,
    Disposition.FILED: State.FILED,
}


class Folded(Fact):
    """A state, whether a person's word made it, and the claim that waits or is disputed."""

    state: State
    by_person: bool
    claim: Disposition | None


def fold(events: Iterable[Event]) -> Folded:
    """The state that these events of one entry in one scope come to; none at all is open."""
    story = in_order(events)
    deciding = deciding_event(story)
    if deciding is None:
        return Folded(state=State.OPEN, by_person=False, claim=None)
    state = _state_of(deciding) or State.OPEN
    return Folded(
        state=state,
        by_person=deciding.kind is EventKind.RULED and deciding.by_person,
        claim=_claim(story) if state in {State.CLAIMED, State.DISPUTED} else None,
    )


def in_order(events: Iterable[Event]) -> tuple[Event, ...]:
    """What counts, oldest first: without what was taken back, and without the taking back."""
    every = {event.id: event for event in events}
    taken_back = {event.revokes for event in every.values() if event.kind is EventKind.REVOKED}
    counting = (
        event
        for event in every.values()
        if event.id not in taken_back and event.kind is not EventKind.REVOKED
    )
    return tuple(sorted(counting, key=order))


def order(event: Event) -> tuple[int, object, str]:
    """The total order of an entry's events."""
    return (event.clock, event.at, event.id)


def carries_state(event: Event) -> bool:
    """Whether the event says anything of the state; a scope with no such event has no state."""
    return _state_of(event) is not None


def deciding_event(story: tuple[Event, ...]) -> Event | None:
    """Of a story in order, the event whose state holds."""
    for event in reversed(story):
        if _is_reopening(event):
            break
        if event.kind is EventKind.RULED and event.by_person:
            return event
    return next((event for event in reversed(story) if carries_state(event)), None)


def last_put(story: Iterable[Event]) -> Finding | None:
    """Of events in order, the finding as it was last put; None when nobody raised it.

    A repeat of a settled point that brings nothing new changes no words of it: what people read
    of the point stays what was argued about.
    """
    put, settled = None, False
    for event in story:
        state = _state_of(event)
        if event.finding is not None and not (settled and _is_repeat(event)):
            put = event.finding
        settled = state.is_settled if state is not None else settled
    return put


def _is_repeat(event: Event) -> bool:
    return event.kind is EventKind.RERAISED and not event.new_evidence


def _is_reopening(event: Event) -> bool:
    undecided = event.kind is EventKind.RULED and event.disposition is None
    return event.kind is EventKind.REOPENED or (undecided and event.by_person)


def _claim(story: tuple[Event, ...]) -> Disposition | None:
    claims = (CLAIMS[event.kind] for event in reversed(story) if event.kind in CLAIMS)
    return next(claims, None)


def _state_of(event: Event) -> State | None:
    match event.kind:
        case EventKind.RAISED | EventKind.REOPENED:
            return State.OPEN
        case EventKind.RERAISED:
            return State.OPEN if event.new_evidence else None
        case EventKind.CLAIMED_FIXED | EventKind.CLAIMED_REFUTED | EventKind.CLAIMED_FILED:
            return State.CLAIMED
        case EventKind.AGREED:
            return SETTLED_AS[event.disposition] if event.disposition else None
        case EventKind.OBJECTED | EventKind.STOOD:
            return State.DISPUTED
        case EventKind.ESCALATED:
            return State.NEEDS_HUMAN
        case EventKind.WITHDRAWN | EventKind.GONE:
            return State.WITHDRAWN
        case EventKind.FIXED:
            return State.FIXED
        case EventKind.RULED:
            return SETTLED_AS[event.disposition] if event.disposition else State.OPEN
        case EventKind.SUPPRESSED:
            return State.SUPPRESSED
        case EventKind.REVOKED:
            return None
        case _:
            assert_never(event.kind)
