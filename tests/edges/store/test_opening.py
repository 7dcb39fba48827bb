from __future__ import annotations

import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from harness.edges.store import SqliteStore
from harness.edges.store.locks import Locks
from harness.edges.store.opening import bring_up_to_date, connect, migrations, statements
from harness.errors import StoreError

JOURNAL_HALF = {"runs", "exchanges", "journal", "bodies", "reserves"}
RECORD_HALF = {
    *("repos", "items", "pulls", "commits", "checks", "builds"),
    *("approvals", "decisions", "outcomes"),
    *("entries", "twins", "aliases", "events", "recorded"),
    *(
        "intents",
        "attempts",
        "turned_away",
        "undone",
        "calls",
        "watermarks",
        "leases",
        "ticks",
        "etags",
    ),
}


def pragma(path: Path, name: str) -> Any:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]
    finally:
        connection.close()


def test_a_new_store_is_private_and_at_the_newest_version(path: Path) -> None:
    SqliteStore.open(path).close()

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert pragma(path, "user_version") == len(migrations())
    assert pragma(path, "journal_mode") == "wal"


def test_a_connection_waits_checks_keys_and_syncs_fully(store: SqliteStore) -> None:
    asked = ("busy_timeout", "foreign_keys", "synchronous", "recursive_triggers")

    told = [store._records.number(f"PRAGMA {name}") for name in asked]

    assert told == [30_000, 1, 2, 1]


def test_a_second_connection_of_a_process_lets_go_of_nothing_that_the_first_one_holds(
    path: Path, others: Any
) -> None:
    first = SqliteStore.open(path)
    second = SqliteStore.open(path)

    passer_by = others.start("start", path)  # opens the store and closes it, seemingly the last one
    others.tell(passer_by)
    assert passer_by.wait(30) == 0
    first.store_etag("after", "e", "")

    assert path.with_name(f"{path.name}-wal").exists()
    reader = others.start("read", path, "after")
    assert others.hear(reader) == "e"
    first.close()
    second.close()


def test_four_processes_start_together_on_one_new_file(path: Path, others: Any) -> None:
    processes = [others.start("start", path) for _ in range(4)]
    for process in processes:
        assert others.hear(process) == "ready"

    for process in processes:
        others.tell(process)

    assert [process.wait(30) for process in processes] == [0, 0, 0, 0]
    assert pragma(path, "user_version") == len(migrations())
    assert list((path.parent / "locks").iterdir()) == []


def test_a_whole_store_has_no_damage(store: SqliteStore) -> None:
    assert store.damage() == ""


@pytest.mark.parametrize("what", ["TABLE intents", "TRIGGER runs_stay"])
def test_what_is_missing_is_named(store: SqliteStore, path: Path, what: str) -> None:
    kind, name = what.split()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute(f"DROP {what}")
    connection.close()

    assert f"{kind.lower()} {name}" in store.damage()


def test_damaged_pages_are_seen(path: Path) -> None:
    SqliteStore.open(path).close()
    connection = sqlite3.connect(path)
    ((page,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'")
    connection.close()
    data = bytearray(path.read_bytes())
    data[4096 * (page - 1) : 4096 * page] = b"\x5a" * 4096
    path.write_bytes(data)

    store = SqliteStore.open(path)

    assert store.damage()
    store.close()


def test_a_newer_store_is_refused_in_one_sentence_and_left_alone(path: Path) -> None:
    SqliteStore.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(StoreError) as refusal:
        SqliteStore.open(path)

    assert str(refusal.value) == (
        f"the store {path} is of version 99, newer than this harness, which knows"
        f" {len(migrations())}: update the harness"
    )
    assert path.read_bytes() == before


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (text TEXT)")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(StoreError, match="another program's database"):
        SqliteStore.open(path)

    assert path.read_bytes() == before


@pytest.mark.parametrize("place", ["garbage", "folder"])
def test_what_cannot_be_opened_is_a_store_error_that_names_it(tmp_path: Path, place: str) -> None:
    path = tmp_path / place
    if place == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"no database at all, but long enough to look like one" * 20)

    with pytest.raises(StoreError, match=str(path)):
        SqliteStore.open(path)


def test_a_migration_finds_the_rows_that_were_there(path: Path) -> None:
    path.parent.mkdir()
    locks = Locks(path.parent / "locks")
    database = connect(path)
    bring_up_to_date(database, path, locks, migrations()[:1])
    database.execute(
        "INSERT INTO entries VALUES"
        " ('e1', 1, 'key', 'a.py', 1, 'Key', 'tests', 'v1:0123456789abcdef', ?)",
        ("2026-11-30T12:00:00.000000Z",),
    )
    add = "ALTER TABLE entries ADD COLUMN more TEXT NOT NULL DEFAULT 'none';\n"

    bring_up_to_date(database, path, locks, (*migrations(), add))

    rows = database.execute("SELECT id, more FROM entries").fetchall()
    assert rows == [("e1", "none")]
    assert database.execute("PRAGMA user_version").fetchone() == (len(migrations()) + 1,)
    database.close()


def test_a_migration_that_fails_leaves_nothing_behind(path: Path) -> None:
    SqliteStore.open(path).close()
    database = connect(path)
    broken = "CREATE TABLE half (a TEXT) STRICT;\nCREATE TABLE whole (a NONSENSE) STRICT;\n"

    with pytest.raises(sqlite3.OperationalError):
        bring_up_to_date(database, path, Locks(path.parent / "locks"), (*migrations(), broken))

    names = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    assert names.isdisjoint({"half", "whole"})
    assert database.execute("PRAGMA user_version").fetchone() == (len(migrations()),)
    database.close()


def test_a_trigger_is_one_statement() -> None:
    trigger = "CREATE TRIGGER t BEFORE DELETE ON x\nBEGIN SELECT 1; SELECT 2; END;\n"

    split = list(statements(f"SELECT 1;\n-- a note; with a stop\n{trigger}SELECT 3;\n"))

    assert split == ["SELECT 1;\n", f"-- a note; with a stop\n{trigger}", "SELECT 3;\n"]


def test_every_table_is_strict_and_no_key_joins_the_two_halves(store: SqliteStore) -> None:
    tables = store._records.rows("PRAGMA table_list")
    ours = [t for t in tables if t["type"] == "table" and not t["name"].startswith("sqlite_")]

    crossing = [
        (table["name"], key["table"])
        for table in ours
        for key in store._records.rows(f"PRAGMA foreign_key_list({table['name']})")
        if (table["name"] in JOURNAL_HALF) != (key["table"] in JOURNAL_HALF)
    ]

    assert [table["name"] for table in ours if not table["strict"]] == []
    assert crossing == []
    assert {table["name"] for table in ours} == JOURNAL_HALF | RECORD_HALF
