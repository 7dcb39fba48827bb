"""What a write became, from GitHub's payloads."""

from __future__ import annotations

from harness.edges.github.check_shapes import CheckRunShape, StatusShape
from harness.edges.github.item_shapes import CommentShape, IssueShape, PullShape, ReviewShape
from harness.facts.forge import Happening, Issue, Pull
from harness.facts.intents import Receipt


def of_pull(shape: PullShape) -> Receipt:
    """A pull request; `sha` is its head."""
    return Receipt(
        id=shape.id,
        node_id=shape.node_id,
        number=shape.number,
        url=shape.html_url,
        sha=shape.head.sha,
        at=shape.created_at,
    )


def of_known_pull(pull: Pull) -> Receipt:
    """The same from a fact."""
    return Receipt(
        id=pull.id, number=pull.number, url=pull.url, sha=pull.head_sha, at=pull.created_at
    )


def of_issue(shape: IssueShape) -> Receipt:
    """An issue."""
    return Receipt(id=shape.id, number=shape.number, url=shape.html_url, at=shape.created_at)


def of_item(issue: Issue) -> Receipt:
    """An item that was changed."""
    return Receipt(id=issue.id, number=issue.number, url=issue.url, at=issue.updated_at)


def of_comment(shape: CommentShape) -> Receipt:
    """A comment or a reply in a thread."""
    return Receipt(id=shape.id, node_id=shape.node_id, url=shape.html_url, at=shape.created_at)


def of_review(shape: ReviewShape) -> Receipt:
    """A review; `sha` is the commit it is pinned to."""
    return Receipt(
        id=shape.id,
        node_id=shape.node_id,
        url=shape.html_url,
        sha=shape.commit_id or "",
        at=shape.submitted_at,
    )


def of_status(shape: StatusShape, sha: str) -> Receipt:
    """A commit status."""
    return Receipt(id=shape.id, node_id=shape.node_id, sha=sha, at=shape.created_at)


def of_check_run(shape: CheckRunShape, sha: str) -> Receipt:
    """A check run."""
    return Receipt(id=shape.id, node_id=shape.node_id, url=shape.html_url or "", sha=sha)


def of_happening(happening: Happening) -> Receipt:
    """Something that was done, and may have been undone since."""
    return Receipt(at=happening.at)
