"""Record half: what triage decided, what people approved, and how items ended."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from harness.edges.store.columns import as_json, moment, moment_or_none, stamp, stamp_or_none
from harness.edges.store.family import Family
from harness.edges.store.pen import Row
from harness.facts.decisions import Approval, Decision, ItemReport

NOTE_ITEM = """
INSERT INTO items (repo, number, title, entry, generation) VALUES (?, ?, ?, '', 0)
ON CONFLICT (repo, number) DO UPDATE SET title = excluded.title
"""


class Triage(Family):
    """The tables decisions, approvals, outcomes and items."""

    def record_decisions(self, decisions: Sequence[Decision]) -> None:
        with self._records.writing():
            for decision in decisions:
                self._records.insert("decisions", _row(decision), known="IGNORE")

    def decisions(self, repo_id: int) -> tuple[Decision, ...]:
        rows = self._records.rows(
            "SELECT * FROM latest_decisions WHERE repo = ? ORDER BY issue", (repo_id,)
        )
        return tuple(_decision(row) for row in rows)

    def decided_otherwise(self, repo_id: int, issue: int, made_on: str) -> datetime | None:
        row = self._records.row(
            "SELECT max(at) AS at FROM decisions WHERE repo = ? AND issue = ? AND made_on <> ?",
            (repo_id, issue, made_on),
        )
        return moment_or_none(row["at"] or "") if row else None

    def record_approval(self, approval: Approval) -> None:
        row = approval.model_dump(exclude={"repo_id"})
        row |= {"repo": approval.repo_id, "at": stamp(approval.at)}
        with self._records.writing():
            self._records.insert("approvals", row, known="IGNORE")

    def approvals(self, repo_id: int, item: int) -> tuple[Approval, ...]:
        rows = self._records.rows(
            "SELECT repo AS repo_id, item, text_hash, by, at FROM approvals"
            " WHERE repo = ? AND item = ? ORDER BY at, by",
            (repo_id, item),
        )
        return tuple(Approval.model_validate(row | {"at": moment(row["at"])}) for row in rows)

    def record_outcome(self, run_id: str, repo_id: int, report: ItemReport, at: datetime) -> None:
        report = self._masked(report)
        row = report.model_dump(exclude={"repo"}) | {
            "run": run_id,
            "repo": repo_id,
            "at": stamp(at),
            "slug": report.repo,
            "outcome": report.outcome.value,
            "not_before": stamp_or_none(report.not_before),
        }
        with self._records.writing():
            self._records.insert("outcomes", row, known="REPLACE")
            if report.item:
                self._records.change(NOTE_ITEM, (repo_id, report.item, report.title))

    def outcomes(self, repo_id: int) -> tuple[tuple[ItemReport, datetime], ...]:
        rows = self._records.rows(
            "SELECT * FROM latest_outcomes WHERE repo = ? ORDER BY item", (repo_id,)
        )
        return tuple((_report(row), moment(row["at"])) for row in rows)


def _row(decision: Decision) -> Row:
    return decision.model_dump(exclude={"repo_id"}) | {
        "repo": decision.repo_id,
        "at": stamp(decision.at),
        "depends_on": as_json(decision.depends_on),
        "opinions": as_json(decision.opinions),
    }


def _decision(row: Row) -> Decision:
    row["repo_id"] = row.pop("repo")
    row["at"] = moment(row["at"])
    row["depends_on"] = json.loads(row["depends_on"])
    row["opinions"] = json.loads(row["opinions"])
    del row["id"]
    return Decision.model_validate(row)


def _report(row: Row) -> ItemReport:
    fields = {name: row[name] for name in ("item", "title", "outcome", "reason", "pull")}
    return ItemReport.model_validate(
        fields | {"repo": row["slug"], "not_before": moment_or_none(row["not_before"])}
    )
