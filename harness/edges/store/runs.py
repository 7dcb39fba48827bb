"""Journal half: runs, one call of a command that works, with its report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from harness.edges.store.columns import as_json, moment, moment_or_none, stamp, stamp_or_none
from harness.edges.store.family import Family
from harness.edges.store.pen import Row
from harness.facts.decisions import ItemReport, Run


class Runs(Family):
    """The table runs."""

    def start_run(self, run: Run) -> None:
        with self._journal.writing():
            self._journal.insert(
                "runs",
                {
                    "id": run.id,
                    "command": run.command,
                    "dry": run.dry,
                    "started_at": stamp(run.started_at),
                    "ended_at": stamp_or_none(run.ended_at),
                    "exit_code": run.exit_code,
                    "reports": as_json(tuple(map(self._masked, run.reports))),
                },
            )

    def end_run(
        self, run_id: str, *, at: datetime, exit_code: int, reports: Sequence[ItemReport]
    ) -> None:
        with self._journal.writing():
            self._journal.change(
                "UPDATE runs SET ended_at = ?, exit_code = ?, reports = ? WHERE id = ?",
                (stamp(at), exit_code, as_json(tuple(map(self._masked, reports))), run_id),
            )

    def runs(self, limit: int) -> tuple[Run, ...]:
        rows = self._journal.rows(
            "SELECT * FROM runs ORDER BY started_at DESC, rowid DESC LIMIT ?", (limit,)
        )
        return tuple(_run(row) for row in rows)

    def find_runs(self, id_prefix: str) -> tuple[Run, ...]:
        rows = self._journal.rows(
            "SELECT * FROM runs WHERE id >= ?1 AND id < ?1 || char(1114111)"
            " ORDER BY started_at DESC, rowid DESC LIMIT 20",
            (id_prefix,),
        )
        return tuple(_run(row) for row in rows)


def _run(row: Row) -> Run:
    return Run.model_validate(
        row
        | {
            "started_at": moment(row["started_at"]),
            "ended_at": moment_or_none(row["ended_at"]),
            "reports": json.loads(row["reports"]),
        }
    )
