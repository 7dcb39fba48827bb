"""Review threads, which only GraphQL knows: listing and resolving them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field, ValidationError

from harness.edges.github.shapes import GHOST, Shape
from harness.edges.github.wire import Wire
from harness.errors import ForgeError
from harness.facts.forge import Author, Comment, Thread

COMMENTS = """
fragment Said on PullRequestReviewCommentConnection {
  pageInfo { hasNextPage endCursor }
  nodes { databaseId id body createdAt updatedAt url pullRequestReview { state }
    author { __typename login ... on User { databaseId } ... on Bot { databaseId } } } }"""
THREADS = (
    """query Threads($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 50, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { id path line originalLine isResolved isOutdated resolvedBy { login }
        comments(first: 50) { ...Said } } } } } }"""
    + COMMENTS
)
MORE = (
    """query More($id: ID!, $after: String) { node(id: $id) {
  ... on PullRequestReviewThread { comments(first: 100, after: $after) { ...Said } } } }"""
    + COMMENTS
)
RESOLVE = """mutation Resolve($input: ResolveReviewThreadInput!) {
  resolveReviewThread(input: $input) { thread { id isResolved resolvedBy { login } } } }"""


class _Author(Shape):
    kind: str = Field(alias="__typename")
    login: str
    id: int | None = Field(default=None, alias="databaseId")

    def fact(self) -> Author:
        if self.id is None:
            return GHOST
        is_app = self.kind == "Bot"
        login = f"{self.login}[bot]" if is_app and not self.login.endswith("[bot]") else self.login
        return Author(id=self.id, login=login, kind="app" if is_app else "user")


class _Review(Shape):
    state: str


class _Comment(Shape):
    id: int = Field(alias="databaseId")
    node_id: str = Field(alias="id")
    body: str
    created_at: datetime = Field(alias="createdAt")
    updated_at: datetime = Field(alias="updatedAt")
    url: str
    author: _Author | None
    review: _Review | None = Field(default=None, alias="pullRequestReview")

    @property
    def is_draft(self) -> bool:
        return self.review is not None and self.review.state == "PENDING"

    def fact(self, first: int) -> Comment:
        return Comment(
            id=self.id,
            node_id=self.node_id,
            where="thread",
            author=self.author.fact() if self.author else GHOST,
            body=self.body,
            created_at=self.created_at,
            updated_at=self.updated_at,
            url=self.url,
            reply_to=0 if self.id == first else first,
        )


class _Page(Shape):
    more: bool = Field(alias="hasNextPage")
    end: str | None = Field(default=None, alias="endCursor")


class _Comments(Shape):
    page: _Page = Field(alias="pageInfo")
    nodes: list[_Comment]


class _Login(Shape):
    login: str


class _Thread(Shape):
    id: str
    path: str
    line: int | None
    was: int | None = Field(default=None, alias="originalLine")
    resolved: bool = Field(alias="isResolved")
    outdated: bool = Field(alias="isOutdated")
    resolved_by: _Login | None = Field(default=None, alias="resolvedBy")
    comments: _Comments


class _Threads(Shape):
    page: _Page = Field(alias="pageInfo")
    nodes: list[_Thread]


def list_threads(wire: Wire, slug: str, number: int) -> tuple[Thread, ...]:
    """All threads of a pull request with all their comments, drafts of ours left out."""
    owner, _, name = slug.partition("/")
    found: list[Thread] = []
    after: str | None = None
    while True:
        variables = {"owner": owner, "name": name, "number": number, "after": after}
        data = wire.graphql(f"the threads of {slug}#{number}", THREADS, variables)
        pull = (data.get("repository") or {}).get("pullRequest")
        if pull is None:
            raise ForgeError(f"{slug} has no pull request {number}", reason="gone", status=200)
        page = _read(_Threads, pull["reviewThreads"])
        found += [_thread(wire, one) for one in page.nodes]
        if not page.page.more:
            return tuple(found)
        after = page.page.end


def _thread(wire: Wire, shape: _Thread) -> Thread:
    comments, page = list(shape.comments.nodes), shape.comments.page
    while page.more:
        data = wire.graphql("a review thread", MORE, {"id": shape.id, "after": page.end})
        more = _read(_Comments, (data.get("node") or {}).get("comments"))
        comments, page = comments + more.nodes, more.page
    first = comments[0].id if comments else 0
    return Thread(
        id=shape.id,
        path=shape.path,
        line=shape.line or shape.was or 0,
        resolved=shape.resolved,
        outdated=shape.outdated,
        resolved_by=shape.resolved_by.login if shape.resolved_by else "",
        comments=tuple(one.fact(first) for one in comments if not one.is_draft),
    )


def _read(shape: Any, value: Any) -> Any:  # a private shape and what it reads
    import json

    try:
        return shape.model_validate_json(json.dumps(value))
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        message = f"GitHub sent a review thread whose {where} is strange"
        raise ForgeError(message, reason="unexpected", status=200) from None


def resolve_thread(wire: Wire, thread_id: str) -> None:
    """Resolve; resolving again changes nothing."""
    wire.graphql("resolving a thread", RESOLVE, {"input": {"threadId": thread_id}})
