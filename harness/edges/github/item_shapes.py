"""Issues, pull requests, comments, reviews and timelines as GitHub sends them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from harness.edges.github.shapes import Shape, UserShape, author
from harness.facts.forge import Comment, ForgeReview, Happening, Issue, Pull


class LabelShape(Shape):
    """`label`."""

    name: str


def _names(labels: list[LabelShape | str]) -> tuple[str, ...]:
    return tuple(one if isinstance(one, str) else one.name for one in labels)


class PullLinkShape(Shape):
    """Its presence says that an issue is a pull request."""

    url: str


class IssueShape(Shape):
    """`issue`."""

    id: int
    number: int
    title: str
    body: str | None = None
    user: UserShape | None
    state: Literal["open", "closed"]
    state_reason: str | None = None
    labels: list[LabelShape | str]
    assignees: tuple[UserShape, ...] = ()
    locked: bool
    pull_request: PullLinkShape | None = None
    created_at: datetime
    updated_at: datetime
    html_url: str

    def fact(self) -> Issue:
        """An issue, or the issue side of a pull request."""
        return Issue(
            id=self.id,
            number=self.number,
            title=self.title,
            body=self.body or "",
            author=author(self.user),
            state=self.state,
            state_reason=self.state_reason or "",
            labels=_names(self.labels),
            assignees=tuple(one.login for one in self.assignees),
            locked=self.locked,
            is_pull=self.pull_request is not None,
            created_at=self.created_at,
            updated_at=self.updated_at,
            url=self.html_url,
        )


class CommentShape(Shape):
    """`issue-comment` and `pull-request-review-comment`."""

    id: int
    node_id: str
    user: UserShape | None
    body: str | None = None
    created_at: datetime
    updated_at: datetime
    html_url: str
    in_reply_to_id: int | None = None
    pull_request_review_id: int | None = None

    def fact(self, where: Literal["issue", "thread"]) -> Comment:
        """Text with its place."""
        return Comment(
            id=self.id,
            node_id=self.node_id,
            where=where,
            author=author(self.user),
            body=self.body or "",
            created_at=self.created_at,
            updated_at=self.updated_at,
            url=self.html_url,
            reply_to=self.in_reply_to_id or 0,
        )


class HeadRepositoryShape(Shape):
    """The repository an end of a pull request lies in."""

    full_name: str


class EndShape(Shape):
    """Head or base of a pull request."""

    ref: str
    sha: str
    repo: HeadRepositoryShape | None = None


class PullShape(Shape):
    """`pull-request` and `pull-request-simple`, which has less."""

    id: int
    node_id: str
    number: int
    title: str
    body: str | None = None
    user: UserShape | None
    state: Literal["open", "closed"]
    merged_at: datetime | None
    merge_commit_sha: str | None = None
    draft: bool = False
    locked: bool
    head: EndShape
    base: EndShape
    labels: list[LabelShape | str]
    assignees: tuple[UserShape, ...] = ()
    requested_reviewers: tuple[UserShape, ...] = ()
    mergeable: bool | None = None
    mergeable_state: str = "unknown"
    created_at: datetime
    updated_at: datetime
    html_url: str

    def fact(self) -> Pull:
        """`merge_sha` is there only once it is merged (before, GitHub shows a trial merge)."""
        merged = self.merged_at is not None
        return Pull(
            id=self.id,
            number=self.number,
            title=self.title,
            body=self.body or "",
            author=author(self.user),
            state=self.state,
            merged=merged,
            merge_sha=(self.merge_commit_sha or "") if merged else "",
            draft=self.draft,
            locked=self.locked,
            head_ref=self.head.ref,
            head_sha=self.head.sha,
            head_repo=self.head.repo.full_name if self.head.repo else "",
            base_ref=self.base.ref,
            base_sha=self.base.sha,
            labels=_names(self.labels),
            assignees=tuple(one.login for one in self.assignees),
            mergeable=self.mergeable,
            mergeable_state=self.mergeable_state,
            created_at=self.created_at,
            updated_at=self.updated_at,
            url=self.html_url,
        )


class ReviewShape(Shape):
    """`pull-request-review`."""

    id: int
    node_id: str
    user: UserShape | None
    body: str | None = None
    state: Literal["APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING"]
    commit_id: str | None = None
    submitted_at: datetime | None = None
    html_url: str

    def fact(self) -> ForgeReview:
        """A pending one has no time."""
        return ForgeReview(
            id=self.id,
            author=author(self.user),
            state=self.state,
            body=self.body or "",
            commit=self.commit_id or "",
            submitted_at=self.submitted_at,
        )


class PersonShape(Shape):
    """Somebody an event is about."""

    login: str


class RenameShape(Shape):
    """Before and after."""

    after: str = Field(alias="to")


class HappeningShape(Shape):
    """One line of a timeline; comments, reviews and commits are lines too, with other keys."""

    event: str = ""
    actor: UserShape | None = None
    user: UserShape | None = None
    created_at: datetime | None = None
    submitted_at: datetime | None = None
    label: LabelShape | None = None
    assignee: PersonShape | None = None
    requested_reviewer: PersonShape | None = None
    rename: RenameShape | None = None
    commit_id: str | None = None
    sha: str | None = None

    def fact(self) -> Happening | None:
        """None for lines without a time (commits, and kinds we do not know)."""
        at = self.created_at or self.submitted_at
        if at is None or not self.event:
            return None
        person = self.assignee or self.requested_reviewer
        detail = (
            self.label.name
            if self.label
            else person.login
            if person
            else self.rename.after
            if self.rename
            else self.commit_id or self.sha or ""
        )
        return Happening(
            kind=self.event, actor=author(self.actor or self.user), at=at, detail=detail
        )
