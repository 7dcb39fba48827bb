"""Whether a person wants an item to be left alone: by a label on it or on its pull request."""

from __future__ import annotations

from harness.facts.forge import Issue, Pull
from harness.rules.leaving import set_since, skipping
from harness.runs.desk import Desk
from harness.runs.job import Job


def left_alone(desk: Desk, issue: Issue, pull: Pull | None) -> str:
    """Why nothing is done about it, "" where there is no such label."""
    if _is_left(desk, issue):
        return "its label says to leave it alone"
    if pull is not None and pull.number != issue.number and _is_left(desk, pull):
        return f"the label of pull request #{pull.number} says to leave it alone"
    return ""


def pull_of(desk: Desk, job: Job) -> Pull | None:
    """The open pull request of a job, as it is now."""
    for row in desk.store.pulls(desk.repo_id, job.item):
        if row.branch == job.branch and row.state == "open":
            return desk.reading.pull(row.number)
    return None


def _is_left(desk: Desk, item: Issue | Pull) -> bool:
    on = skipping(item.labels, desk.choice.triage.skip_labels)
    if not on or item.number not in desk.named:
        return bool(on)
    return set_since(on, desk.reading.timeline(item.number), desk.started)
