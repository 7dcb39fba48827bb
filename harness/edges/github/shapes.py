"""What GitHub sends, as far as we need it, and the facts made of it.

Strict about what is needed (a missing or mistyped key is ForgeError unexpected), tolerant about
the rest: GitHub adds keys at any time.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from harness.edges.github.wire import Answer
from harness.errors import ForgeError
from harness.facts.forge import (
    Author,
    Comment,
    ForgeReview,
    Happening,
    Issue,
    Pull,
    Repo,
)

GHOST = Author(id=0, login="ghost", kind="ghost")


class Shape(BaseModel):
    """A payload of GitHub's."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


S = TypeVar("S", bound=Shape)


def read(shape: type[S], answer: Answer) -> S:
    """One payload. Raises ForgeError unexpected, naming the key that does not fit."""
    try:
        return shape.model_validate_json(answer.text)
    except ValidationError as error:
        raise _strange(shape.__name__, error) from None


def read_list(shape: type[S], answer: Answer) -> list[S]:
    """A list of payloads."""
    try:
        return TypeAdapter(list[shape]).validate_json(answer.text)  # type: ignore[valid-type] # a shape is a type at run time
    except ValidationError as error:
        raise _strange(shape.__name__, error) from None


def _strange(name: str, error: ValidationError) -> ForgeError:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    message = f"GitHub sent a {name.removesuffix('Shape').lower()} whose {where}: {first['msg']}"
    return ForgeError(message, reason="unexpected", status=200)


class UserShape(Shape):
    """`simple-user`."""

    id: int
    login: str
    type: str = "User"

    def fact(self) -> Author:
        """A Bot is an App's account."""
        return Author(id=self.id, login=self.login, kind="app" if self.type == "Bot" else "user")


def author(user: UserShape | None) -> Author:
    """Null is a deleted account; so is GitHub's own stand-in for it."""
    if user is None or user.login == "ghost":
        return GHOST
    return user.fact()


class PermissionsShape(Shape):
    """What the credential may do."""

    push: bool = False
    admin: bool = False


class RepositoryShape(Shape):
    """`full-repository`."""

    id: int
    name: str
    owner: UserShape
    default_branch: str
    private: bool
    archived: bool
    clone_url: str
    allow_squash_merge: bool = True  # left out for those who may not push
    allow_merge_commit: bool = True
    allow_rebase_merge: bool = True
    permissions: PermissionsShape = PermissionsShape()

    def fact(self, host: str) -> Repo:
        """With the host it stands on."""
        return Repo(
            id=self.id,
            host=host,
            owner=self.owner.login,
            name=self.name,
            default_branch=self.default_branch,
            private=self.private,
            archived=self.archived,
            clone_url=self.clone_url,
            allow_squash=self.allow_squash_merge,
            allow_merge=self.allow_merge_commit,
            allow_rebase=self.allow_rebase_merge,
        )


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
    assignees: list[UserShape] = []
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
    assignees: list[UserShape] = []
    requested_reviewers: list[UserShape] = []
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


class PermissionShape(Shape):
    """`repository-collaborator-permission`."""

    permission: str
    role_name: str = ""


class StatusShape(Shape):
    """`status`."""

    id: int
    node_id: str
    context: str
    state: Literal["error", "failure", "pending", "success"]
    description: str | None = None
    target_url: str | None = None
    creator: UserShape | None = None
    created_at: datetime


class AppShape(Shape):
    """The App behind a check run."""

    slug: str = ""


class CheckRunShape(Shape):
    """`check-run`."""

    class Output(Shape):
        """What the check says of itself."""

        annotations_count: int = 0

    id: int
    node_id: str
    name: str
    status: str
    conclusion: str | None = None
    external_id: str | None = None
    details_url: str | None = None
    html_url: str | None = None
    output: Output = Output()
    app: AppShape | None = None


class CheckRunsShape(Shape):
    """A page of check runs."""

    check_runs: list[CheckRunShape]


class AnnotationShape(Shape):
    """`check-annotation`."""

    path: str
    start_line: int
    annotation_level: str | None = None
    title: str | None = None
    message: str | None = None


class RuleShape(Shape):
    """`repository-rule-detailed`, of which only required checks are read."""

    class Parameters(Shape):
        """Of a rule of type required_status_checks."""

        class Required(Shape):
            """One required check."""

            context: str

        required_status_checks: list[Required] = []

    type: str
    parameters: Parameters | None = None


class BranchShape(Shape):
    """`branch-with-protection`."""

    class Protection(Shape):
        """What guards it."""

        class Checks(Shape):
            """What it requires."""

            contexts: list[str] = []

        required_status_checks: Checks | None = None

    protected: bool
    protection: Protection | None = None
