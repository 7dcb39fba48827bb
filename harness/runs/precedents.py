"""What was settled before, here and in other scopes, as it is shown to agents."""

from __future__ import annotations

from collections.abc import Collection

from harness.facts.entries import Standing
from harness.runs.desk import Desk
from harness.runs.job import Job


def read_settled(
    desk: Desk, job: Job, files: Collection[str]
) -> tuple[tuple[Standing, ...], tuple[Standing, ...]]:
    """Points settled in this scope, which bind, and precedents about these files, which do not."""
    here = desk.store.in_scope(desk.repo_id, job.scope)
    mine = {one.entry.id for one in here}
    around = desk.store.in_files(desk.repo_id, files, job.scope)
    return (
        tuple(one for one in here if one.state.is_settled),
        tuple(one for one in around if one.entry.id not in mine and one.state.is_settled),
    )
