"""What git says of an item's branch: its head, its base, the commits between them."""

from __future__ import annotations

from harness.errors import GitError
from harness.facts.case import Told
from harness.facts.trees import CommitRow, PullRow
from harness.runs.desk import Desk
from harness.runs.job import Job, pushes


def read_head(desk: Desk, rows: tuple[CommitRow, ...], pushed: str, job: Job) -> str:
    """Ours where it builds on what is pushed, else what is pushed (a person moved it)."""
    ours = rows[0].sha if rows else ""
    if not pushed:
        return ours
    if not ours:
        return pushed if job.origin == "adopted" else ""
    builds = desk.trees.is_ancestor(pushed, ours) and not _taken_away(desk, job, pushed, ours)
    return ours if builds else pushed


def _taken_away(desk: Desk, job: Job, pushed: str, ours: str) -> bool:
    """Whether what we would push holds a commit that was there once and a person took away."""
    return any(
        desk.trees.has(sha)
        and desk.trees.is_ancestor(sha, ours)
        and not desk.trees.is_ancestor(sha, pushed)
        for sha in pushes(desk, job.item, job.branch)
    )


def read_base_tip(desk: Desk, job: Job) -> str:
    """The tip of the base, as it was fetched. Raises GitError where the forge has none."""
    tip = desk.trees.tip(job.base_ref)
    if not tip:
        raise GitError(
            f"{desk.repo.slug} has no branch {job.base_ref} any more: if it was renamed, run the "
            "same command again; else restore it, or name another one under [[repos]] base"
        )
    return tip


def read_base(desk: Desk, head: str, base_tip: str, told: tuple[Told, ...]) -> str:
    """Where the branch left the base; before there is a head, where it will."""
    shared = desk.trees.merge_base(base_tip, head) if head else ""
    if shared:
        return shared
    begun = [one.base for one in told if desk.trees.has(one.base)]
    return begun[-1] if begun else base_tip


def read_commits(
    desk: Desk, job: Job, rows: tuple[CommitRow, ...], base: str, head: str
) -> tuple[CommitRow, ...]:
    """base..head, newest first; a person's commit is a row without an agent."""
    if not head:
        return ()
    ours = {row.sha: row for row in rows}
    return tuple(
        ours.get(commit.sha)
        or CommitRow(
            repo_id=desk.repo_id,
            sha=commit.sha,
            parent=commit.parents[0] if commit.parents else "",
            item=job.item,
            branch=job.branch,
            agent="",
            exchange_id="",
            at=min(commit.at, desk.clock.now()),
        )
        for commit in desk.trees.first_parents(base, head)
    )


def why_unaccounted(
    desk: Desk, job: Job, rows: tuple[CommitRow, ...], pushed: str, pull_row: PullRow | None
) -> str:
    """Why what lies on our branch is not ours to build on: nothing of it was pushed by us."""
    if not pushed or pull_row is not None or job.origin == "adopted":
        return ""
    if any(_on_one_line(desk, row.sha, pushed) for row in rows):
        return ""
    return (
        f"the branch {job.branch} holds commits the harness did not make: rename it, delete it, "
        "or open a pull request from it and name that with `harness resume NUMBER --adopt`"
    )


def why_unrelated(desk: Desk, job: Job, head: str, base_tip: str) -> str:
    """Why nothing can be compared with the base, "" where something can."""
    if not head or desk.trees.merge_base(base_tip, head):
        return ""
    return (
        f"{job.base_ref} was replaced and has no commit in common with {job.branch}: "
        f"put its history back, or rebase {job.branch} onto it"
    )


def _on_one_line(desk: Desk, one: str, other: str) -> bool:
    return desk.trees.is_ancestor(one, other) or desk.trees.is_ancestor(other, one)
