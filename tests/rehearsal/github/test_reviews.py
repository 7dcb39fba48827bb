from __future__ import annotations

from typing import Any

import pytest

from harness.rehearsal.github import GithubDouble
from tests.rehearsal.github.client import Client

DEMO = "/repos/octo/demo"
REVIEWS = f"{DEMO}/pulls/1/reviews"
THREADS = """query($n: Int!) { repository(owner: "octo", name: "demo") { pullRequest(number: $n) {
  reviewThreads(first: 50) { totalCount nodes { id path line isResolved isOutdated
    resolvedBy { login } comments(first: 5) { nodes { body author { login } } } } } } } }"""


@pytest.fixture
def head(double: GithubDouble) -> str:
    """Pull request 1 of ours, which changes line 2 of a.py and adds b.py."""
    changed = {"a.py": "one\nTWO\nthree\nfour\nfive\n", "b.py": "x\ny\n"}
    sha = double.people.commit("octo/demo", "harness-bot", "fix", changed, "Fix")
    double.people.open_pull("octo/demo", "harness-bot", "fix", "Fix")
    return sha


def threads(client: Client) -> list[Any]:
    pull = client.graphql(THREADS, n=1)["data"]["repository"]["pullRequest"]
    found: list[Any] = pull["reviewThreads"]["nodes"]
    return found


@pytest.mark.parametrize(
    ("event", "state", "sentence"),
    [
        ("APPROVE", "APPROVED", "Can not approve your own pull request"),
        (
            "REQUEST_CHANGES",
            "CHANGES_REQUESTED",
            "Can not request changes on your own pull request",
        ),
    ],
    ids=["approve", "request-changes"],
)
def test_nobody_judges_their_own_pull_request(
    us: Client, alice: Client, head: str, event: str, state: str, sentence: str
) -> None:
    given = {"event": event, "body": "well"}

    refused = us.ask("POST", REVIEWS, given)

    assert (refused.status, refused.json["errors"]) == (422, [sentence])
    assert alice.post(REVIEWS, given)["state"] == state


def test_one_pending_review_per_person_and_seen_by_them_alone(
    us: Client, alice: Client, head: str
) -> None:
    draft = alice.post(REVIEWS, {"body": "draft", "comments": [note(2)]})

    second = alice.ask("POST", REVIEWS, {"event": "COMMENT", "body": "x"})

    assert second.json["errors"] == ["User can only have one pending review per pull request"]
    assert (us.get(REVIEWS), threads(us)) == ([], [])
    assert [one["state"] for one in alice.get(REVIEWS)] == ["PENDING"]
    assert len(threads(alice)) == 1
    alice.post(f"{REVIEWS}/{draft['id']}/events", {"event": "COMMENT", "body": "said"})
    assert [one["body"] for one in us.get(REVIEWS)] == ["said"]
    assert len(us.get(f"{DEMO}/pulls/1/comments")) == 1


def test_a_pending_review_can_be_deleted_and_a_posted_one_cannot(alice: Client, head: str) -> None:
    draft = alice.post(REVIEWS, {"comments": [note(2)]})
    posted = alice.ask("DELETE", f"{REVIEWS}/{draft['id']}").status

    again = alice.post(REVIEWS, {"event": "COMMENT", "body": "x"})

    assert (posted, threads(alice)) == (200, [])
    assert alice.ask("DELETE", f"{REVIEWS}/{again['id']}").status == 422


def note(line: int, path: str = "a.py", **more: object) -> dict[str, object]:
    return {"path": path, "line": line, "side": "RIGHT", "body": "look", **more}


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        (note(2, "nowhere.py"), "Path could not be resolved"),
        (note(99), "Line could not be resolved"),
        (note(2, start_line=2, start_side="RIGHT"), "Start line must precede the end line"),
        (
            note(2, "b.py", start_line=1, start_side="LEFT"),
            "Start line must be part of the same hunk as the line",
        ),
    ],
    ids=["path", "line", "start-not-before", "other-hunk"],
)
def test_one_bad_anchor_refuses_the_whole_review(
    us: Client, head: str, bad: dict[str, object], sentence: str
) -> None:
    given = {"event": "COMMENT", "body": "all", "comments": [note(3), bad]}

    said = us.ask("POST", REVIEWS, given)

    assert (said.status, said.json["errors"]) == (422, [sentence])
    assert (us.get(REVIEWS), threads(us)) == ([], [])


def test_lines_move_with_the_head_and_are_outdated_when_they_change(
    double: GithubDouble, us: Client, head: str
) -> None:
    comments = [note(2), note(2, "b.py")]
    us.post(REVIEWS, {"event": "COMMENT", "body": "x", "comments": comments, "commit_id": head})
    moved = {"a.py": "zero\none\nTWO\nthree\nfour\nfive\n", "b.py": "x\nchanged\n"}
    double.people.commit("octo/demo", "alice", "fix", moved, "Move")

    found = {one["path"]: (one["line"], one["isOutdated"]) for one in threads(us)}

    assert found == {"a.py": (3, False), "b.py": (None, True)}


def test_a_reply_joins_its_thread_and_a_thread_is_resolved_by_somebody(
    double: GithubDouble, us: Client, head: str
) -> None:
    first = double.people.note("octo/demo", "alice", 1, "a.py", 2, "why?")
    made = us.post(f"{DEMO}/pulls/1/comments/{first}/replies", {"body": "because"})
    refused = us.ask("POST", f"{DEMO}/pulls/1/comments/{made['id']}/replies", {"body": "x"})
    (thread,) = threads(us)
    mutation = """mutation($id: ID!) { resolveReviewThread(input: {threadId: $id}) {
      thread { isResolved resolvedBy { login } } } }"""

    said = us.graphql(mutation, id=thread["id"])

    assert made["in_reply_to_id"] == first
    assert refused.status == 422
    assert [one["body"] for one in thread["comments"]["nodes"]] == ["why?", "because"]
    resolved = {"isResolved": True, "resolvedBy": {"login": "harness-bot"}}
    assert said["data"]["resolveReviewThread"]["thread"] == resolved


def test_an_unknown_node_is_an_error_with_a_type(us: Client, head: str) -> None:
    said = us.graphql("""query { node(id: "nonsense") { id } }""")

    assert said["data"] == {"node": None}
    assert said["errors"][0]["type"] == "NOT_FOUND"


def test_drafts_come_and_go_by_graphql(us: Client, head: str) -> None:
    node = us.get(f"{DEMO}/pulls/1")["node_id"]
    draft = """mutation($id: ID!) { convertPullRequestToDraft(input: {pullRequestId: $id}) {
      pullRequest { isDraft } } }"""
    ready = draft.replace("convertPullRequestToDraft", "markPullRequestReadyForReview")

    us.graphql(draft, id=node)
    is_draft = us.get(f"{DEMO}/pulls/1")["draft"]
    us.graphql(ready, id=node)

    assert (is_draft, us.get(f"{DEMO}/pulls/1")["draft"]) == (True, False)
    kinds = [one["event"] for one in us.get(f"{DEMO}/issues/1/events")]
    assert kinds == ["convert_to_draft", "ready_for_review"]
