"""The one way to read and write a store file: a transaction that is whole or never was."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from harness.edges.store.columns import plain
from harness.errors import StoreError

if TYPE_CHECKING:
    from sqlite_utils import Database

Row = dict[str, Any]  # Any: a column of SQLite is text, a number or None
Value = str | int | float | None
Line = dict[str, Value]


def leave_open() -> None:
    """The guard of a pen that nobody has to hold a lease for."""


class Pen:
    """Reads and writes one database; `guard` runs first in every write and may raise LeaseLost.

    `mask` takes secrets out of words that came from the forge or from a command.
    """

    def __init__(
        self,
        database: Database,
        path: str,
        guard: Callable[[], None] = leave_open,
        mask: Callable[[str], str] = str,
    ) -> None:
        self.database = database
        self.path = path
        self.mask = mask
        self._guard = guard

    def guarded(self, guard: Callable[[], None]) -> Pen:
        """The same database, written only while `guard` does not raise."""
        return Pen(self.database, self.path, guard, self.mask)

    def unguarded(self) -> Pen:
        """The same database, written whoever holds a lease."""
        return Pen(self.database, self.path, mask=self.mask)

    def rows(self, sql: str, values: Sequence[Value] | Mapping[str, Value] = ()) -> list[Row]:
        """All rows of a question, by column name."""
        with self._translated():
            cursor = self.database.conn.execute(sql, values)
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def row(self, sql: str, values: Sequence[Value] | Mapping[str, Value] = ()) -> Row | None:
        """The first row of a question."""
        found = self.rows(sql, values)
        return found[0] if found else None

    def number(self, sql: str, values: Sequence[Value] | Mapping[str, Value] = ()) -> int:
        """The one number a question asks for, 0 when there is none."""
        found = self.row(sql, values)
        return int(next(iter(found.values())) or 0) if found else 0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Several questions to one state of the file."""
        if self.database.conn.in_transaction:
            yield
            return
        with self._translated():
            self.database.conn.execute("BEGIN")
        try:
            yield
        finally:
            self.database.conn.rollback()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction, IMMEDIATE so that a second writer waits; inside another, part of it."""
        if self.database.conn.in_transaction:
            yield
            return
        with self._translated():
            self.database.conn.execute("BEGIN IMMEDIATE")
            try:
                self._guard()
                yield
                self.database.conn.commit()
            except BaseException:
                self.database.conn.rollback()
                raise

    def change(self, sql: str, values: Sequence[Value] | Mapping[str, Value] = ()) -> int:
        """One statement of a transaction that `writing` opened; how many rows it changed."""
        if not self.database.conn.in_transaction:
            raise StoreError(f"a write to the store {self.path} outside a transaction")
        return self.database.conn.execute(sql, _held(values)).rowcount

    def insert(self, table: str, row: Mapping[str, Value], *, known: str = "ABORT") -> bool:
        """Insert a row; `known` says what to do when it is there: ABORT, IGNORE or REPLACE."""
        columns = ", ".join(row)
        holes = ", ".join(f":{name}" for name in row)
        sql = f"INSERT OR {known} INTO {table} ({columns}) VALUES ({holes})"  # noqa: S608 - our names
        return self.change(sql, row) > 0

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"the store {self.path}: {error}") from error


def _held(
    values: Sequence[Value] | Mapping[str, Value],
) -> Sequence[Value] | Mapping[str, Value]:
    if isinstance(values, Mapping):
        return {name: plain(v) if isinstance(v, str) else v for name, v in values.items()}
    return [plain(v) if isinstance(v, str) else v for v in values]
