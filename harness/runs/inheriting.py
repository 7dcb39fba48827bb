"""Agents that the config does not name any more: their open questions end, the heir goes on."""

from __future__ import annotations

from harness.facts.journal import Ended, Ending
from harness.rules.heirs import Two, heirs, is_gone
from harness.runs.desk import Desk


def the_two_of(desk: Desk) -> Two:
    """The two agents of this repository, by vendor."""
    return {desk.settings.agents[name].provider: name for name in desk.agents}


def heirs_of(desk: Desk, item: int) -> dict[str, str]:
    """Who stands now for whoever was asked about this item."""
    pins = (one.brief.pin for one in desk.store.exchanges(desk.repo_id, item))
    return heirs(pins, the_two_of(desk))


def supersede_gone(desk: Desk, item: int) -> None:
    """End what was asked of an agent that is none of the two any more; 0 is triage."""
    two = the_two_of(desk)
    for one in desk.store.exchanges(desk.repo_id, item):
        pin = one.brief.pin
        if one.result is None and is_gone(pin, two):
            reason = f"{pin.agent} ({pin.provider}) is none of the two agents any more"
            row = Ended(result=Ending.SUPERSEDED, reason=reason)
            desk.store.append(one.id, row, desk.clock.now())
