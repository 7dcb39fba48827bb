from __future__ import annotations

from base64 import b64decode

from harness.rehearsal.github import GithubDouble
from tests.rehearsal.github.client import Client

DEMO = "/repos/octo/demo"


def test_refs_are_made_moved_forward_and_deleted(double: GithubDouble, us: Client) -> None:
    main = us.get(f"{DEMO}/git/ref/heads/main")["object"]["sha"]
    later = double.people.commit("octo/demo", "alice", "later", {"b": "1\n"}, "Later")
    made = {"ref": "refs/heads/harness/issue-1", "sha": later}
    us.post(f"{DEMO}/git/refs", made)
    place = f"{DEMO}/git/refs/heads/harness/issue-1"

    twice = us.ask("POST", f"{DEMO}/git/refs", made)
    back = us.ask("PATCH", place, {"sha": main})
    forced = us.ask("PATCH", place, {"sha": main, "force": True})
    deleted = us.ask("DELETE", place)

    assert [said.status for said in (twice, back, forced, deleted)] == [422, 422, 200, 204]
    assert us.ask("GET", f"{DEMO}/git/ref/heads/harness/issue-1").status == 404


def test_files_and_commits_are_those_of_the_repository(double: GithubDouble, us: Client) -> None:
    sha = double.people.commit("octo/demo", "alice", "topic", {"src/ä.py": "x\n"}, "Topic")
    number = double.people.open_pull("octo/demo", "alice", "topic", "Topic")

    content = us.get(f"{DEMO}/contents/src/%C3%A4.py?ref=topic")
    commits = us.get(f"{DEMO}/commits?sha=topic")
    pulls = us.get(f"{DEMO}/commits/{sha}/pulls")

    assert b64decode(content["content"]) == b"x\n"
    assert [one["commit"]["message"] for one in commits] == ["Topic", "Begin"]
    assert [one["number"] for one in pulls] == [number]


def test_two_branches_are_compared(double: GithubDouble, us: Client) -> None:
    double.people.commit("octo/demo", "alice", "topic", {"b.py": "x\n"}, "Topic")
    ahead = us.get(f"{DEMO}/compare/main...topic")
    double.people.commit("octo/demo", "alice", "main", {"c.py": "x\n"}, "Elsewhere")

    diverged = us.get(f"{DEMO}/compare/main...topic")

    assert (ahead["status"], ahead["ahead_by"], ahead["behind_by"]) == ("ahead", 1, 0)
    assert [one["filename"] for one in ahead["files"]] == ["b.py"]
    assert (diverged["status"], diverged["behind_by"]) == ("diverged", 1)
