"""Who takes the place of an agent that is none of the two any more: the one of its vendor.

The two are of different vendors, so there is always exactly one. Its place is all that it takes:
what it wrote it does not review next, what it claimed it does not rule on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from harness.facts.case import Told
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.points import Point
from harness.facts.trees import CommitRow
from harness.facts.turns import AgentPin, Provider

Two = Mapping[Provider, str]
"""The name of each of the two, by vendor."""


def is_gone(pin: AgentPin, two: Two) -> bool:
    """Whether whoever is asked so is none of the two any more."""
    return two.get(pin.provider) != pin.agent


def heir_of(pin: AgentPin, two: Two) -> str:
    """The one of the two that it is now."""
    return two.get(pin.provider, pin.agent)


def heirs(pins: Iterable[AgentPin], two: Two) -> dict[str, str]:
    """The same by name; `pins` come oldest first, and the newest of a name counts."""
    return {pin.agent: heir_of(pin, two) for pin in pins}


def inherit_told(told: Told, pin: AgentPin, two: Two) -> Told:
    """What was asked of somebody who is gone, as its heir's.

    What was recorded or committed stays, and so do changes that wait to be committed; any other
    answer that was not used is asked for anew, of the heir.
    """
    if not is_gone(pin, two):
        return told
    heir = told.model_copy(update={"agent": heir_of(pin, two)})
    if _is_used(told):
        return heir
    reason = f"{pin.agent} is none of the two agents any more"
    return heir.model_copy(update={"result": Ending.SUPERSEDED, "reason": reason})


def inherit_rows(rows: Iterable[CommitRow], by_name: Mapping[str, str]) -> tuple[CommitRow, ...]:
    """Commits, each by who stands for its agent now."""
    return tuple(
        row.model_copy(update={"agent": by_name.get(row.agent, row.agent)}) for row in rows
    )


def inherit_points(points: Iterable[Point], by_name: Mapping[str, str]) -> tuple[Point, ...]:
    """Points, each raised and claimed by who stands for its agent now."""
    return tuple(
        point.model_copy(
            update={
                "raised_by": by_name.get(point.raised_by, point.raised_by),
                "claimed_by": by_name.get(point.claimed_by, point.claimed_by),
            }
        )
        for point in points
    )


def _is_used(told: Told) -> bool:
    if told.result is not Ending.REPLIED or told.recorded:
        return True
    waits = told.edited and not told.committed
    return waits or told.kind is ExchangeKind.IMPLEMENT
