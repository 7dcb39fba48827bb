"""What the history of an entry says: who claims what, and how often it was argued.

Counting starts over where a point was opened: raised, reopened, or raised again with new evidence
(re-raises themselves are counted over all of these but a reopening).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from harness.facts.entries import Disposition, Event, EventKind, Standing, State
from harness.facts.findings import Finding, Severity
from harness.rules.fold import CLAIMS, deciding_event, fold, in_order

HOST = "harness"  # the actor of what the host itself records

_GRAVITY = {Severity.NIT: 0, Severity.NON_BLOCKING: 1, Severity.BLOCKING: 2}
_OBJECTIONS = frozenset({EventKind.OBJECTED, EventKind.STOOD})


def is_opening(event: Event) -> bool:
    """Whether the point is open because of it."""
    counted = event.kind is EventKind.RERAISED and event.new_evidence
    return counted or event.kind in {EventKind.RAISED, EventKind.REOPENED}


def claimed_by(standing: Standing) -> str:
    """Who made the newest claim since it was opened, "" when nobody did."""
    claim = newest_claim(standing)
    return claim.actor if claim else ""


def newest_claim(standing: Standing) -> Event | None:
    """The newest claim since it was opened."""
    claims = [event for event in _since_opening(standing) if event.kind in CLAIMS]
    return claims[-1] if claims else None


def fix_commit(standing: Standing) -> str:
    """The commit that is said, or was agreed, to have fixed it; "" where there is none."""
    said = standing.state is State.CLAIMED and standing.claim is Disposition.FIXED
    agreed = standing.state is State.FIXED and not standing.by_person
    claim = newest_claim(standing)
    if claim is None or claim.kind is not EventKind.CLAIMED_FIXED:
        return ""
    return claim.head if said or agreed else ""


def opened_at(standing: Standing) -> str:
    """The head at which it was opened last."""
    openings = [event.head for event in in_order(standing.events) if is_opening(event)]
    return openings[-1] if openings else standing.finding.head


def stood_count(standing: Standing) -> int:
    """How often its claims were objected to, or its raiser stood, since it was opened."""
    return sum(1 for event in _since_opening(standing) if event.kind in _OBJECTIONS)


def fell_count(standing: Standing) -> int:
    """How often a claim about it did not check since it was opened."""
    return sum(1 for event in _since_opening(standing) if is_fallen_claim(event))


def is_fallen_claim(event: Event) -> bool:
    """Whether this is the host's note that a claim did not check: it carries no state."""
    return event.kind is EventKind.RERAISED and event.actor == HOST and not event.new_evidence


def again_count(standing: Standing) -> int:
    """How often it was raised again with new evidence since its code changed or a person acted."""
    story = _since(standing, lambda event: event.kind is EventKind.REOPENED)
    return sum(1 for event in story if event.kind is EventKind.RERAISED and event.new_evidence)


def was_blocking(standing: Standing) -> bool:
    """Whether anybody ever raised it as blocking."""
    raised = [event.finding for event in in_order(standing.events) if event.finding]
    findings = raised or [standing.finding]
    return any(finding.severity is Severity.BLOCKING for finding in findings)


def is_gone(standing: Standing) -> bool:
    """Whether it was closed with its file, not by an argument."""
    here = (event for event in standing.events if event.scope == standing.scope)
    deciding = deciding_event(in_order(here))
    return deciding is not None and deciding.kind is EventKind.GONE


def is_regression(standing: Standing) -> bool:
    """Whether it was fixed once and is back: raised anew since, and not settled."""
    if standing.state.is_settled or standing.state is State.FIXED:
        return False
    story = in_order(standing.events)
    raised = [at for at, event in enumerate(story) if event.kind is EventKind.RAISED]
    before = (
        [event for event in story[: raised[-1]] if event.kind is not EventKind.REOPENED]
        if raised
        else []
    )
    return bool(before) and fold(before).state is State.FIXED


def gravest(standing: Standing) -> Severity:
    """Its severity: what is open as blocking does not become a nit by being repeated as one."""
    return max((one.severity for one in _raised(standing)), key=_GRAVITY.__getitem__)


def ever_in_scope(standing: Standing) -> bool:
    """Whether anybody who raised it since it was opened called it this change's."""
    return any(one.in_scope for one in _raised(standing))


def _raised(standing: Standing) -> Iterator[Finding]:
    yield standing.finding
    story = _since(
        standing, lambda event: is_opening(event) and event.kind is not EventKind.REOPENED
    )
    yield from (event.finding for event in story if event.finding)


def _since_opening(standing: Standing) -> tuple[Event, ...]:
    return _since(standing, is_opening)


def _since(standing: Standing, starts: Callable[[Event], bool]) -> tuple[Event, ...]:
    """The newest event that starts it, and what came after; everything when none does."""
    story = in_order(standing.events)
    starting = [at for at, event in enumerate(story) if starts(event)]
    return story[starting[-1] :] if starting else story
