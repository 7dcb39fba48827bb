"""One item under work: which branch, which base, whose pull request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from harness.facts.trees import PullRow
from harness.rules.forge_names import branch_name, branch_scope, pull_scope
from harness.runs.desk import Desk


@dataclass(frozen=True)
class Job:
    """What custody works on; `number` is what people see: the issue, or an adopted pull request."""

    item: int
    branch: str
    base_ref: str
    attempt: int
    origin: Literal["ours", "adopted"]

    @property
    def scope(self) -> str:
        """Where its findings live in the ledger."""
        return branch_scope(self.branch) if self.origin == "ours" else pull_scope(self.item)


def job_of_issue(desk: Desk, issue: int) -> Job:
    """The newest attempt at an issue, or the first."""
    rows = [row for row in desk.store.pulls(desk.repo_id, issue) if row.origin == "ours"]
    attempt = max((row.attempt for row in rows), default=1)
    return Job(issue, branch_name(issue, attempt), desk.base_ref, attempt, "ours")


def job_of_pull(row: PullRow) -> Job:
    """The work on a pull request that is ours to continue."""
    item = row.item if row.origin == "ours" else row.number
    return Job(item, row.branch, row.base, row.attempt, row.origin)


def triage_job(desk: Desk) -> Job:
    """Triage as a job: item 0, no branch."""
    return Job(0, "", desk.base_ref, 1, "ours")
