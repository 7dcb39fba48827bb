from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.rehearsal.github import GithubDouble
from harness.rehearsal.github.handling import Request, Response
from tests.edges.github.world import SLUG, TOKEN, World, connect
from tests.rehearsal.github.judge import Judge


@pytest.fixture
def judge() -> Iterator[Judge]:
    """Whatever the edge sends and the double answers must fit GitHub's own description."""
    judging = Judge()
    yield judging
    assert judging.complaints == []


@pytest.fixture
def world(tmp_path: Path, judge: Judge) -> Iterator[World]:
    """octo/demo with issue 1 by alice, who may write; we may too."""
    with GithubDouble(tmp_path / "forge") as double:
        people = double.people
        people.join("harness-bot", token=TOKEN)
        people.make_repository(SLUG, files={"a.py": "one\ntwo\nthree\nfour\nfive\n"})
        people.allow(SLUG, "harness-bot", "write")
        people.allow(SLUG, "alice", "write")
        people.open_issue(SLUG, "alice", "Bug", "It breaks.", labels=["bug"])
        made = connect(double)
        double.observe(judge)

        def note(request: Request, response: Response) -> None:
            made.statuses.append((request.method, request.path, response.status))

        double.observe(note)
        yield made


@pytest.fixture
def head(world: World) -> str:
    """Pull request 2 of ours from harness/issue-1: line 2 of a.py changes, b.py is new."""
    files = {"a.py": "one\nTWO\nthree\nfour\nfive\n", "b.py": "x\ny\n"}
    sha = world.double.people.commit(SLUG, "harness-bot", "harness/issue-1", files, "Fix")
    world.double.people.open_pull(SLUG, "harness-bot", "harness/issue-1", "Fix", "Fixes #1")
    return sha
