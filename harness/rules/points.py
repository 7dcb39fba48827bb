"""Points of a scope as custody sees them, and what each asks for."""

from __future__ import annotations

from collections.abc import Iterable

from harness.facts.entries import Standing, State
from harness.facts.findings import Severity
from harness.facts.matching import Holding
from harness.facts.places import Place
from harness.facts.points import Point
from harness.rules.anchors import place_of
from harness.rules.history import (
    again_count,
    claimed_by,
    ever_in_scope,
    gravest,
    newest_claim,
    stood_count,
)

_UNSETTLED = frozenset({State.OPEN, State.CLAIMED, State.DISPUTED, State.NEEDS_HUMAN})


def as_points(standings: Iterable[Standing], holdings: Iterable[Holding] = ()) -> tuple[Point, ...]:
    """The points of these standings, placed at the head where the holdings say so."""
    places = {one.entry_id: one.place for one in holdings if one.place is not None}
    return tuple(_as_point(one, places.get(one.entry.id)) for one in standings)


def is_gating(point: Point) -> bool:
    """Whether it must not be merged over: blocking, in scope, and not settled or fixed."""
    blocks = point.severity is Severity.BLOCKING and point.in_scope
    return blocks and point.state in _UNSETTLED


def is_for_author(point: Point) -> bool:
    """Whether the author has to answer it next."""
    return is_gating(point) and point.state in {State.OPEN, State.DISPUTED}


def is_for_ruling(point: Point) -> bool:
    """Whether somebody else than who claimed has to rule on it next."""
    return is_gating(point) and point.state is State.CLAIMED


def is_for_person(point: Point) -> bool:
    """Whether only a person can settle it."""
    return is_gating(point) and point.state is State.NEEDS_HUMAN


def is_settled(point: Point) -> bool:
    """Whether it binds the next reviewer."""
    return point.state.is_settled


def _as_point(standing: Standing, place: Place | None) -> Point:
    claim = newest_claim(standing)
    return Point(
        entry_id=standing.entry.id,
        title=standing.finding.title,
        place=place or place_of(standing.finding),
        severity=gravest(standing),
        in_scope=ever_in_scope(standing),
        state=standing.state,
        claim=standing.claim,
        raised_by=standing.finding.raised_by,
        claimed_by=claimed_by(standing),
        head_of_claim=claim.head if claim else "",
        stood_count=stood_count(standing),
        again_count=again_count(standing),
        finding=standing.finding,
    )
