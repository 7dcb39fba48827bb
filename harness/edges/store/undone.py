"""Record half: which runs were taken back, on which items."""

from __future__ import annotations

from harness.edges.store.columns import moment, stamp
from harness.edges.store.family import Family
from harness.edges.store.pen import Line
from harness.facts.undoing import Undone


class UndoneRuns(Family):
    """The table undone."""

    def note_undone(self, undone: Undone) -> None:
        row: Line = {"run": undone.run_id, "repo": undone.repo_id, "item": undone.item}
        row |= {"by": undone.by, "at": stamp(undone.at)}
        with self._records.writing():
            self._records.insert("undone", row, known="IGNORE")

    def undone(self, repo_id: int, item: int) -> tuple[Undone, ...]:
        rows = self._records.rows(
            "SELECT run, repo, item, by, at FROM undone WHERE repo = ? AND item = ?"
            " ORDER BY at, run",
            (repo_id, item),
        )
        return tuple(
            Undone(
                run_id=row["run"],
                repo_id=row["repo"],
                item=row["item"],
                by=row["by"],
                at=moment(row["at"]),
            )
            for row in rows
        )

    def recorded_by(self, repo_id: int, item: int) -> tuple[tuple[str, str], ...]:
        rows = self._records.rows(
            "SELECT exchange, run FROM recorded WHERE repo = ? AND item = ?", (repo_id, item)
        )
        return tuple((row["exchange"], row["run"]) for row in rows)
