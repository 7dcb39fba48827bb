"""Opening a store file: created private, brought up to date whole, refused when it is not ours.

The version is the number of the last file of ledger/ that was run, in `PRAGMA user_version`.
Missing ones run inside one BEGIN IMMEDIATE: all or none, and one process only.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from harness.edges.private import make_folder
from harness.edges.store.locks import OPENING, Locks
from harness.errors import NewerStore, StoreError
from harness.rooms import data_room

if TYPE_CHECKING:
    from sqlite_utils import Database

BUSY_SECONDS = 30
APPLICATION_ID = 0x6861726E
OLDEST_SQLITE = (3, 37, 0)  # STRICT tables, https://sqlite.org/stricttables.html


def open_file(path: Path, locks: Locks) -> Database:
    """A connection to the store at `path`, made and migrated where it must be."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreError(f"the store needs SQLite 3.37 or newer, here is {sqlite3.sqlite_version}")
    try:
        _make_private(path)
        database = connect(path)
        try:
            bring_up_to_date(database, path, locks, migrations())
            path.chmod(0o600)
        except BaseException:
            database.conn.close()
            raise
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"the store {path} cannot be opened: {error}") from error
    return database


def connect(path: Path) -> Database:
    """A connection that waits for others, checks foreign keys and loses nothing at power loss."""
    from sqlite_utils import Database

    database = Database(sqlite3.connect(path, timeout=BUSY_SECONDS), execute_plugins=False)
    database.conn.execute("PRAGMA foreign_keys = ON")
    database.conn.execute("PRAGMA synchronous = FULL")
    return database


def bring_up_to_date(database: Database, path: Path, locks: Locks, files: tuple[str, ...]) -> None:
    """Run the missing migrations; StoreError when the file is newer, or no store at all."""
    if _version(database, path, len(files)) == len(files):
        return
    locks.wait_for(OPENING, BUSY_SECONDS)
    try:
        database.conn.execute("PRAGMA journal_mode = WAL")
        _migrate(database, path, files)
    finally:
        locks.drop(OPENING)


def migrations() -> tuple[str, ...]:
    """The SQL of all migrations in order, numbered 1, 2, ... without a gap."""
    paths = sorted(data_room("ledger").glob("[0-9][0-9][0-9]_*.sql"))
    numbers = [int(path.name[:3]) for path in paths]
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        raise StoreError(f"the migrations of this installation are incomplete: {numbers}")
    return tuple(path.read_text("utf-8") for path in paths)


def statements(sql: str) -> Iterator[str]:
    """The statements of a script, triggers whole."""
    gathered = ""
    for line in sql.splitlines(keepends=True):
        gathered += line
        if sqlite3.complete_statement(gathered):
            yield gathered
            gathered = ""


def _migrate(database: Database, path: Path, files: tuple[str, ...]) -> None:
    database.conn.execute("BEGIN IMMEDIATE")
    try:
        done = _version(database, path, len(files))
        for sql in files[done:]:
            for statement in statements(sql):
                database.conn.execute(statement)
        database.conn.execute(f"PRAGMA user_version = {len(files)}")
        database.conn.commit()
    except BaseException:
        database.conn.rollback()
        raise


def _version(database: Database, path: Path, known: int) -> int:
    version = _pragma(database, "user_version")
    if version > known:
        raise NewerStore(
            f"the store {path} is of version {version}, newer than this harness, which knows"
            f" {known}: update the harness"
        )
    tables = database.conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables and _pragma(database, "application_id") != APPLICATION_ID:
        raise StoreError(f"{path} is another program's database, not a store of the harness")
    return version


def _pragma(database: Database, name: str) -> int:
    return int(database.conn.execute(f"PRAGMA {name}").fetchone()[0])


def _make_private(path: Path) -> None:
    """Make the file if it is not there, and never open one that is.

    Closing any descriptor of it drops every lock this process holds on it, those of SQLite too, and
    another process then takes away the log that is being written to (howtocorrupt.html, 2.2).
    """
    make_folder(path.parent)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
