"""Record half: leases, a row for who works an item, a lock file for whether they live."""

from __future__ import annotations

from datetime import datetime

from harness.doors.store import Lease
from harness.edges.store.columns import stamp
from harness.edges.store.family import Family
from harness.edges.store.pen import Pen
from harness.errors import LeaseLost

TAKE = """
INSERT INTO leases (key, owner, epoch, at) VALUES (:key, :owner, 1, :at)
ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, epoch = epoch + 1, at = excluded.at
"""
HELD = "SELECT 1 FROM leases WHERE key = ? AND owner = ? AND epoch = ?"


class Leases(Family):
    """The table leases; a lease is let go by the store that took it, or by its end."""

    def claim(self, key: str, at: datetime) -> Lease | None:
        records = self._records.unguarded()
        taken = False
        try:
            with records.writing():
                taken = self._locks.take(key)
                if not taken:
                    return None
                records.change(TAKE, {"key": key, "owner": self._locks.owner, "at": stamp(at)})
                epoch = records.number("SELECT epoch FROM leases WHERE key = ?", (key,))
        except BaseException:
            if taken:
                self._locks.drop(key)
            raise
        return Lease(key=key, owner=self._locks.owner, epoch=epoch)

    def release(self, lease: Lease) -> None:
        records = self._records.unguarded()
        with records.writing():
            records.change(
                "UPDATE leases SET owner = '' WHERE key = ? AND owner = ? AND epoch = ?",
                (lease.key, lease.owner, lease.epoch),
            )
        if lease.owner == self._locks.owner:
            self._locks.drop(lease.key)

    def release_dead(self) -> None:
        """Inside a transaction as every claim is: nobody who claims meets the locks taken here."""
        records = self._records.unguarded()
        with records.writing():
            for row in records.rows("SELECT key FROM held_leases"):
                if self._locks.take(row["key"]):
                    records.change("UPDATE leases SET owner = '' WHERE key = ?", (row["key"],))
                    self._locks.drop(row["key"])


def assert_held(records: Pen, lease: Lease) -> None:
    """LeaseLost when somebody else has taken this lease since, or it was let go."""
    if not records.rows(HELD, (lease.key, lease.owner, lease.epoch)):
        raise LeaseLost(f"{lease.key} is worked by somebody else now; nothing was written")
