"""Writes to the forge: a closed set, each made exactly once through the outbox.

`purpose` names why a write is made ("open:harness/issue-12", "decline:<hash>"): the same purpose
on the same item is the same write for ever: a story told again after a kill writes nothing twice.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from harness.facts.value import Fact


class Push(Fact):
    """Push `sha` to our branch; `expected` is the tip it must replace, "" for a new branch."""

    kind: Literal["push"] = "push"
    branch: str
    sha: str
    expected: str
    adopted: bool = False  # the branch of a pull request that a person gave us


class OpenPull(Fact):
    """Open a pull request from our branch."""

    kind: Literal["open_pull"] = "open_pull"
    branch: str
    base: str
    title: str
    body: str
    draft: bool


class EditBody(Fact):
    """Replace the body of an item of ours; `was` is the hash it must still have."""

    kind: Literal["edit_body"] = "edit_body"
    number: int
    body: str
    was: str


class MarkReady(Fact):
    """Take a pull request of ours out of draft."""

    kind: Literal["mark_ready"] = "mark_ready"
    number: int


class BackToDraft(Fact):
    """Turn a pull request of ours back to draft."""

    kind: Literal["back_to_draft"] = "back_to_draft"
    number: int


class CommentOn(Fact):
    """Write a top-level comment on an issue or pull request."""

    kind: Literal["comment"] = "comment"
    number: int
    body: str


class EditComment(Fact):
    """Replace the body of our own comment; `was` is the hash it must still have."""

    kind: Literal["edit_comment"] = "edit_comment"
    number: int
    comment_id: int
    body: str
    was: str


class InlineNote(Fact):
    """One inline comment of a review; start_line 0 for a single line."""

    path: str
    start_line: int
    line: int
    body: str


class PostReview(Fact):
    """Post one review, pinned to the commit that was read."""

    kind: Literal["review"] = "review"
    number: int
    commit: str
    body: str
    event: Literal["COMMENT", "APPROVE", "REQUEST_CHANGES"]
    notes: tuple[InlineNote, ...]


class DeletePendingReview(Fact):
    """Delete our own pending review."""

    kind: Literal["delete_pending_review"] = "delete_pending_review"
    number: int
    review_id: int


class ReplyIn(Fact):
    """Reply in a review thread; `comment_id` is the thread's first comment."""

    kind: Literal["reply"] = "reply"
    number: int
    comment_id: int
    body: str


class Resolve(Fact):
    """Resolve a review thread."""

    kind: Literal["resolve"] = "resolve"
    number: int
    thread_id: str


class React(Fact):
    """React to a comment, or to the item itself when comment_id is 0."""

    kind: Literal["react"] = "react"
    number: int
    comment_id: int
    where: Literal["issue", "thread"]
    content: Literal["+1", "-1", "eyes", "confused", "rocket"]


class Label(Fact):
    """Put a label on an item, creating the label where it is missing."""

    kind: Literal["label"] = "label"
    number: int
    name: str


class Unlabel(Fact):
    """Take our label off an item."""

    kind: Literal["unlabel"] = "unlabel"
    number: int
    name: str


class Assign(Fact):
    """Assign people to an item."""

    kind: Literal["assign"] = "assign"
    number: int
    logins: tuple[str, ...]


class Unassign(Fact):
    """Take back an assignment we made."""

    kind: Literal["unassign"] = "unassign"
    number: int
    logins: tuple[str, ...]


class RequestReview(Fact):
    """Ask people to review a pull request."""

    kind: Literal["request_review"] = "request_review"
    number: int
    logins: tuple[str, ...]


class CreateIssue(Fact):
    """File an issue."""

    kind: Literal["create_issue"] = "create_issue"
    title: str
    body: str
    labels: tuple[str, ...]


class EditIssue(Fact):
    """Change the title of an issue of ours."""

    kind: Literal["edit_issue"] = "edit_issue"
    number: int
    title: str
    was: str


class CloseItem(Fact):
    """Close an issue, or a pull request of ours."""

    kind: Literal["close"] = "close"
    number: int
    reason: Literal["completed", "not_planned", ""]


class ReopenItem(Fact):
    """Open again what we closed (undo)."""

    kind: Literal["reopen"] = "reopen"
    number: int


class SetStatus(Fact):
    """Set a commit status."""

    kind: Literal["status"] = "status"
    sha: str
    context: str
    state: Literal["pending", "success", "failure", "error"]
    description: str


class MakeCheckRun(Fact):
    """Create or complete a check run (needs an App)."""

    kind: Literal["check_run"] = "check_run"
    sha: str
    name: str
    conclusion: Literal["success", "failure", "neutral", "action_required"]
    title: str
    summary: str


class Merge(Fact):
    """Merge, pinned to the reviewed head."""

    kind: Literal["merge"] = "merge"
    number: int
    sha: str
    method: Literal["merge", "squash", "rebase"]
    title: str
    message: str
    closes: int = 0  # the one issue that the message is meant to close


class DeleteBranch(Fact):
    """Delete a branch of ours, by leased push."""

    kind: Literal["delete_branch"] = "delete_branch"
    branch: str
    sha: str


class DeleteComment(Fact):
    """Delete our own comment (undo); `was` is the hash of what it said, "" for whatever it says."""

    kind: Literal["delete_comment"] = "delete_comment"
    number: int
    comment_id: int
    where: Literal["issue", "thread"]
    was: str = ""


class Minimise(Fact):
    """Fold our own outdated comment away."""

    kind: Literal["minimise"] = "minimise"
    number: int
    node_id: str


class ReplaceReview(Fact):
    """Replace the body of a review of ours (undo)."""

    kind: Literal["replace_review"] = "replace_review"
    number: int
    review_id: int
    body: str
    was: str


class PushLedger(Fact):
    """Push the shared ledger ref."""

    kind: Literal["push_ledger"] = "push_ledger"
    ref: str
    sha: str
    expected: str


Write = Annotated[
    Push
    | OpenPull
    | EditBody
    | MarkReady
    | BackToDraft
    | CommentOn
    | EditComment
    | PostReview
    | DeletePendingReview
    | ReplyIn
    | Resolve
    | React
    | Label
    | Unlabel
    | Assign
    | Unassign
    | RequestReview
    | CreateIssue
    | EditIssue
    | CloseItem
    | ReopenItem
    | SetStatus
    | MakeCheckRun
    | Merge
    | DeleteBranch
    | DeleteComment
    | Minimise
    | ReplaceReview
    | PushLedger,
    Field(discriminator="kind"),
]


class Precondition(Fact):
    """What must still be true when the write is made; "" and None do not matter."""

    pull: int = 0  # the pull request whose head, base and state are meant
    head: str = ""
    base: str = ""  # the branch it goes into
    state: Literal["open", "closed", ""] = ""
    item: int = 0  # the issue whose state is meant, when there is no pull request
    item_state: Literal["open", "closed", ""] = ""


class Receipt(Fact):
    """What the forge says a write became."""

    id: int = 0
    node_id: str = ""
    number: int = 0
    url: str = ""
    sha: str = ""
    at: datetime | None = None


class Intent(Fact):
    """A write we are about to make, as the store keeps it."""

    id: str
    run_id: str
    repo_id: int
    item: int
    purpose: str
    write: Write
    needs: Precondition
    why: str  # one sentence, shown by a dry run and in the log
    nonce: str  # 32 hex digits
    forge_time: datetime  # the last Date header seen when it was made
    state: Literal["open", "delivered", "dropped", "refused", "stopped"]
    reason: str
    receipt: Receipt | None
    attempts: int
    created_at: datetime
