"""Heads that move: pull requests follow the refs of the real repositories."""

from __future__ import annotations

from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.rows import Account, Item, PullRow, Repository


def follow_heads(forge: Forge, repository: Repository, actor: Account | None = None) -> None:
    """Bring the pull requests of a repository up to what its branches say now."""
    for item, pull in forge.pulls(repository):
        if item.state != "open" or pull.head_repo is None:
            continue
        tip = pull.head_repo.bare.tip(pull.head_ref)
        if not tip:
            _close_without_head(forge, item, actor)
        elif not repository.bare.tip(pull.base_ref) and pull.base_ref != repository.default_branch:
            _close(forge, item, actor)  # github.com/cli/cli/issues/14223
        elif tip != pull.head_sha:
            _move(forge, repository, item, pull, tip, actor)
        _compare(forge, repository, item, pull, actor)


def follow_all(forge: Forge, actor: Account | None = None) -> None:
    """The same for every repository (a push to a fork moves a pull request elsewhere)."""
    for repository in forge.repositories.values():
        follow_heads(forge, repository, actor)


def publish_head(repository: Repository, item: Item, pull: PullRow) -> None:
    """Set `refs/pull/N/head`, fetching from the fork where the head lies there."""
    ref = f"refs/pull/{item.number}/head"
    head = pull.head_repo
    if head is not None and head is not repository and not repository.bare.has(pull.head_sha):
        repository.bare.run(
            "fetch", "-q", str(head.bare.path), f"+refs/heads/{pull.head_ref}:{ref}"
        )
    repository.bare.move(ref, pull.head_sha)


def _move(
    forge: Forge,
    repository: Repository,
    item: Item,
    pull: PullRow,
    tip: str,
    actor: Account | None,
) -> None:
    before, pull.head_sha = pull.head_sha, tip
    publish_head(repository, item, pull)
    pull.judged_from = forge.now
    item.updated_at = forge.stamp
    if not repository.bare.is_ancestor(before, tip):
        forge.happen(item, "head_ref_force_pushed", actor or item.author)
    _outdate_threads(repository, pull, before, tip)


def _outdate_threads(repository: Repository, pull: PullRow, before: str, after: str) -> None:
    for thread in pull.threads:
        if thread.outdated or thread.line is None or thread.side != "RIGHT":
            continue
        moved = moved_line(repository, before, after, thread.path, thread.line)
        if moved is None:
            thread.outdated, thread.line, thread.start_line = True, None, None
            continue
        if thread.start_line is not None:
            thread.start_line += moved - thread.line
        thread.line = moved


def moved_line(repository: Repository, before: str, after: str, path: str, line: int) -> int | None:
    """Where a line of `before` stands in `after`, None when it was changed or is gone."""
    diff = repository.bare.run_once("diff", "-U0", "--no-renames", before, after, "--", path)
    if "\n+++ /dev/null" in diff:
        return None
    shift = 0
    for header in (row for row in diff.splitlines() if row.startswith("@@ ")):
        old, new = (_span(part[1:]) for part in header.split()[1:3])
        if old[1] and old[0] <= line < old[0] + old[1]:
            return None
        if line >= old[0] + max(old[1], 1):
            shift += new[1] - old[1]
    return line + shift


def _span(text: str) -> tuple[int, int]:
    start, _, count = text.partition(",")
    return int(start), int(count or 1)


def _close_without_head(forge: Forge, item: Item, actor: Account | None) -> None:
    forge.happen(item, "head_ref_deleted", actor or item.author)
    _close(forge, item, actor)


def _close(forge: Forge, item: Item, actor: Account | None) -> None:
    item.state, item.closed_at, item.closed_by = "closed", forge.stamp, actor
    forge.happen(item, "closed", actor or item.author)


def _compare(
    forge: Forge, repository: Repository, item: Item, pull: PullRow, actor: Account | None
) -> None:
    """A base that comes to hold the head merges it; a head set to what the base held closes it."""
    tip = repository.bare.tip(pull.base_ref)
    base_moved = tip != pull.base_sha
    if tip and base_moved:
        pull.base_sha = tip
        pull.judged_from = forge.now
    if (pull.head_sha, tip) == pull.compared or not tip or item.state != "open":
        return
    pull.compared = (pull.head_sha, tip)
    if not repository.bare.is_ancestor(pull.head_sha, tip):
        return
    if base_moved:
        mark_merged(forge, item, pull, actor, tip)
    else:
        _close(forge, item, actor)


def mark_merged(forge: Forge, item: Item, pull: PullRow, actor: Account | None, sha: str) -> None:
    """A pull request whose commits are in its base is merged, however they got there."""
    pull.merged_at, pull.merged_by, pull.merge_sha = forge.stamp, actor or item.author, sha
    item.state, item.closed_at, item.closed_by = "closed", forge.stamp, pull.merged_by
    forge.happen(item, "merged", pull.merged_by, commit=sha)
    forge.happen(item, "closed", pull.merged_by)
