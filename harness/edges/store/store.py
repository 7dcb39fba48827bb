"""The whole store in one class: one file, or a dry run's real journal beside copied records."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Self

from harness.edges.owners import is_alive, own_name
from harness.edges.private import told_as
from harness.edges.store.exchanges import Exchanges
from harness.edges.store.family import NO_CAPS, WriteCaps
from harness.edges.store.intents import Intents
from harness.edges.store.journal import JournalRows
from harness.edges.store.leases import Leases, assert_held
from harness.edges.store.ledger import Ledger
from harness.edges.store.locks import Locks
from harness.edges.store.opening import connect, open_file
from harness.edges.store.pen import Pen
from harness.edges.store.people import People
from harness.edges.store.repos import Repos
from harness.edges.store.reserves import Reserves
from harness.edges.store.runs import Runs
from harness.edges.store.soundness import find_damage
from harness.edges.store.triage import Triage
from harness.edges.store.undone import UndoneRuns
from harness.errors import StoreError

if TYPE_CHECKING:
    from harness.doors.store import Lease, Store


_DRY = "dry"  # what the names of dry runs' copies begin with


class SqliteStore(
    Runs,
    Exchanges,
    JournalRows,
    Reserves,
    Leases,
    Repos,
    Triage,
    Ledger,
    Intents,
    UndoneRuns,
    People,
):
    """A connection to the store, for one thread; closing it lets go of its leases' lock files."""

    def __init__(
        self,
        journal: Pen,
        records: Pen,
        locks: Locks,
        writes: WriteCaps = NO_CAPS,
        ending: ExitStack | None = None,
    ) -> None:
        super().__init__(journal, records, locks, writes)
        self._ending = ending or ExitStack()

    @classmethod
    def open(cls, path: Path, mask: Callable[[str], str] = str) -> Self:
        """The store at `path`, made or migrated where it must be; `mask` takes secrets out.

        StoreError when it is newer than the code, another program's, locked or damaged. Lock files
        lie in `locks/` beside it.
        """
        with ExitStack() as ending:
            pen, locks = _open(path, ending, mask)
            return cls(pen, pen, locks, ending=ending.pop_all())

    @classmethod
    def open_dry(cls, path: Path, mask: Callable[[str], str] = str) -> Self:
        """The store at `path` whose record half is a copy that goes with this connection.

        Runs, exchanges, journal and reserves are written to the real file.
        """
        with ExitStack() as ending:
            journal, locks = _open(path, ending, mask)
            folder = path.parent / own_name(_DRY)
            with told_as(StoreError, folder):
                folder.mkdir(mode=0o700)
            ending.callback(shutil.rmtree, folder, ignore_errors=True)
            records = _copy(journal, folder / path.name, ending)
            return cls(journal, records, locks, ending=ending.pop_all())

    def under(self, lease: Lease) -> SqliteStore:
        """This store, writing only while the lease's epoch is ours; it lives as long as this."""
        records = self._records.unguarded()

        def guard() -> None:
            assert_held(records, lease)

        return SqliteStore(
            self._journal.guarded(guard), self._records.guarded(guard), self._locks, self._writes
        )

    def limited(self, writes: WriteCaps) -> SqliteStore:
        """This store, opening intents only within these caps; it lives as long as this one."""
        return SqliteStore(self._journal, self._records, self._locks, writes)

    def back_up(self, target: Path) -> None:
        """Copy the whole store, as it is at one instant, to a new file."""
        with ExitStack() as ending:
            _copy(self._records, target, ending)

    def damage(self) -> str:
        """What of the file is damaged or missing, "" where nothing is; reads all of it."""
        return find_damage(self._records.database)

    def close(self) -> None:
        self._ending.close()


def _open(path: Path, ending: ExitStack, mask: Callable[[str], str]) -> tuple[Pen, Locks]:
    locks = Locks(path.parent / "locks")
    ending.callback(locks.drop_all)
    database = open_file(path, locks)
    ending.callback(database.conn.close)
    locks.sweep()
    _sweep_copies(path.parent)
    return Pen(database, str(path), mask=mask), locks


def _sweep_copies(folder: Path) -> None:
    """Remove the copies of dry runs that were killed."""
    for copy in folder.glob(f"{_DRY}-*"):
        if not is_alive(copy.name):
            shutil.rmtree(copy, ignore_errors=True)


def _copy(source: Pen, target: Path, ending: ExitStack) -> Pen:
    """A copy by SQLite's own backup: whole, whoever writes meanwhile."""
    try:
        target.touch(mode=0o600)
        database = connect(target)
        ending.callback(database.conn.close)
        source.database.conn.backup(database.conn)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"the store {source.path} cannot be copied: {error}") from error
    return Pen(database, str(target), mask=source.mask)


if TYPE_CHECKING:

    def _satisfy(store: SqliteStore) -> Store:
        return store
