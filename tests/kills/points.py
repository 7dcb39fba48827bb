"""Every row a story writes, by a name that does not change when it is told again after a kill.

A request that is repeated after a kill, a turn in which the agent does again what was interrupted,
and a second attempt at a write have the names of the first, so that a name that was not there
before means that the story went on.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.stories.stage import Stage

JOURNAL = """
SELECT j.exchange, x.kind || ' ' || x.item || ' ' || x.agent || ' ' || x.round || '.' || x.try,
  j.row, j.call, b.body
FROM journal j JOIN exchanges x ON x.id = j.exchange JOIN bodies b ON b.seq = j.seq
ORDER BY j.seq
"""
OTHERS = """
SELECT 'intent.' || kind || ' ' || item || ' ' || purpose FROM intents
UNION ALL SELECT 'attempt.' || kind || ' ' || item || ' ' || purpose FROM intents
  WHERE id IN (SELECT intent FROM attempts)
UNION ALL SELECT state || '.' || kind || ' ' || item || ' ' || purpose FROM intents
  WHERE state <> 'open'
UNION ALL SELECT 'commit ' || sha FROM commits
UNION ALL SELECT 'check ' || sha FROM checks
UNION ALL SELECT 'recorded ' || exchange FROM recorded
UNION ALL SELECT 'event ' || id FROM events
UNION ALL SELECT 'undone ' || item || ' ' || run FROM undone
UNION ALL SELECT 'decision ' || issue || ' ' || made_on FROM decisions
UNION ALL SELECT 'call ' || item || ' ' || at FROM calls
UNION ALL SELECT 'pull ' || number || ' ' || state || ' ' || status_comment FROM pulls
UNION ALL SELECT 'outcome ' || item || ' ' || outcome FROM outcomes
UNION ALL SELECT 'ended run' FROM runs WHERE ended_at <> ''
"""

Json = dict[str, Any]  # Any: the body of a row


@dataclass
class Exchange:
    """What was said so far: different turns, and the calls in them by id."""

    turns: set[str] = field(default_factory=set)
    calls: dict[str, str] = field(default_factory=dict)


def row_names(database: sqlite3.Connection) -> frozenset[str]:
    """The names of all rows that can be seen on this connection, uncommitted ones included."""
    others = (name for (name,) in database.execute(OTHERS))
    return frozenset((*_journal_names(database), *others))


def rows_of(stage: Stage) -> frozenset[str]:
    """The names of all rows of a stage's store."""
    database = sqlite3.connect(stage.state / "store.db", timeout=30)
    try:
        return row_names(database)
    finally:
        database.close()


def _journal_names(database: sqlite3.Connection) -> Iterator[str]:
    told: dict[str, Exchange] = defaultdict(Exchange)
    for key, question, row, call, body in database.execute(JOURNAL):
        exchange = told[key]
        yield f"{row} {question} {_place(exchange, row, call, json.loads(body))}"


def _place(exchange: Exchange, row: str, call: str, body: Json) -> str:
    match row:
        case "answered":
            calls = [(one["id"], _said(one)) for one in body["turn"]["calls"]]
            turn = json.dumps([body["turn"]["text"], *(said for _, said in calls)])
            exchange.turns.add(turn)
            at = len(exchange.turns)
            exchange.calls |= {one: f"{at} {said}" for one, said in calls}
            return turn
        case "started" | "done":
            return exchange.calls[call]
        case _:
            return str(len(exchange.turns))


def _said(call: Json) -> str:
    return f"{call['name']} {call['arguments']}"
