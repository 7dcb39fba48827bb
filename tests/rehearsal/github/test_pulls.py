from __future__ import annotations

import pytest

from harness.rehearsal.github import GithubDouble
from tests.rehearsal.github.client import Client

DEMO = "/repos/octo/demo"
FIX = {"title": "Fix", "head": "fix", "base": "main", "body": "Fixes #1"}


@pytest.fixture
def fix(double: GithubDouble) -> str:
    """A branch with one change, and an issue that it fixes."""
    double.people.open_issue("octo/demo", "alice", "Bug")
    changed = {"a.py": "one\nTWO\nthree\nfour\nfive\n"}
    return double.people.commit("octo/demo", "alice", "fix", changed, "Fix")


def test_a_second_pull_request_of_a_branch_is_refused(us: Client, fix: str) -> None:
    us.post(f"{DEMO}/pulls", FIX)

    said = us.ask("POST", f"{DEMO}/pulls", FIX)

    assert said.status == 422
    assert said.json["errors"][0]["message"] == "A pull request already exists for octo:fix."


@pytest.mark.parametrize(
    ("head", "sentence"),
    [("main", "No commits between main and main"), ("nowhere", None)],
    ids=["nothing-new", "no-such-branch"],
)
def test_a_pull_request_without_commits_is_refused(
    us: Client, head: str, sentence: str | None, double: GithubDouble
) -> None:
    said = us.ask("POST", f"{DEMO}/pulls", FIX | {"head": head})

    assert said.status == 422
    assert said.json["errors"][0].get("message") == sentence
    assert us.get(f"{DEMO}/git/matching-refs/pull") == []


def test_heads_move_with_their_branch_and_lie_under_refs_pull(
    double: GithubDouble, us: Client, fix: str
) -> None:
    us.post(f"{DEMO}/pulls", FIX)
    later = double.people.commit("octo/demo", "alice", "fix", {"b.py": "x\n"}, "More")

    assert us.get(f"{DEMO}/pulls/2")["head"]["sha"] == later
    assert us.get(f"{DEMO}/git/ref/pull/2/head")["object"]["sha"] == later


def test_a_force_push_is_told_in_the_timeline(double: GithubDouble, us: Client, fix: str) -> None:
    us.post(f"{DEMO}/pulls", FIX)
    double.people.branch_off("octo/demo", "other", "main")
    other = double.people.commit("octo/demo", "alice", "other", {"c.py": "x\n"}, "Other")
    double.people.force_push("octo/demo", "alice", "fix", other)

    events = us.get(f"{DEMO}/issues/2/timeline")

    assert "head_ref_force_pushed" in [one["event"] for one in events]


def test_a_conflict_is_told_by_real_git(double: GithubDouble, us: Client, fix: str) -> None:
    us.post(f"{DEMO}/pulls", FIX)
    before = us.get(f"{DEMO}/pulls/2")
    double.people.commit("octo/demo", "alice", "main", {"a.py": "one\n2\nthree\n"}, "Clash")
    after = us.get(f"{DEMO}/pulls/2")

    assert (before["mergeable"], before["mergeable_state"]) == (True, "clean")
    assert (after["mergeable"], after["mergeable_state"]) == (False, "dirty")


def test_mergeable_is_unknown_until_github_has_computed_it(
    double: GithubDouble, us: Client, fix: str
) -> None:
    double.forge.slow_mergeable = 30
    us.post(f"{DEMO}/pulls", FIX)

    at_once = us.get(f"{DEMO}/pulls/2")["mergeable"]
    double.wait(31)

    assert (at_once, us.get(f"{DEMO}/pulls/2")["mergeable"]) == (None, True)


@pytest.mark.parametrize("method", ["merge", "squash", "rebase"])
def test_a_merge_moves_the_base_and_closes_what_it_fixes(
    us: Client, fix: str, method: str, double: GithubDouble
) -> None:
    us.post(f"{DEMO}/pulls", FIX)

    said = us.ask("PUT", f"{DEMO}/pulls/2/merge", {"sha": fix, "merge_method": method})

    assert said.status == 200, said.text
    assert us.get(f"{DEMO}/git/ref/heads/main")["object"]["sha"] == said.json["sha"]
    assert us.get(f"{DEMO}/pulls/2")["merged"] is True
    assert us.get(f"{DEMO}/issues/1")["state"] == "closed"


def test_a_merge_pinned_to_another_head_is_409(us: Client, fix: str) -> None:
    us.post(f"{DEMO}/pulls", FIX)

    said = us.ask("PUT", f"{DEMO}/pulls/2/merge", {"sha": "0" * 40})

    assert said.status == 409
    assert us.get(f"{DEMO}/pulls/2")["merged"] is False


def test_a_required_check_blocks_a_merge_until_it_is_green(
    double: GithubDouble, us: Client, fix: str
) -> None:
    double.people.guard_branch("octo/demo", "main", required=["ci"])
    us.post(f"{DEMO}/pulls", FIX)
    blocked = us.get(f"{DEMO}/pulls/2")["mergeable_state"]
    refused = us.ask("PUT", f"{DEMO}/pulls/2/merge", {"sha": fix})
    us.post(f"{DEMO}/statuses/{fix}", {"state": "success", "context": "ci"})

    assert (blocked, refused.status) == ("blocked", 405)
    assert us.get(f"{DEMO}/pulls/2")["mergeable_state"] == "clean"


def test_update_branch_merges_the_base_in(double: GithubDouble, us: Client, fix: str) -> None:
    us.post(f"{DEMO}/pulls", FIX)
    base = double.people.commit("octo/demo", "alice", "main", {"z.py": "z\n"}, "Elsewhere")
    wrong = {"expected_head_sha": base}

    refused = us.ask("PUT", f"{DEMO}/pulls/2/update-branch", wrong)
    done = us.ask("PUT", f"{DEMO}/pulls/2/update-branch", {"expected_head_sha": fix})

    assert (refused.status, done.status) == (422, 202)
    head = us.get(f"{DEMO}/pulls/2")["head"]["sha"]
    parents = [one["sha"] for one in us.get(f"{DEMO}/commits/{head}")["parents"]]
    assert parents == [fix, base]


def test_a_pull_request_from_a_fork_has_its_head_here(double: GithubDouble, us: Client) -> None:
    double.people.fork("octo/demo", "bob")
    sha = double.people.commit("bob/demo", "bob", "idea", {"b.py": "x\n"}, "Idea")
    number = double.people.open_pull("octo/demo", "bob", "bob:idea", "Idea")

    pull = us.get(f"{DEMO}/pulls/{number}")

    assert (pull["head"]["label"], pull["head"]["repo"]["full_name"]) == ("bob:idea", "bob/demo")
    assert us.get(f"{DEMO}/git/ref/pull/{number}/head")["object"]["sha"] == sha
    assert pull["author_association"] == "NONE"


def test_a_deleted_branch_closes_its_pull_request(
    double: GithubDouble, us: Client, fix: str
) -> None:
    us.post(f"{DEMO}/pulls", FIX)
    double.people.delete_branch("octo/demo", "alice", "fix")

    assert us.get(f"{DEMO}/pulls/2")["state"] == "closed"
    assert us.ask("PATCH", f"{DEMO}/pulls/2", {"state": "open"}).status == 422


def test_a_pull_request_onto_a_base_without_common_history_conflicts(
    double: GithubDouble, us: Client, fix: str
) -> None:
    us.post(f"{DEMO}/pulls", FIX)
    double.people.start_over("octo/demo", "alice", "main")

    pull = us.get(f"{DEMO}/pulls/2")
    compared = us.ask("GET", f"{DEMO}/compare/main...fix")
    (entry,) = us.get(f"{DEMO}/pulls/2/files")
    refused = us.ask("PUT", f"{DEMO}/pulls/2/merge", {"sha": fix})

    assert (pull["state"], pull["mergeable"], pull["mergeable_state"]) == ("open", False, "dirty")
    assert compared.status == 404
    assert compared.json["message"] == "No common ancestor between main and fix."
    assert entry["filename"] == "a.py"
    assert refused.status == 405


@pytest.mark.parametrize("reset_to", ["main", "main~1"])
def test_a_head_that_is_set_to_what_its_base_holds_closes_the_pull_request(
    double: GithubDouble, us: Client, fix: str, reset_to: str
) -> None:
    us.post(f"{DEMO}/pulls", FIX)
    double.people.commit("octo/demo", "alice", "main", {"b.py": "x\n"}, "Move on")
    repository = double.forge.repository("octo/demo")
    assert repository is not None
    sha = repository.bare.run("rev-parse", reset_to).strip()
    double.people.force_push("octo/demo", "alice", "fix", sha)

    pull = us.get(f"{DEMO}/pulls/2")

    assert (pull["state"], pull["merged"], pull["head"]["sha"]) == ("closed", False, sha)
    events = [one["event"] for one in us.get(f"{DEMO}/issues/2/timeline")]
    assert events[-2:] == ["head_ref_force_pushed", "closed"]
    assert us.ask("PATCH", f"{DEMO}/pulls/2", {"state": "open"}).status == 422


def test_a_base_that_comes_to_hold_the_head_merges_the_pull_request(
    double: GithubDouble, us: Client, fix: str
) -> None:
    us.post(f"{DEMO}/pulls", FIX)
    double.people.force_push("octo/demo", "alice", "main", fix)

    pull = us.get(f"{DEMO}/pulls/2")

    assert (pull["state"], pull["merged"], pull["merge_commit_sha"]) == ("closed", True, fix)


def test_the_files_of_a_pull_request_are_those_of_its_diff(us: Client, fix: str) -> None:
    us.post(f"{DEMO}/pulls", FIX)

    (entry,) = us.get(f"{DEMO}/pulls/2/files")

    assert (entry["filename"], entry["status"], entry["changes"]) == ("a.py", "modified", 2)
    assert entry["patch"].splitlines()[2:4] == ["-two", "+TWO"]
    assert [one["sha"] for one in us.get(f"{DEMO}/pulls/2/commits")] == [fix]
