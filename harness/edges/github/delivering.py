"""Making each kind of write, once."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from harness.edges.github import drafts, receipts, threads
from harness.edges.github.check_shapes import CheckRunShape, StatusShape
from harness.edges.github.item_shapes import CommentShape, IssueShape, PullShape, ReviewShape
from harness.edges.github.reading import GithubReading
from harness.edges.github.shapes import read
from harness.edges.github.wire import Answer, Wire
from harness.errors import ForgeError
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
    InlineNote,
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


class Delivering:
    """One request per write (two where GitHub wants an id first)."""

    def __init__(self, wire: Wire, repo: str, reading: GithubReading) -> None:
        self._wire = wire
        self._reading = reading
        self._base = f"/repos/{quote(repo)}"

    def deliver(self, intent: Intent) -> Receipt:  # noqa: C901, PLR0911, PLR0912 - a total match
        """Make the write. Raises ForgeError."""
        match intent.write:
            case OpenPull() as write:
                return self._open_pull(write)
            case CommentOn() as write:
                return self._comment(f"/issues/{write.number}/comments", {"body": write.body})
            case ReplyIn() as write:
                path = f"/pulls/{write.number}/comments/{write.comment_id}/replies"
                return self._comment(path, {"body": write.body})
            case EditComment() as write:
                path = f"/issues/comments/{write.comment_id}"
                return receipts.of_comment(read(CommentShape, self._patch(path, body=write.body)))
            case EditBody() as write:
                return self._item(write.number, body=write.body)
            case EditIssue() as write:
                return self._item(write.number, title=write.title)
            case CloseItem() as write:
                reason = {"state_reason": write.reason} if write.reason else {}
                return self._item(write.number, state="closed", **reason)
            case ReopenItem() as write:
                return self._item(write.number, state="open")
            case CreateIssue() as write:
                given = {"title": write.title, "body": write.body, "labels": list(write.labels)}
                return receipts.of_issue(read(IssueShape, self._post("/issues", given)))
            case PostReview() as write:
                return self._review(intent, write)
            case ReplaceReview() as write:
                path = f"/pulls/{write.number}/reviews/{write.review_id}"
                answer = self._ask("PUT", path, {"body": write.body})
                return receipts.of_review(read(ReviewShape, answer))
            case DeletePendingReview() as write:
                self._ask("DELETE", f"/pulls/{write.number}/reviews/{write.review_id}")
            case DeleteComment() as write:
                folder = "issues" if write.where == "issue" else "pulls"
                self._ask("DELETE", f"/{folder}/comments/{write.comment_id}")
            case Label() as write:
                self._post(f"/issues/{write.number}/labels", {"labels": [write.name]})
            case Unlabel() as write:
                name = quote(write.name, safe="")
                self._ask("DELETE", f"/issues/{write.number}/labels/{name}")
            case Assign() as write:
                self._post(f"/issues/{write.number}/assignees", {"assignees": list(write.logins)})
            case Unassign() as write:
                given = {"assignees": list(write.logins)}
                self._ask("DELETE", f"/issues/{write.number}/assignees", given)
            case RequestReview() as write:
                given = {"reviewers": list(write.logins)}
                self._post(f"/pulls/{write.number}/requested_reviewers", given)
            case React() as write:
                return self._react(write)
            case Resolve() as write:
                threads.resolve_thread(self._wire, write.thread_id)
                return Receipt(node_id=write.thread_id)
            case MarkReady() as write:
                return drafts.mark_ready(self._wire, self._pull(write.number))
            case BackToDraft() as write:
                return drafts.back_to_draft(self._wire, self._pull(write.number))
            case Minimise() as write:
                return drafts.minimise(self._wire, write.node_id)
            case SetStatus() as write:
                return self._status(write)
            case MakeCheckRun() as write:
                return self._check_run(intent, write)
            case Merge() as write:
                return self._merge(write)
            case Push() | DeleteBranch() | PushLedger():
                raise TypeError(f"{intent.write.kind} is made by git, not by GitHub's API")
        return Receipt()

    # -- how each is done --------------------------------------------------------------------------
    def _open_pull(self, write: OpenPull) -> Receipt:
        given = {
            "title": write.title,
            "body": write.body,
            "head": write.branch,
            "base": write.base,
            "draft": write.draft,
        }
        return receipts.of_pull(read(PullShape, self._post("/pulls", given)))

    def _comment(self, path: str, given: dict[str, str]) -> Receipt:
        return receipts.of_comment(read(CommentShape, self._post(path, given)))

    def _item(self, number: int, **changes: str) -> Receipt:
        shape = read(IssueShape, self._patch(f"/issues/{number}", **changes))
        return receipts.of_item(shape.fact())

    def _review(self, intent: Intent, write: PostReview) -> Receipt:
        """Post it; a pending one with our own nonce is what a first attempt left: submit that."""
        reviews = f"/pulls/{write.number}/reviews"
        left = self._reading.pending_review(write.number, intent.nonce)
        if left is not None:
            given: dict[str, Any] = {"event": write.event, "body": write.body}
            answer = self._post(f"{reviews}/{left.id}/events", given)
            return receipts.of_review(read(ReviewShape, answer))
        given = {"commit_id": write.commit, "body": write.body, "event": write.event}
        if write.notes:
            given["comments"] = [_note(note) for note in write.notes]
        return receipts.of_review(read(ReviewShape, self._post(reviews, given)))

    def _react(self, write: React) -> Receipt:
        folder = "pulls" if write.where == "thread" else "issues"
        place = f"/{folder}/comments/{write.comment_id}"
        path = place if write.comment_id else f"/issues/{write.number}"
        made = self._post(f"{path}/reactions", {"content": write.content}).json
        return Receipt(id=int(made["id"]), node_id=str(made.get("node_id", "")))

    def _status(self, write: SetStatus) -> Receipt:
        given = {
            "state": write.state,
            "context": write.context,
            "description": write.description[:140],  # GitHub takes no more
        }
        answer = self._post(f"/statuses/{quote(write.sha)}", given)
        return receipts.of_status(read(StatusShape, answer), write.sha)

    def _check_run(self, intent: Intent, write: MakeCheckRun) -> Receipt:
        given = {
            "name": write.name,
            "head_sha": write.sha,
            "external_id": intent.nonce,
            "status": "completed",
            "conclusion": write.conclusion,
            "output": {"title": write.title, "summary": write.summary},
        }
        answer = self._post("/check-runs", given)
        return receipts.of_check_run(read(CheckRunShape, answer), write.sha)

    def _merge(self, write: Merge) -> Receipt:
        given = {"sha": write.sha, "merge_method": write.method}
        if write.title:
            given["commit_title"] = write.title
        if write.message:
            given["commit_message"] = write.message
        done = self._ask("PUT", f"/pulls/{write.number}/merge", given).json
        if not isinstance(done, dict) or not done.get("merged"):
            message = f"GitHub did not merge #{write.number}"
            raise ForgeError(message, reason="conflict", status=200)
        return Receipt(number=write.number, sha=str(done.get("sha", "")))

    def _pull(self, number: int) -> PullShape:
        return read(PullShape, self._ask("GET", f"/pulls/{number}"))

    def _post(self, path: str, given: object) -> Answer:
        return self._ask("POST", path, given)

    def _patch(self, path: str, **given: str) -> Answer:
        return self._ask("PATCH", path, given)

    def _ask(self, method: str, path: str, given: object = None) -> Answer:
        return self._wire.ask(method, f"{self._base}{path}", given=given)


def _note(note: InlineNote) -> dict[str, object]:
    """A comment on new-side lines; `start_line` only where it spans several."""
    given: dict[str, object] = {
        "path": note.path,
        "body": note.body,
        "line": note.line,
        "side": "RIGHT",
    }
    if note.start_line and note.start_line < note.line:
        given |= {"start_line": note.start_line, "start_side": "RIGHT"}
    return given
