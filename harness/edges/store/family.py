"""What every family of tables stands on: a pen for each half of the store, and the lock files."""

from __future__ import annotations

from typing import NamedTuple

from harness.edges.store.locks import Locks
from harness.edges.store.pen import Pen
from harness.facts.decisions import ItemReport


class WriteCaps(NamedTuple):
    """How many writes may be opened on a day (UTC): on one item, and on everything."""

    item_day: int
    day: int


NO_CAPS = WriteCaps(item_day=2**31, day=2**31)


class Family:
    """A family of tables; in a dry run the pens write to different files."""

    def __init__(
        self, journal: Pen, records: Pen, locks: Locks, writes: WriteCaps = NO_CAPS
    ) -> None:
        self._journal = journal
        self._records = records
        self._locks = locks
        self._writes = writes

    def _masked(self, report: ItemReport) -> ItemReport:
        """A report without the secrets that the forge's words in it may quote."""
        words = {"title": report.title, "reason": report.reason}
        return report.model_copy(
            update={name: self._records.mask(said) for name, said in words.items()}
        )
