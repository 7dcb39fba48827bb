"""Reading one repository on GitHub: the reading door."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TypeVar
from urllib.parse import quote

from harness.edges.github.check_shapes import StatusShape
from harness.edges.github.checks import Checks
from harness.edges.github.editing import body_edited
from harness.edges.github.item_shapes import (
    CommentShape,
    HappeningShape,
    IssueShape,
    LabelShape,
    PullShape,
    ReviewShape,
)
from harness.edges.github.repository_shapes import (
    BranchShape,
    PermissionShape,
    RepositoryShape,
    RuleShape,
)
from harness.edges.github.shapes import Shape, UserShape, read, read_list
from harness.edges.github.threads import list_threads
from harness.edges.github.wire import Etags, Wire
from harness.errors import AccessLost, ForgeError
from harness.facts.forge import (
    Author,
    Comment,
    ForgeCheck,
    ForgeReview,
    Happening,
    Issue,
    Permission,
    Pull,
    Repo,
    Thread,
)

S = TypeVar("S", bound=Shape)


class GithubReading:
    """Satisfies `doors.reading.Reading` for `repo` (`owner/name`).

    `bot` tells the login of our App's account, where an App is what we log in as: its tokens have
    no user to ask for. With `etags` every read is conditional. `mask` takes secrets out of what
    checks say.
    """

    def __init__(
        self,
        wire: Wire,
        repo: str,
        *,
        etags: Etags | None = None,
        bot: Callable[[], str] | None = None,
        mask: Callable[[str], str] = str,
    ) -> None:
        self._wire = wire
        self._etags = etags
        self._bot = bot
        self._mask = mask
        self._slug = repo
        self._base = f"/repos/{quote(repo)}"
        self._me: Author | None = None

    def whoami(self) -> Author:
        if self._me is None:
            path = f"/users/{quote(self._bot())}" if self._bot else "/user"
            self._me = self._one(UserShape, path).fact()
        return self._me

    def forge_time(self) -> datetime:
        return self._wire.forge_time()

    def repo(self) -> Repo:
        try:
            return self._one(RepositoryShape, self._base).fact(self._wire.host)
        except ForgeError as error:
            raise self._led_on(error, RepositoryShape, lambda found: found.slug) from None

    def permission(self, login: str) -> Permission:
        path = f"{self._base}/collaborators/{quote(login)}/permission"
        try:
            shape = read(PermissionShape, self._wire.ask("GET", path, etags=self._etags))
        except ForgeError as error:
            if error.reason == "gone":
                return Permission.NONE
            if error.reason == "forbidden":
                raise AccessLost(
                    f"this login has no write access to {self._slug} any more, or its token never "
                    "had it: give it back (GitHub does not tell it what people may do there)"
                ) from None
            raise
        known = {one.value for one in Permission}
        name = shape.role_name if shape.role_name in known else shape.permission
        return Permission(name) if name in known else Permission.NONE

    # -- issues --------------------------------------------------------------------------------
    def open_issues(self) -> tuple[Issue, ...]:
        query = {"state": "open", "sort": "updated", "direction": "desc"}
        found = {one.number: one for one in self._all(IssueShape, f"{self._base}/issues", query)}
        return tuple(
            found[number].fact() for number in sorted(found) if not found[number].pull_request
        )

    def issue(self, number: int) -> Issue:
        try:
            return self._one(IssueShape, f"{self._base}/issues/{number}").fact()
        except ForgeError as error:
            raise self._led_on(error, IssueShape, lambda found: found.html_url) from None

    def body_edited(self, number: int) -> datetime | None:
        return body_edited(self._wire, self._slug, number)

    def comments(self, number: int) -> tuple[Comment, ...]:
        rows = self._all(CommentShape, f"{self._base}/issues/{number}/comments")
        return tuple(row.fact("issue") for row in sorted(rows, key=lambda row: row.id))

    def timeline(self, number: int) -> tuple[Happening, ...]:
        rows = self._all(HappeningShape, f"{self._base}/issues/{number}/timeline")
        facts = (row.fact() for row in rows)
        return tuple(fact for fact in facts if fact is not None)

    def labels(self, number: int) -> tuple[str, ...]:
        rows = self._all(LabelShape, f"{self._base}/issues/{number}/labels")
        return tuple(row.name for row in rows)

    # -- pull requests -------------------------------------------------------------------------
    def pull(self, number: int) -> Pull:
        return self._one(PullShape, f"{self._base}/pulls/{number}").fact()

    def open_pulls(self) -> tuple[Pull, ...]:
        rows = self._all(PullShape, f"{self._base}/pulls", {"state": "open"})
        found = {row.number: row for row in rows}
        return tuple(found[number].fact() for number in sorted(found))

    def pulls_from(self, branch: str) -> tuple[Pull, ...]:
        owner = self._slug.partition("/")[0]
        query = {"state": "all", "head": f"{owner}:{branch}"}
        rows = self._all(PullShape, f"{self._base}/pulls", query)
        facts = [row.fact() for row in rows if row.head.ref == branch]
        return tuple(sorted(facts, key=lambda fact: -fact.number))

    def reviews(self, number: int) -> tuple[ForgeReview, ...]:
        rows = self._all(ReviewShape, f"{self._base}/pulls/{number}/reviews")
        return tuple(row.fact() for row in rows)

    def pending_review(self, number: int, nonce: str = "") -> ForgeReview | None:
        """Our login's unpublished review, if its body carries this nonce ("" any)."""
        me = self.whoami().id
        for review in self.reviews(number):
            ours = review.state == "PENDING" and review.author.id == me
            if ours and (not nonce or f"<!-- harness:{nonce}." in review.body):
                return review
        return None

    def requested_reviewers(self, number: int) -> tuple[str, ...]:
        """Who is asked to review and has not."""
        shape = self._one(PullShape, f"{self._base}/pulls/{number}")
        return tuple(one.login for one in shape.requested_reviewers)

    def threads(self, number: int) -> tuple[Thread, ...]:
        return list_threads(self._wire, self._slug, number)

    # -- branches and checks -----------------------------------------------------------------------
    def is_protected(self, branch: str) -> bool:
        return self._branch(branch).protected or bool(self._rules(branch))

    def checks(self, sha: str, base: str) -> tuple[ForgeCheck, ...]:
        found = Checks(self._wire, self._base, self._etags).list(sha, self._required(base))
        return tuple(self._without_secrets(one) for one in found)

    def check_log(self, check: ForgeCheck, limit: int) -> str:
        return self._mask(Checks(self._wire, self._base, self._etags).log(check, limit))

    def _without_secrets(self, check: ForgeCheck) -> ForgeCheck:
        said = tuple(map(self._mask, check.annotations))
        return check.model_copy(update={"name": self._mask(check.name), "annotations": said})

    def statuses(self, sha: str) -> tuple[tuple[str, str, str], ...]:
        rows = self._all(StatusShape, f"{self._base}/commits/{quote(sha)}/statuses")
        return tuple((row.context, row.state, row.description or "") for row in rows)

    def _required(self, branch: str) -> frozenset[str]:
        shape = self._branch(branch)
        checks = shape.protection.required_status_checks if shape.protection else None
        names = set(checks.contexts if checks else ())
        for rule in self._rules(branch):
            if rule.parameters:
                names |= {one.context for one in rule.parameters.required_status_checks}
        return frozenset(names)

    def _branch(self, branch: str) -> BranchShape:
        try:
            return self._one(BranchShape, f"{self._base}/branches/{quote(branch)}")
        except ForgeError as error:
            if error.reason == "gone":
                return BranchShape(protected=False)
            raise

    def _rules(self, branch: str) -> list[RuleShape]:
        try:
            return self._all(RuleShape, f"{self._base}/rules/branches/{quote(branch)}")
        except ForgeError as error:
            if error.reason == "gone":  # an older server without rulesets
                return []
            raise

    # -- the credential --------------------------------------------------------------------------
    def scopes(self) -> Iterable[str]:
        """Nothing for an App: what it may not do, its installation says."""
        if self._bot is not None:
            return
        answer = self._wire.ask("GET", self._base)
        shape = read(RepositoryShape, answer)
        if not shape.permissions.push:
            yield f"it cannot push to {self._slug}: give it write access"
        classic = answer.headers.get("x-oauth-scopes")
        if classic is not None and "workflow" not in classic.split(", "):
            yield "it cannot push changes to workflow files: they are kept for a person"
        yield "it cannot make check runs (they need an App): commit statuses are set instead"
        yield "it cannot approve pull requests that its own login opened: they are commented on"

    # -- how it is done ----------------------------------------------------------------------------
    def _led_on(self, error: ForgeError, shape: type[S], name: Callable[[S], str]) -> ForgeError:
        """The same, naming what it is that lies now where GitHub leads."""
        if not error.to:
            return error
        try:
            error.to = name(read(shape, self._wire.ask("GET", error.to)))
        except ForgeError:
            error.to = ""
        return error

    def _one(self, shape: type[S], path: str) -> S:
        return read(shape, self._wire.ask("GET", path, etags=self._etags))

    def _all(self, shape: type[S], path: str, query: Mapping[str, str] | None = None) -> list[S]:
        pages = self._wire.pages(path, query=query, etags=self._etags)
        return [row for page in pages for row in read_list(shape, page)]
