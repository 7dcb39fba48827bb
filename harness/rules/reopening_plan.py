"""What happens to points outside of any reply: their code changed, a person spoke or was called."""

from __future__ import annotations

from collections.abc import Mapping

from harness.facts.entries import Disposition, EventKind, Standing, State
from harness.facts.matching import Holding, Plan, SettleContext
from harness.facts.points import Point
from harness.rules.fold import SETTLED_AS
from harness.rules.history import is_gone
from harness.rules.telling import Telling, changed_anchor


def plan_reopenings(
    standings: tuple[Standing, ...], holdings: tuple[Holding, ...], context: SettleContext
) -> Plan:
    """Settled points whose code changed are open again; the event names the commit."""
    changed = {one.entry_id: one for one in holdings if one.verdict == "reopened"}
    telling = _telling(context, standings)
    for one in standings:
        entry_id = one.entry.id
        if entry_id in changed and _can_reopen(one):
            telling.tell(
                entry_id,
                entry_id,
                EventKind.REOPENED,
                reasoning=f"its code changed: {changed[entry_id].since}",
                anchor=changed[entry_id].anchor,
            )
    return telling.plan()


def plan_gone(
    standings: tuple[Standing, ...], holdings: tuple[Holding, ...], context: SettleContext
) -> Plan:
    """Settled points whose file is gone are closed as gone: should it return, they do not bind."""
    gone = {one.entry_id: one.since for one in holdings if one.verdict == "gone"}
    telling = _telling(context, standings)
    for one in standings:
        if one.entry.id in gone and _can_reopen(one):
            why = f"its file is gone: {gone[one.entry.id]}"
            telling.tell(one.entry.id, one.entry.id, EventKind.GONE, reasoning=why)
    return telling.plan()


def plan_lost_fixes(
    standings: tuple[Standing, ...], lost: Mapping[str, str], context: SettleContext
) -> Plan:
    """Points that were fixed by a commit (`lost`, by entry) that this head does not hold."""
    handles = {entry_id: f"{entry_id}@{sha}" for entry_id, sha in lost.items()}
    known = context.model_copy(update={"known": standings})
    telling = Telling(known, handles.values())
    for entry_id, sha in lost.items():
        why = f"the commit that fixed it is not in the branch: {sha}"
        telling.tell(handles[entry_id], entry_id, EventKind.REOPENED, reasoning=why)
    return telling.plan()


def plan_person_acted(standings: tuple[Standing, ...], context: SettleContext) -> Plan:
    """What waited for a person is open again once one acted."""
    telling = _telling(context, standings)
    for one in standings:
        if one.state is State.NEEDS_HUMAN:
            why = "a person acted"
            telling.tell(one.entry.id, one.entry.id, EventKind.REOPENED, reasoning=why)
    return telling.plan()


def plan_person_ruling(
    standing: Standing,
    disposition: Disposition | None,
    *,
    by: str,
    reasoning: str,
    context: SettleContext,
    scope: str = "",
) -> Plan:
    """A person's word on a point, which beats every agent's; None opens it again.

    `by` is a login whose write access was looked up; the same occasion (`context.exchange_id`)
    rules once, and what was ruled so already is not ruled again. `scope` widens it beyond the
    context's own.
    """
    telling = _telling(context, (standing,))
    if _is_ruled_so(standing, disposition, scope or context.scope):
        return telling.plan()
    telling.tell(
        standing.entry.id,
        standing.entry.id,
        EventKind.RULED,
        actor=by,
        by_person=True,
        reasoning=reasoning,
        disposition=disposition,
        scope=scope,
        anchor=changed_anchor(context, standing.entry.id),
    )
    return telling.plan()


def _is_ruled_so(standing: Standing, disposition: Disposition | None, scope: str) -> bool:
    said = disposition is not None and standing.state is SETTLED_AS[disposition]
    return said and standing.by_person and standing.scope == scope


def plan_escalation(points: tuple[Point, ...], reason: str, context: SettleContext) -> Plan:
    """A person has to settle these points; `context.known` holds their standings."""
    telling = _telling(context, context.known)
    for one in points:
        standing = telling.standings.get(one.entry_id)
        if standing is not None and standing.state is not State.NEEDS_HUMAN:
            telling.tell(one.entry_id, one.entry_id, EventKind.ESCALATED, reasoning=reason)
    return telling.plan()


def _telling(context: SettleContext, standings: tuple[Standing, ...]) -> Telling:
    known = context.model_copy(update={"known": standings})
    return Telling(known, [one.entry.id for one in standings])


def _can_reopen(standing: Standing) -> bool:
    settled = standing.state.is_settled and standing.state is not State.SUPPRESSED
    return settled and not is_gone(standing)
