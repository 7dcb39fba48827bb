"""What the rehearsal forge keeps: mutable rows, as GitHub's own tables must look from outside."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from harness.rehearsal.github.bare import Bare

Role = Literal["none", "read", "triage", "write", "maintain", "admin"]
ROLES: tuple[Role, ...] = ("none", "read", "triage", "write", "maintain", "admin")


@dataclass
class Account:
    """A person, an App's bot, or an organisation; `token` is what it logs in with."""

    id: int
    login: str
    kind: Literal["User", "Bot", "Organization"]
    token: str = ""


@dataclass
class LabelRow:
    """A label of a repository."""

    id: int
    name: str
    color: str = "ededed"
    description: str | None = None


@dataclass
class ReactionRow:
    """One reaction of one account."""

    id: int
    author: Account
    content: str
    at: datetime


@dataclass
class CommentRow:
    """A top-level comment."""

    id: int
    author: Account | None
    body: str
    created_at: datetime
    updated_at: datetime
    minimised: bool = False
    reactions: list[ReactionRow] = field(default_factory=list)


@dataclass
class NoteRow:
    """A comment in a review thread; `review` is the id of the review it came with."""

    id: int
    review: int
    author: Account | None
    body: str
    created_at: datetime
    updated_at: datetime
    commit: str
    reply_to: int = 0
    minimised: bool = False
    reactions: list[ReactionRow] = field(default_factory=list)


@dataclass
class ThreadRow:
    """A review thread; `line` is on `side` at `commit`, `outdated` once its line changed."""

    id: int
    path: str
    line: int | None
    side: str
    start_line: int | None
    start_side: str | None
    commit: str
    hunk: str
    was: int | None = None  # the line it was put on
    file_level: bool = False
    outdated: bool = False
    resolved_by: Account | None = None
    notes: list[NoteRow] = field(default_factory=list)


@dataclass
class ReviewRow:
    """A review; PENDING ones are seen by their author only."""

    id: int
    author: Account | None
    state: str
    body: str
    commit: str
    submitted_at: datetime | None


@dataclass
class EventRow:
    """One line of a timeline; `about` is what GitHub shows beside it."""

    id: int
    kind: str
    actor: Account | None
    at: datetime
    about: dict[str, Any] = field(default_factory=dict)


@dataclass
class PullRow:
    """The pull request side of an item."""

    head_ref: str
    head_sha: str
    head_repo: Repository | None
    base_ref: str
    base_sha: str
    draft: bool = False
    merged_at: datetime | None = None
    merged_by: Account | None = None
    merge_sha: str | None = None
    may_modify: bool = False
    judged_from: datetime | None = None
    compared: tuple[str, str] = ("", "")  # head and base tip last looked at
    requested: list[Account] = field(default_factory=list)
    reviews: list[ReviewRow] = field(default_factory=list)
    threads: list[ThreadRow] = field(default_factory=list)


@dataclass
class Item:
    """An issue or a pull request: they share numbers, comments, labels and timeline."""

    id: int
    number: int
    title: str
    body: str
    author: Account | None
    created_at: datetime
    updated_at: datetime
    state: Literal["open", "closed"] = "open"
    state_reason: str | None = None
    edited_at: datetime | None = None  # the body; a new title is an event
    closed_at: datetime | None = None
    closed_by: Account | None = None
    locked: bool = False
    gone: bool = False
    moved_to: str = ""
    pull: PullRow | None = None
    labels: list[str] = field(default_factory=list)
    assignees: list[Account] = field(default_factory=list)
    comments: list[CommentRow] = field(default_factory=list)
    events: list[EventRow] = field(default_factory=list)
    reactions: list[ReactionRow] = field(default_factory=list)


@dataclass
class StatusRow:
    """A commit status; the newest of a context counts."""

    id: int
    sha: str
    context: str
    state: str
    description: str | None
    target_url: str | None
    creator: Account
    at: datetime


@dataclass
class CheckRunRow:
    """A check run of a commit; `log` is what its Actions job printed."""

    id: int
    sha: str
    name: str
    status: str
    conclusion: str | None
    external_id: str
    app: str
    started_at: datetime
    completed_at: datetime | None
    title: str | None = None
    summary: str | None = None
    annotations: list[dict[str, Any]] = field(default_factory=list)
    log: str = ""


@dataclass
class Guard:
    """The protection of a branch; `by_rules` says it stands in a ruleset, not in protection."""

    required: tuple[str, ...] = ()
    strict: bool = False
    by_rules: bool = False


@dataclass
class Repository:
    """A repository over a real bare one."""

    id: int
    owner: Account
    name: str
    bare: Bare
    created_at: datetime
    default_branch: str = "main"
    private: bool = False
    archived: bool = False
    fork_of: int = 0
    allow_squash: bool = True
    allow_merge: bool = True
    allow_rebase: bool = True
    delete_branch_on_merge: bool = False
    roles: dict[str, Role] = field(default_factory=dict)
    guards: dict[str, Guard] = field(default_factory=dict)
    labels: dict[str, LabelRow] = field(default_factory=dict)
    items: dict[int, Item] = field(default_factory=dict)
    statuses: list[StatusRow] = field(default_factory=list)
    check_runs: list[CheckRunRow] = field(default_factory=list)

    @property
    def slug(self) -> str:
        """`owner/name`."""
        return f"{self.owner.login}/{self.name}"
