from __future__ import annotations

from typing import Any, get_args

import pytest

from harness.edges.store import SqliteStore
from harness.errors import StoreError
from harness.facts.decisions import Decision, Outcome
from harness.facts.entries import Disposition, EventKind, State
from harness.facts.intents import Receipt
from harness.facts.journal import Ended, Ending, ExchangeKind
from harness.facts.trees import CommitRow


@pytest.fixture
def full(running: SqliteStore, made: Any) -> SqliteStore:
    """A store with a row in every guarded table."""
    store = running
    exchange = store.open_exchange("run", made.brief(), made.noon)
    store.ask(exchange.id, made.asked(1, 100), made.wide, made.day, made.noon)
    store.append(exchange.id, made.answered(1, 60), made.noon)
    open_one = store.open_exchange("run", made.brief(round=2), made.noon)
    store.ask(open_one.id, made.asked(1, 100), made.wide, made.day, made.noon)
    store.append(exchange.id, Ended(result=Ending.REPLIED, reason=""), made.noon)
    store.record_events([made.entry("one")], [], made.refuted("one"))
    store.open_intent(made.intent("greet"))
    store.attempt_intent("intent-greet", made.noon)
    store.turn_away("intent-greet")
    store.attempt_intent("intent-greet", made.noon)
    store.settle_intent("intent-greet", "delivered", "", Receipt(id=7), made.noon)
    store.record_commit(
        CommitRow(
            repo_id=1, sha="c" * 40, parent="", item=12, branch="b", agent="ann",
            exchange_id=exchange.id, at=made.noon,
        )
    )  # fmt: skip
    store.claim("item:1:12", made.noon)
    store.claim_tick("sweep", "2026-11-30T12", made.noon)
    store.end_run("run", at=made.noon, exit_code=0, reports=[])
    return store


def force(store: SqliteStore, sql: str) -> None:
    with store._records.writing():
        store._records.change(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE events SET reasoning = 'better'",
        "DELETE FROM events",
        "UPDATE entries SET title = 'better'",
        "DELETE FROM entries",
        "UPDATE journal SET at = at",
        "DELETE FROM journal",
        "INSERT OR REPLACE INTO journal SELECT * FROM journal",
        "UPDATE bodies SET body = '{}'",
        "INSERT OR REPLACE INTO bodies SELECT seq, '{}' FROM bodies",
        "DELETE FROM bodies",
        "UPDATE reserves SET spent = 0",
        "UPDATE reserves SET bound = 0 WHERE state = 'open'",
        "UPDATE reserves SET state = 'spent', bound = 0 WHERE state = 'open'",
        "DELETE FROM reserves",
        "UPDATE exchanges SET model = 'cheaper'",
        "UPDATE exchanges SET result = 'invalid' WHERE result <> ''",
        "DELETE FROM exchanges",
        "UPDATE runs SET exit_code = 3",
        "DELETE FROM runs",
        "UPDATE intents SET state = 'open', settled_at = '', receipt = 'null'",
        "UPDATE intents SET write = '{}'",
        "DELETE FROM intents",
        "UPDATE attempts SET n = 2",
        "DELETE FROM attempts",
        "UPDATE turned_away SET n = 2",
        "DELETE FROM turned_away",
        "UPDATE commits SET agent = 'bob'",
        "DELETE FROM commits",
        "UPDATE leases SET epoch = 0",
        "DELETE FROM leases",
        "UPDATE ticks SET owner = ''",
    ],
)  # fmt: skip
def test_what_was_written_stays(full: SqliteStore, sql: str) -> None:
    with pytest.raises(StoreError):
        force(full, sql)


def test_replacing_an_event_changes_nothing(full: SqliteStore) -> None:
    before = full._records.rows("SELECT * FROM events ORDER BY id")
    full._records.database.execute("PRAGMA recursive_triggers = OFF")
    columns = ", ".join(before[0]).replace("reasoning", "'better'")

    force(full, f"INSERT OR REPLACE INTO events SELECT {columns} FROM events")  # noqa: S608 - ours

    assert full._records.rows("SELECT * FROM events ORDER BY id") == before


def test_an_ended_exchange_takes_no_more_rows(full: SqliteStore, made: Any) -> None:
    (ended,) = [one for one in full.exchanges(1, 12) if one.result]

    with pytest.raises(StoreError, match="the exchange has ended"):
        full.append(ended.id, made.answered(2, 1), made.noon)


@pytest.mark.parametrize(
    ("table", "column", "values"),
    [
        ("events", "kind", list(EventKind)),
        ("events", "disposition", ["", *Disposition]),
        ("exchanges", "kind", list(ExchangeKind)),
        ("exchanges", "result", ["", *Ending]),
        ("outcomes", "outcome", list(Outcome)),
        ("decisions", "verdict", list(get_args(Decision.model_fields["verdict"].annotation))),
    ],
)
def test_a_closed_set_is_the_same_in_sql_and_in_code(
    store: SqliteStore, table: str, column: str, values: list[str]
) -> None:
    sql = store._records.rows("SELECT sql FROM sqlite_master WHERE name = ?", (table,))[0]["sql"]
    definition = sql.split(f"\n  {column} ", 1)[1].split(")),\n")[0].split("IN (", 1)[1]

    told = {word.strip(" '\n)") for word in definition.split(")")[0].split(",")}

    assert told == {str(value) for value in values}


def test_the_views_of_states_know_every_state(store: SqliteStore) -> None:
    sql = store._records.rows("SELECT group_concat(sql) AS sql FROM sqlite_master")[0]["sql"]

    assert [state for state in State if f"'{state.value}'" not in sql] == []
