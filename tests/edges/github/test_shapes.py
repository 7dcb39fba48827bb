from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from harness.edges.github.item_shapes import CommentShape, HappeningShape, IssueShape, PullShape
from harness.edges.github.shapes import read
from harness.edges.github.wire import Answer
from harness.errors import ForgeError

USER = {"id": 7, "login": "alice", "type": "User"}
ISSUE: dict[str, Any] = {
    "id": 1,
    "number": 2,
    "title": "Bug",
    "body": None,
    "user": USER,
    "state": "open",
    "labels": ["old", {"name": "new"}],
    "locked": False,
    "created_at": "2026-11-30T09:00:00Z",
    "updated_at": "2026-11-30T09:00:00Z",
    "html_url": "http://x/1",
}


def told(payload: object) -> Answer:
    return Answer(200, {}, json.dumps(payload))


def test_an_issue_is_read_with_what_it_needs_and_no_more() -> None:
    fact = read(IssueShape, told(ISSUE | {"never_seen": {"deep": []}})).fact()

    assert (fact.body, fact.labels, fact.is_pull) == ("", ("old", "new"), False)
    assert fact.created_at == datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"number": "2"}, "number"),
        ({"title": None}, "title"),
        ({"state": "merged"}, "state"),
        ({"user": {"login": "alice"}}, "user.id"),
        ({"created_at": "yesterday"}, "created_at"),
    ],
    ids=["number", "title", "state", "user", "time"],
)
def test_what_is_needed_and_does_not_fit_is_named(change: dict[str, object], where: str) -> None:
    with pytest.raises(ForgeError, match=f"whose {where}") as caught:
        read(IssueShape, told(ISSUE | change))

    assert caught.value.reason == "unexpected"


@pytest.mark.parametrize(
    ("user", "kind", "number"),
    [
        (None, "ghost", 0),
        ({"id": 10137, "login": "ghost", "type": "User"}, "ghost", 0),
        ({"id": 9, "login": "helper[bot]", "type": "Bot"}, "app", 9),
        (USER, "user", 7),
    ],
    ids=["null", "ghost", "app", "person"],
)
def test_authors_are_people_apps_or_gone(user: object, kind: str, number: int) -> None:
    author = read(IssueShape, told(ISSUE | {"user": user})).fact().author

    assert (author.kind, author.id) == (kind, number)


def test_the_trial_merge_of_an_open_pull_request_is_no_merge() -> None:
    end = {"ref": "main", "sha": "b" * 40, "repo": {"full_name": "o/r"}}
    pull = ISSUE | {
        "node_id": "n",
        "merged_at": None,
        "merge_commit_sha": "a" * 40,
        "head": end | {"repo": None},
        "base": end,
    }

    fact = read(PullShape, told(pull)).fact()

    assert (fact.merged, fact.merge_sha, fact.head_repo) == (False, "", "")


def test_a_comment_without_text_is_empty() -> None:
    comment = {key: ISSUE[key] for key in ("id", "user", "created_at", "updated_at", "html_url")}

    fact = read(CommentShape, told(comment | {"node_id": "n"})).fact("issue")

    assert (fact.body, fact.reply_to) == ("", 0)


@pytest.mark.parametrize(
    ("line", "kind", "detail"),
    [
        ({"event": "labeled", "label": {"name": "bug"}}, "labeled", "bug"),
        ({"event": "assigned", "assignee": {"login": "bob"}}, "assigned", "bob"),
        ({"event": "closed", "commit_id": "abc"}, "closed", "abc"),
        ({"event": "renamed", "rename": {"from": "a", "to": "b"}}, "renamed", "b"),
        ({"event": "invented_tomorrow"}, "invented_tomorrow", ""),
    ],
    ids=["label", "assignee", "commit", "rename", "unknown"],
)
def test_a_happening_says_what_it_is_about(line: dict[str, object], kind: str, detail: str) -> None:
    fact = read(
        HappeningShape, told(line | {"actor": USER, "created_at": ISSUE["created_at"]})
    ).fact()

    assert fact is not None
    assert (fact.kind, fact.detail, fact.actor.login) == (kind, detail, "alice")


def test_a_commit_in_the_timeline_is_no_happening() -> None:
    assert read(HappeningShape, told({"event": "committed", "sha": "abc"})).fact() is None
