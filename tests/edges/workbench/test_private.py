"""The state directory is closed to every other user, the sandbox's own one outside it included."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.edges.git import GitTrees
from harness.edges.private import open_state
from harness.edges.workbench import BwrapWorkbench
from harness.facts.settings import LimitSettings, SandboxSettings
from harness.facts.workbench import Command, Ran
from tests.edges.git.forge import Forge, git
from tests.edges.workbench.test_containment import ORDINARY, SANDBOXED, become

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A folder that everybody passes through."""
    for folder in (tmp_path, *tmp_path.parents):
        if "pytest" in str(folder):
            folder.chmod(0o755)
    return tmp_path


@pytest.fixture(params=[0, ORDINARY], ids=["of root", "of an ordinary user"])
def owner(request: pytest.FixtureRequest, room: Path) -> int:
    """Who runs the harness."""
    made = Forge(room / "forge", room / "person")
    made.bare.mkdir()
    git(made.bare, "init", "-q", "--bare", "--template=", "--initial-branch=trunk")
    git(room, "init", "-q", "--template=", "--initial-branch=trunk", str(made.clone))
    made.commit({"private.py": "x = 1\n"}, message="A private matter")
    for folder, _, names in os.walk(made.bare):
        for one in (folder, *(os.path.join(folder, name) for name in names)):  # noqa: PTH118 - of os.walk
            os.chown(one, request.param, request.param)
    (room / "home").mkdir()
    os.chown(room / "home", request.param, request.param)
    return int(request.param)


def _work(room: Path) -> Ran:
    """What a run does: a mirror, a tree, a command in the sandbox that looks at both."""
    state = room / "home" / "state"
    open_state(state)
    trees = GitTrees(state, 7, f"file://{room / 'forge'}", owner_uid=SANDBOXED)
    trees.sync()
    tree = trees.add_tree(trees.tip("trunk"), "work")
    bench = BwrapWorkbench(
        SandboxSettings(),
        LimitSettings(),
        scratch=state / "scratch",
        builds=state / "builds",
        readonly=(str(trees.mirror_path),),
        mask=str,
    )
    line = "git log --format=%s && cat private.py && echo y >> private.py && git diff --stat"
    with bench.open(tree, "write") as opened:
        return opened.run(Command(argv=("bash", "-c", line), seconds=20))


def _as_owner(room: Path, owner: int) -> Ran:
    return become(owner, lambda: _work(room)) if owner else _work(room)


def _opened_by(uid: int, paths: list[Path]) -> Ran:
    """Which of the paths this user can open, in its output."""

    def attempt() -> Ran:
        opened = []
        for path in paths:
            try:
                os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
                opened.append(str(path))
            except OSError:
                continue
        return Ran(exit=0, output="\n".join(opened), seconds=0, stopped_by="")

    return become(uid, attempt)


def test_a_command_sees_its_tree_and_mirror_and_another_user_nothing(
    room: Path, owner: int
) -> None:
    ran = _as_owner(room, owner)

    assert ran.exit == 0, ran.output
    assert ran.output.startswith("A private matter\nx = 1\n")
    assert "private.py | 1 +" in ran.output
    state = room / "home" / "state"
    paths = [state, *state.rglob("*")]
    assert any(path.name == "private.py" for path in paths)
    assert _opened_by(SANDBOXED, paths).output == ""
    assert _opened_by(ORDINARY + 1, paths).output == ""


def test_a_state_that_was_left_open_is_closed_by_the_next_run(room: Path, owner: int) -> None:
    _as_owner(room, owner)
    state = room / "home" / "state"
    for path in (state, *state.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    assert _opened_by(SANDBOXED, [state]).output

    _as_owner(room, owner)

    assert _opened_by(SANDBOXED, [state, *state.rglob("*")]).output == ""
