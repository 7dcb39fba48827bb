"""One item under work: which branch, which base, whose pull request."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from harness.facts.trees import PullRow
from harness.rules.forge_names import branch_name, branch_scope, item_of_branch, pull_scope
from harness.rules.undo import branches_given_up
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
    """The newest attempt at an issue, or the first.

    A next one is begun where the last was undone, or where it is over and somebody names the issue
    and insists.
    """
    attempt = max(_attempts(desk, issue), default=1)
    if branch_name(issue, attempt) in _given_up(desk, issue):
        return Job(issue, branch_name(issue, attempt + 1), desk.base_ref, attempt + 1, "ours")
    if desk.anyway and issue in desk.named and _is_over(desk, issue, attempt):
        attempt += 1
    return Job(issue, branch_name(issue, attempt), desk.base_ref, attempt, "ours")


def _attempts(desk: Desk, issue: int) -> Iterator[int]:
    """Every attempt that was begun, whether or not it came to a pull request."""
    for exchange in desk.store.exchanges(desk.repo_id, issue):
        named = item_of_branch(exchange.brief.branch)
        if named is not None and named[0] == issue:
            yield named[1]
    for row in desk.store.pulls(desk.repo_id, issue):
        if row.origin == "ours" and row.item == issue:
            yield row.attempt


def _given_up(desk: Desk, issue: int) -> frozenset[str]:
    """The branches that an undo took away."""
    if not desk.store.undone(desk.repo_id, issue):
        return frozenset()
    story = desk.store.intents(desk.repo_id, issue)
    return branches_given_up(story, desk.store.pulls(desk.repo_id, issue))


def _is_over(desk: Desk, issue: int, attempt: int) -> bool:
    """Whether its pull request was merged or closed, or its branch deleted before it had one."""
    branch = branch_name(issue, attempt)
    rows = [row for row in desk.store.pulls(desk.repo_id, issue) if row.branch == branch]
    if not rows:
        return is_deleted(desk, issue, branch)
    return any(desk.reading.pull(row.number).state == "closed" for row in rows)


def is_deleted(desk: Desk, item: int, branch: str) -> bool:
    """Whether we pushed to this branch and the forge has it no more."""
    return bool(pushes(desk, item, branch)) and not desk.trees.tip(branch)


def pushes(desk: Desk, item: int, branch: str) -> tuple[str, ...]:
    """The commits that we pushed to this branch."""
    return tuple(
        intent.write.sha
        for intent in desk.store.intents(desk.repo_id, item)
        if intent.write.kind == "push"
        and intent.write.branch == branch
        and intent.state == "delivered"
    )


def job_of_pull(row: PullRow) -> Job:
    """The work on a pull request that is ours to continue."""
    item = row.item if row.origin == "ours" else row.number
    return Job(item, row.branch, row.base, row.attempt, row.origin)


def follow_base(desk: Desk, job: Job) -> Job:
    """The same onto where the forge has its pull request now, if its base was renamed."""
    if desk.trees.tip(job.base_ref):
        return job
    for row in desk.store.pulls(desk.repo_id, job.item):
        if row.branch == job.branch:
            base = desk.reading.pull(row.number).base_ref
            desk.store.note_pull(row.model_copy(update={"base": base}))
            return replace(job, base_ref=base)
    return job


def triage_job(desk: Desk) -> Job:
    """Triage as a job: item 0, no branch."""
    return Job(0, "", desk.base_ref, 1, "ours")
