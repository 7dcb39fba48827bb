"""Entries with all that happened to them, read in three questions however many there are."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable

from harness.edges.store.columns import moment
from harness.edges.store.pen import Pen, Row
from harness.edges.store.standings import Story
from harness.facts.entries import Entry, EntryKey, Event

ENTRIES = """
SELECT * FROM entries WHERE id IN (SELECT value FROM json_each(?))
ORDER BY created_at, file, title_key, ordinal, id
"""
ALIASES = """
SELECT * FROM aliases WHERE entry IN (SELECT value FROM json_each(?)) ORDER BY title_key, file
"""
EVENTS = """
SELECT entry, json_object(
  'id', id, 'entry_id', entry, 'clock', clock, 'at', at, 'kind', kind, 'scope', scope,
  'actor', actor, 'by_person', json(iif(by_person, 'true', 'false')), 'run_id', run,
  'round', round, 'head', head, 'reasoning', reasoning, 'evidence', json(evidence),
  'anchor', json(anchor), 'disposition', nullif(disposition, ''), 'finding', json(finding),
  'new_evidence', json(iif(new_evidence, 'true', 'false')), 'revokes', revokes) AS event
FROM events WHERE entry IN (SELECT value FROM json_each(?))
"""
OF_RUN = "SELECT DISTINCT entry FROM events WHERE repo = ? AND run = ?"


def read_stories(pen: Pen, entry_ids: Iterable[str]) -> tuple[Story, ...]:
    """The stories of these entries, the oldest entry first; ids are random and order nothing."""
    ids = json.dumps(sorted(set(entry_ids)))
    with pen.reading():
        entries = pen.rows(ENTRIES, (ids,))
        aliases = _by_entry(pen.rows(ALIASES, (ids,)))
        events = _by_entry(pen.rows(EVENTS, (ids,)))
    return tuple(
        Story(
            entry=_entry(row),
            aliases=tuple((alias["title_key"], alias["file"]) for alias in aliases[row["id"]]),
            events=tuple(Event.model_validate_json(e["event"]) for e in events[row["id"]]),
        )
        for row in entries
    )


def read_events_of_run(pen: Pen, repo_id: int, run_id: str) -> tuple[Event, ...]:
    """What a run recorded in one repository and nothing revoked yet, oldest first."""
    with pen.reading():
        entries = [row["entry"] for row in pen.rows(OF_RUN, (repo_id, run_id))]
        rows = pen.rows(EVENTS, (json.dumps(entries),))
    events = [Event.model_validate_json(row["event"]) for row in rows]
    revoked = {event.revokes for event in events}
    mine = (one for one in events if one.run_id == run_id and one.id not in revoked)
    return tuple(sorted(mine, key=lambda event: (event.at, event.id)))


def _by_entry(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["entry"]].append(row)
    return found


def _entry(row: Row) -> Entry:
    return Entry(
        id=row["id"],
        key=EntryKey(
            repo_id=row["repo"],
            title_key=row["title_key"],
            file=row["file"],
            ordinal=row["ordinal"],
        ),
        title=row["title"],
        category=row["category"],
        fingerprint=row["fingerprint"],
        created_at=moment(row["created_at"]),
    )
