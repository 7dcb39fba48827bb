from __future__ import annotations

import os
import subprocess
from base64 import b64encode
from pathlib import Path

import pytest

from harness.rehearsal.github import Fault, GithubDouble
from harness.rehearsal.github.faults import FaultKind
from tests.rehearsal.github.client import Client


def git(double: GithubDouble, token: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    basic = b64encode(f"x-access-token:{token}".encode()).decode()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_COUNT": "3" if token else "2",
        "GIT_CONFIG_KEY_0": "user.name",
        "GIT_CONFIG_VALUE_0": "us",
        "GIT_CONFIG_KEY_1": "user.email",
        "GIT_CONFIG_VALUE_1": "us@localhost",
        "GIT_CONFIG_KEY_2": f"http.{double.base}/.extraHeader",
        "GIT_CONFIG_VALUE_2": f"Authorization: Basic {basic}",
    }
    command = ["git", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def clone(double: GithubDouble, tmp_path: Path) -> Path:
    """A clone with one commit of 3 MB, large enough to be sent in chunks."""
    place = tmp_path / "clone"
    done = git(double, "", "clone", "-q", f"{double.base}/octo/demo.git", str(place))
    assert done.returncode == 0, done.stderr
    (place / "big.bin").write_bytes(os.urandom(3_000_000))
    git(double, "", "-C", str(place), "add", ".")
    git(double, "", "-C", str(place), "commit", "-qm", "Big")
    return place


PUSH = ("push", "-q", "origin", "HEAD:refs/heads/topic")


def test_a_push_with_the_right_token_moves_an_open_pull_request(
    double: GithubDouble, us: Client, clone: Path
) -> None:
    double.people.commit("octo/demo", "alice", "topic", {"b": "1\n"}, "Topic")
    number = double.people.open_pull("octo/demo", "alice", "topic", "Topic")

    done = git(double, "secret-token", "-C", str(clone), *PUSH, "--force")

    assert done.returncode == 0, done.stderr
    sha = git(double, "", "-C", str(clone), "rev-parse", "HEAD").stdout.strip()
    assert us.get(f"/repos/octo/demo/pulls/{number}")["head"]["sha"] == sha


@pytest.mark.parametrize(
    ("token", "complaint"),
    [("", "Authentication failed"), ("wrong", "Authentication failed"), ("reads", "403")],
    ids=["none", "unknown", "may-only-read"],
)
def test_a_push_without_the_right_to_is_refused(
    double: GithubDouble, us: Client, clone: Path, token: str, complaint: str
) -> None:
    double.people.join("reader", token="reads")

    done = git(double, token, "-C", str(clone), *PUSH)

    assert done.returncode != 0
    assert complaint in done.stderr or "could not read Username" in done.stderr
    assert us.ask("GET", "/repos/octo/demo/git/ref/heads/topic").status == 404


def test_a_private_repository_is_not_there_for_strangers(double: GithubDouble) -> None:
    repository = double.forge.repository("octo/demo")
    assert repository is not None
    repository.private = True

    stranger = git(double, "", "ls-remote", f"{double.base}/octo/demo.git")
    ours = git(double, "secret-token", "ls-remote", f"{double.base}/octo/demo.git")

    assert stranger.returncode != 0
    assert "refs/heads/main" in ours.stdout


def test_a_pull_requests_head_can_be_fetched_by_its_number(double: GithubDouble) -> None:
    sha = double.people.commit("octo/demo", "alice", "topic", {"b": "1\n"}, "Topic")
    number = double.people.open_pull("octo/demo", "alice", "topic", "Topic")

    told = git(double, "", "ls-remote", f"{double.base}/octo/demo.git", f"refs/pull/{number}/head")

    assert told.stdout.split()[0] == sha


@pytest.mark.parametrize(
    ("kind", "then", "later"),
    [("error_before", "", ""), ("error_after", "sha", "sha"), ("late", "", "sha")],
    ids=["error-before", "error-after", "late"],
)
def test_a_push_goes_wrong_where_a_fault_names_it(
    double: GithubDouble, clone: Path, kind: FaultKind, then: str, later: str
) -> None:
    sha = git(double, "", "-C", str(clone), "rev-parse", "HEAD").stdout.strip()
    double.fail(Fault(kind, method="write", path="git-receive-pack", seconds=20))

    done = git(double, "secret-token", "-C", str(clone), *PUSH)

    repository = double.forge.repository("octo/demo")
    assert repository is not None
    assert done.returncode != 0
    assert repository.bare.tip("topic") == then.replace("sha", sha)
    double.wait(20)
    assert repository.bare.tip("topic") == later.replace("sha", sha)
    assert double.pushes == ["octo/demo"] * bool(later)


def test_a_fault_that_names_no_push_strikes_none(double: GithubDouble, clone: Path) -> None:
    double.fail(Fault("error_before", method="write"))

    done = git(double, "secret-token", "-C", str(clone), *PUSH)

    assert done.returncode == 0, done.stderr
