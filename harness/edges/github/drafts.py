"""What only GraphQL can do besides threads: drafts, and folding comments away."""

from __future__ import annotations

from harness.edges.github.item_shapes import PullShape
from harness.edges.github.wire import Wire
from harness.facts.intents import Receipt

READY = """mutation Ready($input: MarkPullRequestReadyForReviewInput!) {
  markPullRequestReadyForReview(input: $input) { pullRequest { id isDraft } } }"""
DRAFT = """mutation Draft($input: ConvertPullRequestToDraftInput!) {
  convertPullRequestToDraft(input: $input) { pullRequest { id isDraft } } }"""
MINIMISE = """mutation Minimise($input: MinimizeCommentInput!) {
  minimizeComment(input: $input) { minimizedComment { isMinimized } } }"""
IS_MINIMISED = """query IsMinimised($id: ID!) { node(id: $id) {
  ... on IssueComment { isMinimized } ... on PullRequestReview { isMinimized }
  ... on PullRequestReviewComment { isMinimized } } }"""


def mark_ready(wire: Wire, pull: PullShape) -> Receipt:
    """Take it out of draft."""
    variables = {"input": {"pullRequestId": pull.node_id}}
    wire.graphql(f"marking #{pull.number} ready", READY, variables)
    return Receipt(id=pull.id, node_id=pull.node_id, number=pull.number, url=pull.html_url)


def back_to_draft(wire: Wire, pull: PullShape) -> Receipt:
    """Turn it to draft."""
    variables = {"input": {"pullRequestId": pull.node_id}}
    wire.graphql(f"turning #{pull.number} to draft", DRAFT, variables)
    return Receipt(id=pull.id, node_id=pull.node_id, number=pull.number, url=pull.html_url)


def minimise(wire: Wire, node_id: str) -> Receipt:
    """Fold a comment away as outdated."""
    variables = {"input": {"subjectId": node_id, "classifier": "OUTDATED"}}
    wire.graphql("folding a comment", MINIMISE, variables)
    return Receipt(node_id=node_id)


def is_minimised(wire: Wire, node_id: str) -> bool:
    """Whether a comment is folded away."""
    data = wire.graphql("a comment", IS_MINIMISED, {"id": node_id})
    return bool((data.get("node") or {}).get("isMinimized"))
