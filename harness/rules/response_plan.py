"""What the author's answers come to: claims, which settle nothing until somebody else rules.

What an agent refutes of its own findings is withdrawn. Refuted or filed without evidence that
checks, and fixed without a change, are not claimed: the point stays open and the host notes it; the
second time a person is needed.
"""

from __future__ import annotations

from collections.abc import Collection

from harness.facts.entries import EventKind, Standing, State
from harness.facts.matching import Plan, SettleContext
from harness.facts.replies import DispositionReply
from harness.rules.history import HOST, fell_count, opened_at
from harness.rules.raising import as_evidence
from harness.rules.telling import Telling

MOST_FALLEN = 2

_CLAIMS = {
    "fixed": EventKind.CLAIMED_FIXED,
    "refuted": EventKind.CLAIMED_REFUTED,
    "filed": EventKind.CLAIMED_FILED,
}


def plan_response(
    dispositions: tuple[DispositionReply, ...],
    fallen: Collection[str],
    context: SettleContext,
    new_head: str,
) -> Plan:
    """What is recorded of them; `new_head` is the commit of what was changed, "" when nothing was.

    A claimed fix whose evidence did not check is claimed without it: its reviewer looks anyway.
    Where HEAD moved since the point was opened, a person may have fixed it: it can be claimed so.
    """
    telling = Telling(context)
    shown = dict(context.shown)
    for one in dispositions:
        standing = telling.standings.get(shown.get(one.handle, ""))
        if standing is None or standing.state not in {State.OPEN, State.DISPUTED}:
            continue
        if one.action == "refuted" and standing.finding.raised_by == context.actor:
            _withdraw(telling, one, standing)
        elif one.action == "fixed" and not new_head and opened_at(standing) == context.head:
            _note_fallen(telling, one, standing, "claimed fixed, but nothing was changed")
        elif one.action != "fixed" and one.handle in fallen:
            _note_fallen(telling, one, standing, f"claimed {one.action}, which did not check")
        else:
            telling.tell(
                one.handle,
                standing.entry.id,
                _CLAIMS[one.action],
                reasoning=one.reasoning,
                evidence=() if one.handle in fallen else as_evidence(one.evidence),
            )
    return telling.plan()


def _withdraw(telling: Telling, one: DispositionReply, standing: Standing) -> None:
    """Who refutes what it raised itself gives it up: that needs no proof and no other's word."""
    telling.tell(
        one.handle,
        standing.entry.id,
        EventKind.WITHDRAWN,
        reasoning=one.reasoning,
        evidence=as_evidence(one.evidence),
    )


def _note_fallen(telling: Telling, one: DispositionReply, standing: Standing, why: str) -> None:
    """The point is put again as it was: a repeat by the host, which says nothing of its state."""
    before = fell_count(standing)
    telling.tell(
        one.handle,
        standing.entry.id,
        EventKind.RERAISED,
        actor=HOST,
        reasoning=f"{telling.context.actor} {why}: {one.reasoning}",
        finding=standing.finding,
    )
    if before + 1 >= MOST_FALLEN:
        why = f"{telling.context.actor} {why}, for the second time"
        telling.tell(one.handle, standing.entry.id, EventKind.ESCALATED, reasoning=why)
