"""Commits, branches and what an agent left in a work tree."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from harness.facts.value import Fact


class Tree(Fact):
    """A detached work tree; `head` is the commit it was made at."""

    repo_id: int
    path: str
    head: str


class Leftover(Fact):
    """A path an agent changed; `refused` says why it may not be committed, "" when it may."""

    path: str
    status: Literal["added", "modified", "deleted", "renamed", "type"]
    refused: str


class Left(Fact):
    """All that an agent left behind: `tree_sha` is the git tree of what may be committed."""

    tree_sha: str
    changed: tuple[Leftover, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was changed at all."""
        return not self.changed

    @property
    def refused(self) -> tuple[Leftover, ...]:
        """What a person has to look at first."""
        return tuple(path for path in self.changed if path.refused)


class CommitRow(Fact):
    """A commit that the harness made: who wrote it, in which exchange."""

    repo_id: int
    sha: str
    parent: str
    item: int
    branch: str
    agent: str
    exchange_id: str
    at: datetime


class CommitInfo(Fact):
    """A commit as git tells it."""

    sha: str
    parents: tuple[str, ...]
    subject: str
    author: str
    at: datetime


class PullRow(Fact):
    """A pull request that the harness may work on, as the store keeps it."""

    repo_id: int
    number: int
    item: int  # the issue it is for; its own number when adopted
    branch: str
    base: str
    origin: Literal["ours", "adopted"]
    attempt: int
    state: Literal["open", "merged", "closed"]
    closed_by: str  # a login; "" while open or when we closed it
    status_comment: int  # the id of our status comment, 0 before it exists
