"""Telling a story to the ledger: events with ids that a retelling has too.

Ids derive from (exchange, handle, kind), so that a story told again after a kill is the same one.
A handle whose events are recorded already is told again without events.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from harness.facts.entries import Disposition, Entry, Event, EventKind, Standing, State
from harness.facts.findings import Evidence, Finding
from harness.facts.matching import Plan, SettleContext
from harness.facts.places import Anchor
from harness.rules.fold import fold, last_put

_KINDS = tuple(kind.value for kind in EventKind)


def derive_id(exchange_id: str, handle: str, kind: str) -> str:
    """32 hex digits, the same for the same point of the same exchange."""
    return hashlib.sha256(f"{exchange_id}\0{handle}\0{kind}".encode()).hexdigest()[:32]


def changed_anchor(context: SettleContext, entry_id: str) -> Anchor | None:
    """The entry's lines at this head where they are no longer those it was raised on.

    Whoever settles it now looked at these: only when they change again is it open again.
    """
    holdings = (one for one in context.holdings if one.entry_id == entry_id)
    return next((one.anchor for one in holdings if one.verdict == "reopened"), None)


class Telling:
    """One story while it is told: the standings as it has them so far, and what to record.

    `standings` begin as they were before this exchange was recorded. `handles` are those it tells
    of beside the ones that were shown.
    """

    def __init__(self, context: SettleContext, handles: Iterable[str] = ()) -> None:
        self.context = context
        mine = {
            derive_id(context.exchange_id, handle, kind): handle
            for handle in {*handles, *dict(context.shown)}
            for kind in _KINDS
        }
        events = [event for standing in context.known for event in standing.events]
        self._recorded = {mine[event.id]: event.entry_id for event in events if event.id in mine}
        own = frozenset(mine)
        self._clocks: dict[str, int] = {}
        for event in events:
            self._clocks[event.entry_id] = max(self._clocks.get(event.entry_id, 0), event.clock)
        self.standings = {
            one.entry.id: before
            for one in reversed(context.known)
            if (before := _before(one, own)) is not None
        }
        self._entries: list[Entry] = []
        self._aliases: list[tuple[str, str, str]] = []
        self._events: list[Event] = []

    def tell(
        self,
        handle: str,
        entry_id: str,
        kind: EventKind,
        *,
        reasoning: str = "",
        evidence: tuple[Evidence, ...] = (),
        anchor: Anchor | None = None,
        disposition: Disposition | None = None,
        finding: Finding | None = None,
        new_evidence: bool = False,
        actor: str = "",
        by_person: bool = False,
        scope: str = "",
    ) -> None:
        """Something happened to an entry."""
        context = self.context
        if handle not in self._recorded:
            self._clocks[entry_id] = self._clocks.get(entry_id, 0) + 1
        event = Event(
            id=derive_id(context.exchange_id, handle, kind.value),
            entry_id=entry_id,
            clock=self._clocks.get(entry_id, 1),
            at=context.at,
            kind=kind,
            scope=scope or context.scope,
            actor=actor or context.actor,
            by_person=by_person,
            run_id=context.run_id,
            round=context.round,
            head=context.head,
            reasoning=reasoning,
            evidence=evidence,
            anchor=anchor,
            disposition=disposition,
            finding=finding,
            new_evidence=new_evidence,
        )
        if handle not in self._recorded:
            self._events.append(event)
        self._take_in(event)

    def enter(self, handle: str, entry: Entry, finding: Finding) -> None:
        """An entry is made for a finding."""
        if handle not in self._recorded:
            self._entries.append(entry)
        self.standings[entry.id] = Standing(
            entry=entry,
            scope=self.context.scope,
            state=State.OPEN,
            by_person=False,
            claim=None,
            finding=finding,
            events=(),
            aliases=(),
        )

    def alias(self, handle: str, entry_id: str, title_key: str, file: str) -> None:
        """An entry is known by another wording (or file) from now on."""
        if handle not in self._recorded:
            self._aliases.append((entry_id, title_key, file))

    def plan(self) -> Plan:
        """What is to be recorded."""
        return Plan(
            entries=tuple(self._entries),
            aliases=tuple(dict.fromkeys(self._aliases)),
            events=tuple(self._events),
            met=(),
        )

    def _take_in(self, event: Event) -> None:
        standing = self.standings[event.entry_id]
        if standing.scope != event.scope:
            standing = standing.model_copy(update={"scope": event.scope})
        self.standings[event.entry_id] = _refold(standing, (*standing.events, event))


def _before(standing: Standing, mine: frozenset[str]) -> Standing | None:
    """The standing without what this exchange recorded; None when that is all there is."""
    kept = tuple(event for event in standing.events if event.id not in mine)
    if len(kept) == len(standing.events):
        return standing
    if not kept:
        return None
    scopes = [event.scope for event in kept]
    scope = standing.scope if standing.scope in scopes else scopes[-1]
    return _refold(standing.model_copy(update={"scope": scope}), kept)


def _refold(standing: Standing, events: tuple[Event, ...]) -> Standing:
    """The standing with this history, of which only its own scope makes its state."""
    folded = fold(event for event in events if event.scope == standing.scope)
    return standing.model_copy(
        update={
            "state": folded.state,
            "by_person": folded.by_person,
            "claim": folded.claim,
            "events": events,
            "finding": last_put(events) or standing.finding,
        }
    )
