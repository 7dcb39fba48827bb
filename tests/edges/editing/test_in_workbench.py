"""The editor where it really runs: inside the sandbox, as another user, on a tree of its own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.doors.workbench import Bench
from harness.edges.editing import read_editor
from harness.edges.workbench import BwrapWorkbench
from harness.facts.moves import ExchangeLimits
from harness.facts.settings import LimitSettings, SandboxSettings
from harness.facts.trees import Tree
from harness.facts.turns import Call
from harness.rules.calls import plan_command, word_result

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the workbench is Linux only")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tmp_path.chmod(0o755)
    path = tmp_path / "tree"
    path.mkdir()
    (path / "a.py").write_bytes(b"one\r\ntwo\r\n")
    (path / "out").symlink_to("/etc/hostname")
    if os.geteuid() == 0:
        for one in (path, path / "a.py"):
            os.chown(one, SandboxSettings().uid, SandboxSettings().uid)
    return path


@pytest.fixture
def bench(tmp_path: Path, tree: Path) -> Iterator[Bench]:
    workbench = BwrapWorkbench(
        SandboxSettings(),
        LimitSettings(),
        scratch=tmp_path / "scratch",
        builds=tmp_path / "builds",
        readonly=(),
        mask=str,
    )
    with workbench.open(Tree(repo_id=1, path=str(tree), head=""), "write") as bench:
        yield bench


def run(bench: Bench, tool: Any, **arguments: object) -> tuple[str, bool]:
    call = Call(id="c1", tool=tool, name="edit", arguments=json.dumps(arguments))
    result = word_result(call, bench.run(plan_command(call, read_editor(), ExchangeLimits())))
    return result.output, result.is_error


def test_a_file_is_viewed_and_edited_in_the_sandbox(bench: Bench, tree: Path) -> None:
    assert run(bench, "view", path="a.py") == ("     1\tone\n     2\ttwo\n", False)

    told, failed = run(bench, "replace", path=str(tree / "a.py"), old="two", new="2")

    assert not failed
    assert told == f"{tree}/a.py was changed:\n     1\tone\n     2\t2\n"
    assert (tree / "a.py").read_bytes() == b"one\r\n2\r\n"


def test_a_link_that_leads_out_is_refused_there_too(bench: Bench) -> None:
    told, failed = run(bench, "create", path="out", text="mine")

    assert failed
    assert "outside of the work tree" in told
