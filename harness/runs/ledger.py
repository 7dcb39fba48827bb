"""The ledger as pages: entries with their states, or one entry with its whole story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.doors.store import Store
from harness.facts.entries import Event, Standing
from harness.facts.looking import EntryPage, EventLine, LedgerLine, LedgerPage

SHORT = 8  # characters of a fingerprint that people see


def read_ledger(
    store: Store, repo_id: int | None, *, state: str | None, scope: str | None, limit: int
) -> LedgerPage:
    """The newest entries in this state and scope; None asks for all."""
    found = store.list_standings(repo_id, state=state, scope=scope, limit=limit + 1)
    names = _names(store)
    lines = tuple(_line(one, names) for one in found[:limit])
    return LedgerPage(entries=lines, more=len(found) > limit)


def find_entries(store: Store, id_prefix: str) -> tuple[EntryPage, ...]:
    """Every entry whose id or fingerprint starts so, with its states in all scopes."""
    names = _names(store)
    by_entry: dict[str, list[Standing]] = {}
    for standing in store.entry(id_prefix):
        by_entry.setdefault(standing.entry.id, []).append(standing)
    return tuple(_page(standings, names) for standings in by_entry.values())


def _page(standings: Sequence[Standing], names: Mapping[int, str]) -> EntryPage:
    newest = max(standings, key=lambda one: _newest(one).at)
    lines = tuple(_line(one, names) for one in standings)
    told = {event.id: event for one in standings for event in one.events}
    events = sorted(told.values(), key=lambda event: (event.clock, event.at, event.id))
    entry = newest.entry
    return EntryPage(
        id=_short(newest),
        entry=entry.id,
        fingerprint=entry.fingerprint,
        repo=lines[0].repo,
        scopes=lines,
        aliases=newest.aliases,
        finding=newest.finding,
        events=tuple(_event(event) for event in events),
    )


def _line(standing: Standing, names: Mapping[int, str]) -> LedgerLine:
    entry, finding, newest = standing.entry, standing.finding, _newest(standing)
    return LedgerLine(
        id=_short(standing),
        entry=entry.id,
        repo=names.get(entry.key.repo_id, f"repository {entry.key.repo_id}"),
        title=finding.title,
        file=entry.key.file,
        category=finding.category,
        severity=finding.severity,
        scope=standing.scope,
        state=standing.state,
        claim=standing.claim,
        by_person=standing.by_person,
        raised_by=finding.raised_by,
        last_by=newest.actor,
        last_at=newest.at,
    )


def _event(event: Event) -> EventLine:
    return EventLine(
        event=event.id,
        at=event.at,
        kind=event.kind,
        scope=event.scope,
        actor=event.actor,
        by_person=event.by_person,
        disposition=event.disposition,
        round=event.round,
        head=event.head,
        run=event.run_id,
        reasoning=event.reasoning,
        evidence=event.evidence,
    )


def _newest(standing: Standing) -> Event:
    return max(standing.events, key=lambda event: (event.clock, event.at, event.id))


def _short(standing: Standing) -> str:
    return standing.entry.fingerprint.removeprefix("v1:")[:SHORT]


def _names(store: Store) -> dict[int, str]:
    return {repo.id: repo.slug for repo in store.repos()}
