from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.rehearsal.github import GithubDouble
from tests.rehearsal.github.client import Client
from tests.rehearsal.github.judge import Judge


@pytest.fixture
def judge() -> Iterator[Judge]:
    """Whatever is said during the test must fit GitHub's own description."""
    judging = Judge()
    yield judging
    assert judging.complaints == []


@pytest.fixture
def double(tmp_path: Path, judge: Judge) -> Iterator[GithubDouble]:
    """octo/demo with one file, our login that may write, and alice who may too."""
    with GithubDouble(tmp_path / "forge") as made:
        made.observe(judge)
        made.people.join("harness-bot", token="secret-token")
        made.people.join("alice", token="alice-token")
        made.people.make_repository("octo/demo", files={"a.py": "one\ntwo\nthree\nfour\nfive\n"})
        made.people.allow("octo/demo", "harness-bot", "write")
        made.people.allow("octo/demo", "alice", "write")
        yield made


@pytest.fixture
def us(double: GithubDouble) -> Client:
    return Client(double.url, "secret-token")


@pytest.fixture
def alice(double: GithubDouble) -> Client:
    return Client(double.url, "alice-token")
