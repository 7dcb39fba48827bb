"""What the forge says: repositories, people, issues, pull requests, conversations."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from harness.facts.value import Fact


class Permission(StrEnum):
    """What a person may do in a repository, least first."""

    NONE = "none"
    READ = "read"
    TRIAGE = "triage"
    WRITE = "write"
    MAINTAIN = "maintain"
    ADMIN = "admin"

    @property
    def may_write(self) -> bool:
        """Whether this permission includes pushing."""
        return self in {Permission.WRITE, Permission.MAINTAIN, Permission.ADMIN}


class Author(Fact):
    """Who wrote something, as the forge says; id 0 is a deleted account."""

    id: int
    login: str
    kind: Literal["user", "app", "ghost"]


class Repo(Fact):
    """A repository; `id` is the forge's own and survives renames."""

    id: int
    host: str
    owner: str
    name: str
    default_branch: str
    private: bool
    archived: bool
    clone_url: str
    allow_squash: bool
    allow_merge: bool
    allow_rebase: bool

    @property
    def slug(self) -> str:
        """`owner/name`."""
        return f"{self.owner}/{self.name}"


class Issue(Fact):
    """An issue, or the issue side of a pull request (`is_pull`)."""

    id: int
    number: int
    title: str
    body: str
    author: Author
    state: Literal["open", "closed"]
    state_reason: str
    labels: tuple[str, ...]
    assignees: tuple[str, ...]
    locked: bool
    is_pull: bool
    created_at: datetime
    updated_at: datetime
    url: str


class Comment(Fact):
    """One text in a conversation: on an issue, in a review thread, or a review's body."""

    id: int
    node_id: str
    where: Literal["issue", "thread", "review"]
    author: Author
    body: str
    created_at: datetime
    updated_at: datetime
    url: str
    reply_to: int  # the first comment of its thread; 0 where there is none


class Pull(Fact):
    """A pull request; `head_repo` is `owner/name`, or "" when the fork is gone."""

    id: int
    number: int
    title: str
    body: str
    author: Author
    state: Literal["open", "closed"]
    merged: bool
    merge_sha: str
    draft: bool
    locked: bool
    head_ref: str
    head_sha: str
    head_repo: str
    base_ref: str
    base_sha: str
    labels: tuple[str, ...]
    assignees: tuple[str, ...]
    mergeable: bool | None  # None: the forge has not computed it yet
    mergeable_state: str  # clean, dirty, blocked, behind, unstable, unknown
    created_at: datetime
    updated_at: datetime
    url: str


class ForgeReview(Fact):
    """A submitted or pending review."""

    id: int
    author: Author
    state: Literal["APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING"]
    body: str
    commit: str
    submitted_at: datetime | None


class Thread(Fact):
    """A review thread; outdated is not resolved."""

    id: str
    path: str
    line: int
    resolved: bool
    outdated: bool
    resolved_by: str
    comments: tuple[Comment, ...]


class ForgeCheck(Fact):
    """A check run or commit status of a commit."""

    name: str
    state: Literal["pending", "green", "red", "stopped"]  # stopped: it ended without a verdict
    required: bool
    url: str
    annotations: tuple[str, ...]
    log: str


class Happening(Fact):
    """One line of an item's timeline; `detail` is the label, assignee or commit it is about."""

    kind: str  # closed, reopened, labeled, unlabeled, assigned, unassigned, merged, ...
    actor: Author
    at: datetime
    detail: str
