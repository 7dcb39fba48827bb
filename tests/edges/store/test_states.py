"""The view of states and the rule that folds them, held against each other on random histories."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from harness.edges.store import SqliteStore
from harness.edges.store.standings import standing_from, standings_of
from harness.edges.store.stories import read_stories
from harness.facts.entries import Disposition, Event, EventKind

SCOPES = ("pr:5", "file:a.py", "repo")
NAMES = count(1)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    store = SqliteStore.open(tmp_path_factory.mktemp("states") / "store.db")
    yield store
    store.close()


@some.composite
def histories(draw: some.DrawFn) -> list[dict[str, Any]]:
    """Up to twelve events as fields: all kinds, few clocks and times, so that ties are common."""
    lines: list[dict[str, Any]] = []
    for number in range(draw(some.integers(1, 12))):
        kind = draw(some.sampled_from(EventKind)) if number else EventKind.RAISED
        if kind is EventKind.REVOKED:
            revoked = draw(some.integers(0, number - 1))
            lines.append({"kind": kind, "scope": lines[revoked]["scope"], "revokes": revoked})
        else:
            disposition = draw(some.sampled_from([None, *Disposition]))
            decides = kind in {EventKind.RULED, EventKind.AGREED, EventKind.OBJECTED}
            lines.append(
                {
                    "kind": kind,
                    "scope": draw(some.sampled_from(SCOPES)),
                    "by_person": draw(some.booleans()),
                    "new_evidence": kind is EventKind.RERAISED and draw(some.booleans()),
                    "disposition": disposition if decides else None,
                }
            )
        lines[-1] |= {"clock": draw(some.integers(1, 4)), "at": draw(some.integers(0, 1))}
    return lines


def told(made: Any, name: str, lines: list[dict[str, Any]]) -> list[Event]:
    events = []
    for number, line in enumerate(lines):
        fields = dict(line)
        fields["at"] = made.noon + timedelta(seconds=fields["at"])
        if "revokes" in fields:
            fields["revokes"] = f"{name}-{fields['revokes']:02}"
        events.append(made.event(f"{name}-{number:02}", name, fields.pop("kind"), **fields))
    return events


@settings(max_examples=150, deadline=None)
@given(lines=histories())
def test_the_view_and_the_rule_agree(
    shared: SqliteStore, made: Any, lines: list[dict[str, Any]]
) -> None:
    name = f"agree-{next(NAMES)}"

    shared.join_events([made.entry(name)], [], told(made, name, lines))

    (story,) = read_stories(shared._records, [f"entry-{name}"])
    by_rule = {
        (one.scope, one.state.value, one.by_person, (one.claim or "") and one.claim.value)
        for one in standings_of(story)
    }
    by_view = {
        (row["scope"], row["state"], bool(row["by_person"]), row["claim"])
        for row in shared._records.rows("SELECT * FROM states WHERE entry = ?", (story.entry.id,))
    }
    assert by_view == by_rule


@settings(max_examples=60, deadline=None)
@given(lines=histories(), data=some.data())
def test_two_machines_events_come_to_one_state_in_any_order(
    shared: SqliteStore, made: Any, lines: list[dict[str, Any]], data: some.DataObject
) -> None:
    one, other = f"one-{next(NAMES)}", f"other-{next(NAMES)}"
    order = data.draw(some.permutations(range(len(lines))))

    shared.join_events([made.entry(one)], [], told(made, one, lines))
    events = told(made, other, lines)
    for number in order:
        shared.join_events([made.entry(other)], [], [events[number]])
        shared.join_events([made.entry(other)], [], [events[number]])

    first, second = read_stories(shared._records, [f"entry-{one}", f"entry-{other}"])
    for scope in (*SCOPES, "pr:6"):
        seen = [standing_from(story, scope) for story in (first, second)]
        states = [s and (s.scope, s.state, s.by_person, s.claim, s.precedent) for s in seen]
        assert states[0] == states[1]


def test_the_store_is_readable_through_its_views(tmp_path: Path, made: Any) -> None:
    store = SqliteStore.open(tmp_path / "store.db")
    store.record_events([made.entry("one")], [], made.refuted("one"))
    store.record_events([made.entry("two")], [], [made.event("two-1", "two", "raised")])
    store.record_events([], [], [made.event("two-2", "two", "escalated", actor="bob")])

    settled = store._records.rows("SELECT * FROM settled")
    disputes = store._records.rows("SELECT title, state, by FROM disputes")

    (row,) = settled
    assert {name: row[name] for name in ("repo", "title", "file", "scope", "state", "by")} == {
        "repo": 1,
        "title": "one",
        "file": "a.py",
        "scope": "pr:5",
        "state": "refuted",
        "by": "ann",
    }
    assert (row["reasoning"], row["claimed_by"]) == ("because of one-3", "bob")
    assert row["claim_evidence"] == '[{"kind":"quote","file":"a.py","line":1,"text":"x = 1"}]'
    assert disputes == [{"title": "two", "state": "needs_human", "by": "bob"}]
    store.close()
