from __future__ import annotations

import pytest

from harness.rehearsal.github import GithubDouble
from tests.rehearsal.github.client import Client

DEMO = "/repos/octo/demo"


@pytest.fixture
def sha(us: Client) -> str:
    made: str = us.get(f"{DEMO}/git/ref/heads/main")["object"]["sha"]
    return made


def test_the_newest_status_of_a_context_counts(us: Client, sha: str) -> None:
    for state in ("pending", "failure", "success"):
        us.post(f"{DEMO}/statuses/{sha}", {"state": state, "context": "ci"})

    combined = us.get(f"{DEMO}/commits/{sha}/status")

    states = [one["state"] for one in us.get(f"{DEMO}/commits/{sha}/statuses")]
    assert states == ["success", "failure", "pending"]
    assert (combined["state"], combined["total_count"]) == ("success", 1)


def test_a_status_needs_a_commit_and_a_short_description(us: Client, sha: str) -> None:
    unknown = us.ask("POST", f"{DEMO}/statuses/{'0' * 40}", {"state": "success"})
    long = us.ask("POST", f"{DEMO}/statuses/{sha}", {"state": "success", "description": "x" * 141})

    assert (unknown.status, long.status) == (422, 422)


def test_check_runs_are_made_by_apps_alone(us: Client, sha: str) -> None:
    said = us.ask("POST", f"{DEMO}/check-runs", {"name": "x", "head_sha": sha})

    assert said.status == 403


def test_a_check_run_has_annotations_and_a_log_elsewhere(
    double: GithubDouble, us: Client, sha: str
) -> None:
    notes = [{"path": "a.py", "start_line": 2, "message": "boom"}]
    run = double.people.run_check(
        "octo/demo", sha, "unit", "failure", annotations=notes, log="one\ntwo\n"
    )

    place = us.ask("GET", f"{DEMO}/actions/jobs/{run}/logs")

    (annotation,) = us.get(f"{DEMO}/check-runs/{run}/annotations")
    assert annotation["message"] == "boom"
    assert us.get(f"{DEMO}/commits/main/check-runs")["check_runs"][0]["conclusion"] == "failure"
    assert place.status == 302
    log = Client(double.base, "").ask("GET", place.headers["location"].removeprefix(double.base))
    assert log.text == "one\ntwo\n"


@pytest.mark.parametrize("by_rules", [False, True], ids=["protection", "ruleset"])
def test_required_checks_are_told_where_they_were_set(
    double: GithubDouble, us: Client, by_rules: bool
) -> None:
    double.people.guard_branch("octo/demo", "main", required=["ci"], by_rules=by_rules)

    branch = us.get(f"{DEMO}/branches/main")
    rules = us.get(f"{DEMO}/rules/branches/main")

    assert branch["protected"] is True
    contexts = branch["protection"]["required_status_checks"]["contexts"]
    assert contexts == ([] if by_rules else ["ci"])
    kinds = [rule["type"] for rule in rules]
    assert kinds == (["deletion", "required_status_checks"] if by_rules else [])
