"""Whether a write already happened, per kind (writes.md): by nonce, by content, or by state.

Never by search, and a text only by its marker, from our own account, in the place it was written
to, not older than the intent.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import quote

from harness.edges.github import drafts, receipts
from harness.edges.github.check_shapes import CheckRunsShape, StatusShape
from harness.edges.github.item_shapes import CommentShape, IssueShape, ReviewShape
from harness.edges.github.reading import GithubReading
from harness.edges.github.shapes import UserShape, read, read_list
from harness.edges.github.wire import Wire, before
from harness.errors import ForgeError
from harness.facts.forge import Happening, Issue
from harness.facts.intents import (
    Assign,
    BackToDraft,
    CloseItem,
    CommentOn,
    CreateIssue,
    DeleteBranch,
    DeleteComment,
    DeletePendingReview,
    EditBody,
    EditComment,
    EditIssue,
    Intent,
    Label,
    MakeCheckRun,
    MarkReady,
    Merge,
    Minimise,
    OpenPull,
    PostReview,
    Push,
    PushLedger,
    React,
    Receipt,
    ReopenItem,
    ReplaceReview,
    ReplyIn,
    RequestReview,
    Resolve,
    SetStatus,
    Unassign,
    Unlabel,
)
from harness.rules.body_hash import body_hash


class Finding:
    """Reads back."""

    def __init__(self, wire: Wire, repo: str, reading: GithubReading) -> None:
        self._wire = wire
        self._reading = reading
        self._base = f"/repos/{quote(repo)}"

    def find(self, intent: Intent) -> Receipt | None:  # noqa: C901, PLR0911, PLR0912 - a total match
        """The receipt of a write that has taken effect. Raises ForgeError."""
        match intent.write:
            case OpenPull() as write:
                return self._open_pull(intent, write)
            case CommentOn() as write:
                return self._comment(intent, f"/issues/{write.number}/comments", 0)
            case ReplyIn() as write:
                return self._comment(intent, f"/pulls/{write.number}/comments", write.comment_id)
            case CreateIssue():
                return self._issue(intent)
            case PostReview() as write:
                return self._review(intent, write)
            case EditComment() as write:
                return self._edited(f"/issues/comments/{write.comment_id}", write.body)
            case ReplaceReview() as write:
                return self._replaced(write)
            case EditBody() as write:
                issue = self._reading.issue(write.number)
                same = body_hash(issue.body) == body_hash(write.body)
                return receipts.of_item(issue) if same else None
            case EditIssue() as write:
                issue = self._reading.issue(write.number)
                return receipts.of_item(issue) if issue.title == write.title else None
            case Label() as write:
                there = write.name.casefold() in self._labels(write.number)
                return self._set(intent, write.number, there, "labeled", write.name)
            case Unlabel() as write:
                there = write.name.casefold() in self._labels(write.number)
                return self._set(intent, write.number, not there, "unlabeled", write.name)
            case Assign() as write:
                there = set(_folded(write.logins)) <= self._assignees(write.number)
                return self._set(intent, write.number, there, "assigned", *write.logins)
            case Unassign() as write:
                there = bool(set(_folded(write.logins)) & self._assignees(write.number))
                return self._set(intent, write.number, not there, "unassigned", *write.logins)
            case RequestReview() as write:
                there = set(_folded(write.logins)) <= self._requested(write.number)
                return self._set(intent, write.number, there, "review_requested", *write.logins)
            case CloseItem() as write:
                closed = self._reading.issue(write.number).state == "closed"
                return self._set(intent, write.number, closed, "closed")
            case ReopenItem() as write:
                opened = self._reading.issue(write.number).state == "open"
                return self._set(intent, write.number, opened, "reopened")
            case MarkReady() as write:
                ready = not self._reading.pull(write.number).draft
                return self._set(intent, write.number, ready, "ready_for_review")
            case BackToDraft() as write:
                draft = self._reading.pull(write.number).draft
                return self._set(intent, write.number, draft, "convert_to_draft")
            case Resolve() as write:
                return self._resolved(write)
            case Minimise() as write:
                folded = drafts.is_minimised(self._wire, write.node_id)
                return Receipt(node_id=write.node_id) if folded else None
            case DeletePendingReview() as write:
                return self._absent(f"/pulls/{write.number}/reviews/{write.review_id}")
            case DeleteComment() as write:
                folder = "issues" if write.where == "issue" else "pulls"
                return self._absent(f"/{folder}/comments/{write.comment_id}")
            case Merge() as write:
                pull = self._reading.pull(write.number)
                return Receipt(number=pull.number, sha=pull.merge_sha) if pull.merged else None
            case SetStatus() as write:
                return self._status(write)
            case MakeCheckRun() as write:
                return self._check_run(intent, write)
            case React():
                return None  # reacting again answers 200 and makes no second one
            case Push() | DeleteBranch() | PushLedger():
                raise TypeError(f"{intent.write.kind} is read back by git, not by GitHub's API")

    # -- by nonce ----------------------------------------------------------------------------------
    def _comment(self, intent: Intent, path: str, thread: int) -> Receipt | None:
        query = {"since": before(intent.forge_time)}
        for page in self._wire.pages(f"{self._base}{path}", query=query):
            for row in read_list(CommentShape, page):
                in_place = not thread or row.in_reply_to_id == thread
                if in_place and self._is_ours(intent, row.user, row.body, row.created_at):
                    return receipts.of_comment(row)
        return None

    def _issue(self, intent: Intent) -> Receipt | None:
        query = {"since": before(intent.forge_time), "state": "all"}
        me = self._reading.whoami()
        if me.kind == "user":  # GitHub finds nothing by the login of an App's account
            query["creator"] = me.login
        for page in self._wire.pages(f"{self._base}/issues", query=query):
            for row in read_list(IssueShape, page):
                ours = self._is_ours(intent, row.user, row.body, row.created_at)
                if ours and not row.pull_request:
                    return receipts.of_issue(row)
        return None

    def _review(self, intent: Intent, write: PostReview) -> Receipt | None:
        """A pending one is not posted yet."""
        for page in self._wire.pages(f"{self._base}/pulls/{write.number}/reviews"):
            for row in read_list(ReviewShape, page):
                if row.submitted_at is None or row.commit_id != write.commit:
                    continue
                if self._is_ours(intent, row.user, row.body, row.submitted_at):
                    return receipts.of_review(row)
        return None

    def _is_ours(
        self, intent: Intent, user: UserShape | None, body: str | None, at: datetime
    ) -> bool:
        marked = f"<!-- harness:{intent.nonce}." in (body or "")
        young = at >= intent.forge_time - timedelta(seconds=60)
        return marked and young and user is not None and user.id == self._reading.whoami().id

    def _check_run(self, intent: Intent, write: MakeCheckRun) -> Receipt | None:
        path = f"{self._base}/commits/{quote(write.sha)}/check-runs"
        query = {"check_name": write.name, "filter": "all"}
        for page in self._wire.pages(path, query=query):
            for row in read(CheckRunsShape, page).check_runs:
                if row.external_id == intent.nonce:
                    return receipts.of_check_run(row, write.sha)
        return None

    # -- by content --------------------------------------------------------------------------------
    def _open_pull(self, intent: Intent, write: OpenPull) -> Receipt | None:
        """An open one is adopted; a closed one counts if we opened it with this intent."""
        pulls = self._reading.pulls_from(write.branch)
        for pull in pulls:
            if pull.state == "open" and pull.base_ref == write.base:
                return receipts.of_known_pull(pull)
        me = self._reading.whoami().id
        for pull in pulls:
            if pull.author.id == me and f"<!-- harness:{intent.nonce}." in pull.body:
                return receipts.of_known_pull(pull)
        return None

    def _edited(self, path: str, body: str) -> Receipt | None:
        row = read(CommentShape, self._wire.ask("GET", f"{self._base}{path}"))
        same = body_hash(row.body or "") == body_hash(body)
        return receipts.of_comment(row) if same else None

    def _replaced(self, write: ReplaceReview) -> Receipt | None:
        path = f"{self._base}/pulls/{write.number}/reviews/{write.review_id}"
        row = read(ReviewShape, self._wire.ask("GET", path))
        same = body_hash(row.body or "") == body_hash(write.body)
        return receipts.of_review(row) if same else None

    def _status(self, write: SetStatus) -> Receipt | None:
        path = f"{self._base}/commits/{quote(write.sha)}/statuses"
        for page in self._wire.pages(path):
            for row in read_list(StatusShape, page):
                if row.context == write.context:
                    said = (row.state, row.description or "")
                    same = said == (write.state, write.description[:140])
                    return receipts.of_status(row, write.sha) if same else None
        return None

    # -- by state ---------------------------------------------------------------------------------
    def _set(
        self, intent: Intent, number: int, stands: bool, kind: str, *about: str
    ) -> Receipt | None:
        """It stands, or we did it since the intent and a person undid it: done for ever."""
        if stands:
            return Receipt(number=number)
        ours = [one for one in self._ours_since(intent, number) if one.kind == kind]
        told = {one.detail.casefold() for one in ours}
        if ours and set(_folded(about)) <= told | ({""} if not about else set()):
            return receipts.of_happening(ours[-1])
        return None

    def _ours_since(self, intent: Intent, number: int) -> list[Happening]:
        me = self._reading.whoami().id
        since = intent.forge_time - timedelta(seconds=60)
        events = self._reading.timeline(number)
        return [one for one in events if one.actor.id == me and one.at >= since]

    def _labels(self, number: int) -> set[str]:
        return set(_folded(self._reading.labels(number)))

    def _assignees(self, number: int) -> set[str]:
        issue: Issue = self._reading.issue(number)
        return set(_folded(issue.assignees))

    def _requested(self, number: int) -> set[str]:
        """Those asked who have not answered; that the others were asked is in the timeline."""
        return set(_folded(self._reading.requested_reviewers(number)))

    def _resolved(self, write: Resolve) -> Receipt | None:
        for thread in self._reading.threads(write.number):
            if thread.id == write.thread_id and thread.resolved:
                return Receipt(node_id=thread.id)
        return None

    def _absent(self, path: str) -> Receipt | None:
        try:
            self._wire.ask("GET", f"{self._base}{path}")
        except ForgeError as error:
            if error.reason == "gone":
                return Receipt()
            raise
        return None


def _folded(names: tuple[str, ...]) -> tuple[str, ...]:
    """Logins and labels are the same in any case."""
    return tuple(name.casefold() for name in names)
