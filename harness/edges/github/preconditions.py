"""Why a write must not be made any more: read afresh right before it."""

from __future__ import annotations

from urllib.parse import quote

from harness.edges.github.item_shapes import CommentShape, ReviewShape
from harness.edges.github.reading import GithubReading
from harness.edges.github.shapes import read
from harness.edges.github.wire import Wire
from harness.errors import ForgeError
from harness.facts.intents import (
    DeleteComment,
    EditBody,
    EditComment,
    EditIssue,
    Intent,
    Merge,
    OpenPull,
    PostReview,
    Precondition,
    ReopenItem,
    ReplaceReview,
)
from harness.rules.body_hash import body_hash

EDITED = "a person edited it"


class Preconditions:
    """Reads what a write relies on. What is gone or moved is a reason, not an error."""

    def __init__(self, wire: Wire, repo: str, reading: GithubReading) -> None:
        self._wire = wire
        self._reading = reading
        self._base = f"/repos/{quote(repo)}"

    def unmet(self, intent: Intent) -> str:
        """The first reason, "" when there is none. Raises ForgeError when it cannot be read."""
        try:
            return self._of_item(intent.needs) or self._of_kind(intent)
        except ForgeError as error:
            if error.reason in {"gone", "moved"}:
                return f"it is not there any more: {error}"
            raise

    def _of_item(self, needs: Precondition) -> str:
        if needs.pull and (needs.head or needs.base or needs.state):
            pull = self._reading.pull(needs.pull)
            if needs.state and pull.state != needs.state:
                state = "merged" if pull.merged else pull.state
                return f"pull request #{pull.number} is {state}"
            if needs.head and pull.head_sha != needs.head:
                return f"the head moved from {needs.head[:12]} to {pull.head_sha[:12]}"
            if needs.base and pull.base_ref != needs.base:
                return f"pull request #{pull.number} goes into {pull.base_ref}, not {needs.base}"
        if needs.item and needs.item_state:
            issue = self._reading.issue(needs.item)
            if issue.state != needs.item_state:
                return f"issue #{issue.number} is {issue.state}"
        return ""

    def _of_kind(self, intent: Intent) -> str:
        match intent.write:
            case OpenPull() as write:
                return self._open_pull(write)
            case EditBody() as write:
                return self._changed(self._reading.issue(write.number).body, write.was, write.body)
            case EditIssue() as write:
                title = self._reading.issue(write.number).title
                return self._changed(title, write.was, write.title)
            case EditComment() as write:
                row = self._comment("issues", write.comment_id)
                return self._foreign(row) or self._changed(row.body or "", write.was, write.body)
            case ReplaceReview() as write:
                path = f"{self._base}/pulls/{write.number}/reviews/{write.review_id}"
                review = read(ReviewShape, self._wire.ask("GET", path))
                return self._changed(review.body or "", write.was, write.body)
            case DeleteComment() as write:
                return self._deletion(write)
            case PostReview() as write:
                return self._draft_stands(intent, write)
            case Merge() as write:
                return self._merge(write)
            case ReopenItem() as write:
                return self._closed_by_others(write.number)
            case _:
                return ""

    def _open_pull(self, write: OpenPull) -> str:
        """A closed pull request from this branch is a person's no, unless one stands open."""
        pulls = self._reading.pulls_from(write.branch)
        if any(pull.state == "open" for pull in pulls):
            return ""
        if pulls:
            how = "was merged already" if pulls[0].merged else "was closed by a person"
            return f"pull request #{pulls[0].number} from {write.branch} {how}"
        return ""

    @staticmethod
    def _changed(now: str, was: str, wanted: str) -> str:
        there = body_hash(now)
        return EDITED if was and there not in {was, body_hash(wanted)} else ""

    def _comment(self, folder: str, number: int) -> CommentShape:
        path = f"{self._base}/{folder}/comments/{number}"
        return read(CommentShape, self._wire.ask("GET", path))

    def _deletion(self, write: DeleteComment) -> str:
        """One that is gone already is as it should be."""
        folder = "issues" if write.where == "issue" else "pulls"
        try:
            row = self._comment(folder, write.comment_id)
            return self._foreign(row) or self._changed(row.body or "", write.was, "")
        except ForgeError as error:
            if error.reason == "gone":
                return ""
            raise

    def _foreign(self, row: CommentShape) -> str:
        ours = row.user is not None and row.user.id == self._reading.whoami().id
        return "" if ours else "it is not ours"

    def _draft_stands(self, intent: Intent, write: PostReview) -> str:
        """GitHub allows one pending review per login; what is not this write's is left alone."""
        standing = self._reading.pending_review(write.number)
        if standing is None or f"<!-- harness:{intent.nonce}." in standing.body:
            return ""
        return f"an unpublished draft review of our login stands there (review {standing.id})"

    def _merge(self, write: Merge) -> str:
        pull = self._reading.pull(write.number)
        if pull.merged:
            return ""
        if pull.state == "closed":
            return f"pull request #{pull.number} is closed"
        if pull.head_sha != write.sha:
            return f"the head moved from {write.sha[:12]} to {pull.head_sha[:12]}"
        return ""

    def _closed_by_others(self, number: int) -> str:
        closings = [one for one in self._reading.timeline(number) if one.kind == "closed"]
        me = self._reading.whoami().id
        if closings and closings[-1].actor.id != me:
            return f"#{number} was closed by {closings[-1].actor.login}"
        return ""
