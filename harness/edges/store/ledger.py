"""Record half: the ledger, entries, their other wordings, and events that are only ever added.

An event told again is the same event, by its id. Two tellers who raise the same key at the same
time make one entry: the later id becomes a twin of the earlier one, here and in every event.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from harness.edges.store.columns import as_json, stamp
from harness.edges.store.family import Family
from harness.edges.store.pen import Line, Row
from harness.edges.store.standings import standing_from, standings_of
from harness.edges.store.stories import read_events_of_run, read_stories
from harness.errors import StoreError
from harness.facts.entries import Entry, EntryKey, Event, Standing
from harness.facts.matching import Plan

KNOWN = """
WITH keys (repo, title_key, file) AS (
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
  FROM json_each(?))
SELECT e.id FROM keys k CROSS JOIN entries e
ON e.repo = k.repo AND e.title_key = k.title_key AND e.file = k.file
UNION
SELECT a.entry FROM keys k CROSS JOIN aliases a
ON a.repo = k.repo AND a.title_key = k.title_key AND a.file = k.file
"""
IN_FILES = """
SELECT e.id FROM json_each(:files) f CROSS JOIN entries e ON e.repo = :repo AND e.file = f.value
UNION
SELECT a.entry FROM json_each(:files) f CROSS JOIN aliases a ON a.repo = :repo AND a.file = f.value
"""
BY_ID = """
SELECT coalesce(t.entry, j.value) AS id FROM json_each(?) j LEFT JOIN twins t ON t.id = j.value
"""
NAMED = """
SELECT id FROM entries WHERE id >= :prefix AND id < :prefix || char(1114111)
UNION
SELECT id FROM entries
WHERE fingerprint >= :print AND fingerprint < :print || char(1114111)
"""
PAGE = """
SELECT entry, scope, at, id FROM events
WHERE (at, id) < (:at, :id) AND repo = coalesce(:repo, repo) AND scope = coalesce(:scope, scope)
ORDER BY at DESC, id DESC LIMIT 500
"""
OF_STATE = """
SELECT entry, scope FROM states
WHERE entry IN (SELECT value FROM json_each(:entries)) AND state = coalesce(:state, state)
"""
RECORD = """
INSERT INTO recorded (exchange, run, repo, item, held, at)
VALUES (:exchange, :run, :repo, :item, :held, :at)
ON CONFLICT (exchange) DO UPDATE SET held = excluded.held, run = excluded.run
"""


class Ledger(Family):
    """The tables entries, twins, aliases, events and recorded."""

    def known(self, keys: Iterable[tuple[int, str, str]], scope: str) -> tuple[Standing, ...]:
        asked = json.dumps(sorted(set(keys)))
        return self._seen(self._records.rows(KNOWN, (asked,)), scope)

    def in_files(self, repo_id: int, files: Iterable[str], scope: str) -> tuple[Standing, ...]:
        asked: Line = {"repo": repo_id, "files": json.dumps(sorted(set(files)))}
        return self._seen(self._records.rows(IN_FILES, asked), scope)

    def by_id(self, entry_ids: Iterable[str], scope: str) -> tuple[Standing, ...]:
        asked = json.dumps(sorted(set(entry_ids)))
        return self._seen(self._records.rows(BY_ID, (asked,)), scope)

    def in_scope(self, repo_id: int, scope: str) -> tuple[Standing, ...]:
        question = "SELECT DISTINCT entry AS id FROM events WHERE repo = ? AND scope = ?"
        return self._seen(self._records.rows(question, (repo_id, scope)), scope)

    def events_of_run(self, repo_id: int, run_id: str) -> tuple[Event, ...]:
        return read_events_of_run(self._records, repo_id, run_id)

    def next_ordinal(self, key: EntryKey) -> int:
        return 1 + self._records.number(
            "SELECT max(ordinal) FROM entries WHERE repo = ? AND title_key = ? AND file = ?",
            (key.repo_id, key.title_key, key.file),
        )

    def entry(self, id_prefix: str) -> tuple[Standing, ...]:
        bare = id_prefix.removeprefix("v1:")
        rows = self._records.rows(NAMED, {"prefix": bare, "print": f"v1:{bare}"})
        stories = read_stories(self._records, (row["id"] for row in rows)) if bare else ()
        return tuple(standing for story in stories for standing in standings_of(story))

    def record_events(
        self,
        entries: Sequence[Entry],
        aliases: Sequence[tuple[str, str, str]],
        events: Sequence[Event],
    ) -> None:
        with self._records.writing():
            self._record(entries, aliases)
            for event in events:
                entry = self._entry_row(event.entry_id)
                clock = self._records.number(
                    "SELECT max(clock) FROM events WHERE entry = ?", (entry["id"],)
                )
                self._add(event, entry, clock + 1)

    def join_events(
        self,
        entries: Sequence[Entry],
        aliases: Sequence[tuple[str, str, str]],
        events: Sequence[Event],
    ) -> None:
        """What another machine recorded, with its clocks; in any order, any number of times."""
        with self._records.writing():
            self._record(entries, aliases)
            for event in events:
                self._add(event, self._entry_row(event.entry_id), event.clock)

    def record_reply(
        self,
        exchange_id: str,
        repo_id: int,
        item: int,
        plan: Plan,
        held: tuple[str, ...],
        at: datetime,
        run_id: str = "",
    ) -> None:
        row: Line = {
            "exchange": exchange_id,
            "run": run_id,
            "repo": repo_id,
            "item": item,
            "held": as_json(held),
            "at": stamp(at),
        }
        with self._records.writing():
            self.record_events(plan.entries, plan.aliases, plan.events)
            self._records.change(RECORD, row)

    def recorded(self, repo_id: int, item: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
        rows = self._records.rows(
            "SELECT exchange, held FROM recorded WHERE repo = ? AND item = ? ORDER BY at, exchange",
            (repo_id, item),
        )
        return tuple((row["exchange"], tuple(json.loads(row["held"]))) for row in rows)

    def list_standings(
        self, repo_id: int | None, *, state: str | None, scope: str | None, limit: int
    ) -> tuple[Standing, ...]:
        found: list[Standing] = []
        with self._records.reading():
            for page in self._pages(repo_id, scope):
                found += self._of_state(page, state)
                if len(found) >= limit:
                    break
        return tuple(found[:limit])

    def _pages(self, repo_id: int | None, scope: str | None) -> Iterator[list[tuple[str, str]]]:
        """(entry id, scope) by their newest event, newest first, page by page."""
        seen: set[tuple[str, str]] = set()
        values: Line = {"repo": repo_id, "scope": scope, "at": "a", "id": ""}
        while rows := self._records.rows(PAGE, values):
            page = dict.fromkeys((row["entry"], row["scope"]) for row in rows)
            yield [one for one in page if one not in seen]
            seen.update(page)
            values |= {"at": rows[-1]["at"], "id": rows[-1]["id"]}

    def _of_state(self, page: list[tuple[str, str]], state: str | None) -> list[Standing]:
        values: Line = {"entries": json.dumps(sorted({entry for entry, _ in page})), "state": state}
        rows = self._records.rows(OF_STATE, values)
        wanted = {(row["entry"], row["scope"]) for row in rows}.intersection(page)
        stories = read_stories(self._records, (entry for entry, _ in wanted))
        told = {
            (standing.entry.id, standing.scope): standing
            for story in stories
            for standing in standings_of(story)
        }
        return [told[one] for one in page if one in wanted and one in told]

    def _seen(self, rows: Iterable[Row], scope: str) -> tuple[Standing, ...]:
        stories = read_stories(self._records, (row["id"] for row in rows))
        seen = (standing_from(story, scope) for story in stories)
        return tuple(standing for standing in seen if standing)

    def _record(self, entries: Sequence[Entry], aliases: Sequence[tuple[str, str, str]]) -> None:
        for entry in entries:
            self._add_entry(entry)
        for entry_id, title_key, file in aliases:
            entry_row = self._entry_row(entry_id)
            if (title_key, file) != (entry_row["title_key"], entry_row["file"]):
                alias: Line = {"entry": entry_row["id"], "repo": entry_row["repo"]}
                alias |= {"title_key": title_key, "file": file}
                self._records.insert("aliases", alias, known="IGNORE")

    def _add_entry(self, entry: Entry) -> None:
        key = entry.key
        known = self._records.row(
            "SELECT id FROM entries WHERE repo = ? AND title_key = ? AND file = ? AND ordinal = ?",
            (key.repo_id, key.title_key, key.file, key.ordinal),
        )
        if known is None:
            row = entry.model_dump(exclude={"key"}) | {"created_at": stamp(entry.created_at)}
            row |= key.model_dump(exclude={"repo_id"}) | {"repo": key.repo_id}
            self._records.insert("entries", row)
        elif known["id"] != entry.id:
            twin = {"id": entry.id, "entry": known["id"]}
            self._records.insert("twins", twin, known="IGNORE")

    def _entry_row(self, entry_id: str) -> Row:
        row = self._records.row(
            "SELECT id, repo, title_key, file FROM entries"
            " WHERE id = coalesce((SELECT entry FROM twins WHERE id = ?1), ?1)",
            (entry_id,),
        )
        if row is None:
            raise StoreError(f"the ledger knows no entry {entry_id}")
        return row

    def _add(self, event: Event, entry: Row, clock: int) -> None:
        row = event.model_dump(
            exclude={"entry_id", "run_id", "evidence", "anchor", "finding", "disposition"}
        )
        self._records.insert(
            "events",
            row
            | {
                "entry": entry["id"],
                "repo": entry["repo"],
                "run": event.run_id,
                "clock": clock,
                "at": stamp(event.at),
                "evidence": as_json(event.evidence),
                "anchor": as_json(event.anchor),
                "finding": as_json(event.finding),
                "disposition": event.disposition or "",
            },
        )
