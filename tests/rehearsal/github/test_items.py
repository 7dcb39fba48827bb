from __future__ import annotations

import pytest

from harness.rehearsal.github import GithubDouble
from tests.rehearsal.github.client import Client

DEMO = "/repos/octo/demo"


def test_issues_and_pull_requests_share_numbers(double: GithubDouble, us: Client) -> None:
    people = double.people
    issue = people.open_issue("octo/demo", "alice", "Bug")
    people.commit("octo/demo", "alice", "fix", {"a.py": "1\n"}, "Fix")

    pull = people.open_pull("octo/demo", "alice", "fix", "Fix it")

    assert (issue, pull) == (1, 2)
    assert [one["number"] for one in us.get(f"{DEMO}/issues")] == [2, 1]
    assert us.get(f"{DEMO}/issues/2")["pull_request"]["url"].endswith("/pulls/2")


def test_a_missing_label_is_made_when_it_is_put_on_and_404_when_it_is_taken_off(
    double: GithubDouble, us: Client
) -> None:
    double.people.open_issue("octo/demo", "alice", "Bug")

    us.post(f"{DEMO}/issues/1/labels", {"labels": ["needs work/x"]})

    assert us.get(f"{DEMO}/labels/needs%20work%2Fx")["name"] == "needs work/x"
    assert us.ask("DELETE", f"{DEMO}/issues/1/labels/needs%20work%2Fx").status == 200
    assert us.ask("DELETE", f"{DEMO}/issues/1/labels/needs%20work%2Fx").status == 404
    kinds = [one["event"] for one in us.get(f"{DEMO}/issues/1/timeline")]
    assert kinds == ["labeled", "unlabeled"]


def test_lists_come_in_pages_that_github_links_by_repository_id(
    double: GithubDouble, us: Client
) -> None:
    for index in range(5):
        double.people.open_issue("octo/demo", "alice", f"Bug {index}")
    first = us.ask("GET", f"{DEMO}/issues?per_page=2")

    link = first.headers["link"].split(";")[0].strip("<>")
    assert "/api/v3/repositories/" in link
    second = us.ask("GET", link.removeprefix(double.url))
    assert [one["number"] for one in second.json] == [3, 2]


def test_what_did_not_change_answers_304_to_its_etag(double: GithubDouble, us: Client) -> None:
    double.people.open_issue("octo/demo", "alice", "Bug")
    etag = us.ask("GET", f"{DEMO}/issues").headers["etag"]

    again = us.ask("GET", f"{DEMO}/issues", If_None_Match=etag)
    double.people.comment("octo/demo", "alice", 1, "more")
    later = us.ask("GET", f"{DEMO}/issues", If_None_Match=etag)

    assert (again.status, again.text) == (304, "")
    assert later.status == 200


def test_who_may_not_write_cannot_label_and_is_dropped_as_assignee(
    double: GithubDouble, us: Client
) -> None:
    double.people.join("stranger", token="s")
    double.people.open_issue("octo/demo", "stranger", "Bug")

    said = Client(double.url, "s").ask("POST", f"{DEMO}/issues/1/labels", {"labels": ["bug"]})
    us.post(f"{DEMO}/issues/1/assignees", {"assignees": ["stranger", "alice"]})

    assert said.status == 403
    assert [one["login"] for one in us.get(f"{DEMO}/issues/1")["assignees"]] == ["alice"]


@pytest.mark.parametrize(
    ("role", "permission", "name"),
    [
        ("admin", "admin", "admin"),
        ("maintain", "write", "maintain"),
        ("triage", "read", "triage"),
        ("none", "none", "none"),
    ],
    ids=["admin", "maintain", "triage", "none"],
)
def test_permissions_are_told_in_old_words_and_new(
    double: GithubDouble, us: Client, role: str, permission: str, name: str
) -> None:
    double.people.allow("octo/demo", "carol", role)

    said = us.get(f"{DEMO}/collaborators/carol/permission")

    assert (said["permission"], said["role_name"]) == (permission, name)


def test_a_locked_issue_takes_no_comment_from_those_who_may_not_write(
    double: GithubDouble,
) -> None:
    double.people.join("stranger", token="s")
    double.people.open_issue("octo/demo", "alice", "Bug")
    double.people.lock("octo/demo", "alice", 1)

    said = Client(double.url, "s").ask("POST", f"{DEMO}/issues/1/comments", {"body": "hi"})

    assert said.status == 403
    assert said.json["message"] == "Unable to create comment because issue is locked."


def test_deleted_is_410_and_transferred_is_301(double: GithubDouble, us: Client) -> None:
    people = double.people
    people.make_repository("octo/other", files={"a": "b\n"})
    for _ in range(2):
        people.open_issue("octo/demo", "alice", "Bug")
    people.delete_item("octo/demo", 1)
    people.transfer("octo/demo", 2, "octo/other")

    assert us.ask("GET", f"{DEMO}/issues/1").status == 410
    moved = us.ask("GET", f"{DEMO}/issues/2")
    assert moved.status == 301
    assert moved.headers["location"].endswith("/repos/octo/other/issues/1")
    assert us.get(f"{DEMO}/issues") == []


def test_a_renamed_repository_answers_301_under_its_old_name(
    double: GithubDouble, us: Client
) -> None:
    before = us.get(DEMO)["id"]
    double.people.move_repository("octo/demo", "octo/renamed")

    said = us.ask("GET", DEMO)

    assert said.status == 301
    assert us.get(said.headers["location"].removeprefix(double.url))["id"] == before


def test_a_deleted_account_leaves_its_words_behind(double: GithubDouble, us: Client) -> None:
    double.people.open_issue("octo/demo", "bob", "Bug")
    double.people.comment("octo/demo", "bob", 1, "me")
    double.people.leave("bob")

    assert us.get(f"{DEMO}/issues/1")["user"] is None
    assert us.get(f"{DEMO}/issues/1/comments")[0]["user"] is None


def test_since_filters_by_when_something_changed(double: GithubDouble, us: Client) -> None:
    people = double.people
    people.open_issue("octo/demo", "alice", "Bug")
    old = people.comment("octo/demo", "alice", 1, "old")
    double.wait(3600)
    new = people.comment("octo/demo", "alice", 1, "new")
    since = "2026-11-30T09:30:00Z"

    found = us.get(f"{DEMO}/issues/1/comments?since={since}")
    people.edit_comment("octo/demo", 1, old, "old, edited")
    after = us.get(f"{DEMO}/issues/1/comments?since={since}")

    assert [one["id"] for one in found] == [new]
    assert [one["id"] for one in after] == [old, new]
