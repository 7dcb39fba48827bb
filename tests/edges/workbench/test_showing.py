"""What is private to us is not shown, wherever the operator has put it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from harness.edges.workbench import BwrapWorkbench, showing
from harness.edges.workbench.showing import covers, search_path, toolchains
from harness.facts.settings import SandboxSettings
from harness.facts.trees import Tree
from harness.facts.workbench import Command, Ran
from tests.edges.workbench.users import LIMITS, ORDINARY, SANDBOXED, become


@pytest.mark.parametrize(
    ("shown", "private", "covered"),
    [
        (("/opt",), ("/opt/harness/state",), ("/opt/harness/state",)),
        (("/opt",), ("/optional/state",), ()),
        (("/srv/tools",), ("/srv/tools",), ("/srv/tools",)),
        (("/srv/h/venv/bin",), ("/srv/h",), ()),
        (("/srv",), ("/srv/h/state", "/srv/h"), ("/srv/h", "/srv/h/state")),
    ],
    ids=str,
)
def test_private_folders_in_what_is_shown_are_covered(
    shown: tuple[str, ...], private: tuple[str, ...], covered: tuple[str, ...]
) -> None:
    assert covers(shown, private) == covered


def test_of_a_virtual_environment_only_its_parts_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bin", "lib", "state"):
        (tmp_path / name).mkdir()
    for name in ("pyvenv.cfg", ".env"):
        (tmp_path / name).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))

    shown = [Path(one).name for one in toolchains(()) if one.startswith(str(tmp_path))]

    assert shown == ["bin", "lib", "pyvenv.cfg"]
    assert search_path(()).startswith(f"{tmp_path}/bin:")


def test_of_opt_an_ordinary_user_shows_only_what_others_have_put_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ours").mkdir()
    (tmp_path / "theirs").mkdir()
    theirs = []
    if os.geteuid() == 0:
        os.chown(tmp_path / "ours", ORDINARY, ORDINARY)
        monkeypatch.setattr(os, "geteuid", lambda: ORDINARY)
        theirs = [str(tmp_path / "theirs")]
    monkeypatch.setattr(showing, "OPT", str(tmp_path))

    assert [one for one in toolchains(()) if one.startswith(str(tmp_path))] == theirs


def test_a_house_inside_a_shown_folder_is_not_seen_and_its_tree_is_worked_in(
    tmp_path: Path, uid: int | None, state: Path
) -> None:
    house = tmp_path / "tools" / "house"
    tree = house / "state" / "tree"
    tree.mkdir(parents=True)
    (house / ".env").write_text("the operator's secret")
    (house / "state" / "store.db").write_text("the operator's secret")
    (tmp_path / "tools" / "tool").write_text("a tool")
    owner = uid or SANDBOXED
    if os.geteuid() == 0:
        os.chown(tree, owner, owner)
        for one in (tmp_path / "tools", house, house / "state", *house.glob("*")):
            os.chown(one, uid or 0, uid or 0)
    bench = BwrapWorkbench(
        SandboxSettings(tmp_bytes=40_000_000, paths=(str(tmp_path / "tools"),)),
        LIMITS,
        scratch=house / "state" / "scratch",
        builds=house / "state" / "builds",
        readonly=(),
        mask=str,
        private=(str(house / "state"), str(house)),
    )
    line = (
        f"cat {tmp_path}/tools/tool; echo new > a.txt && cat a.txt; find {house} -not -path"
        f" '*/tree*'; cat {house}/.env {house}/state/store.db; touch {house}/x"
    )

    def run() -> Ran:
        with bench.open(Tree(repo_id=1, path=str(tree), head=""), "write") as opened:
            return opened.run(Command(argv=("bash", "-c", line), seconds=10))

    ran = become(ORDINARY, run) if uid == ORDINARY else run()

    told, _, refused = ran.output.partition("cat: ")
    assert told.split() == ["a", "toolnew", str(house), f"{house}/state"]
    assert refused.count("No such file or directory") == 2
    assert "Read-only file system" in refused
    assert (tree / "a.txt").read_text() == "new\n"
