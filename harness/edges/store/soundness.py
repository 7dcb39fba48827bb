"""Whether a store is whole: its pages as SQLite checks them, and everything the migrations make."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from harness.edges.store.opening import migrations

if TYPE_CHECKING:
    from sqlite_utils import Database

_SHOWN = 5
_NAMES = "SELECT type || ' ' || name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"


def find_damage(database: Database) -> str:
    """What is damaged or missing, "" where nothing is; reads the whole file."""
    try:
        said = [str(row[0]) for row in database.conn.execute("PRAGMA quick_check")]
        there = {str(row[0]) for row in database.conn.execute(_NAMES)}
    except sqlite3.Error as error:
        return str(error)
    if said != ["ok"]:
        return "; ".join(said[:_SHOWN])
    missing = sorted(_made() - there)
    return f"it lacks the {', '.join(missing[:_SHOWN])}" if missing else ""


def _made() -> set[str]:
    """All that the migrations make."""
    with closing(sqlite3.connect(":memory:")) as empty:
        for sql in migrations():
            empty.executescript(sql)
        return {str(row[0]) for row in empty.execute(_NAMES)}
