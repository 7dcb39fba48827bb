"""The mirror and the state: read inside the sandbox, changed by nothing there, closed outside."""

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
from tests.edges.workbench.users import ORDINARY, SANDBOXED, become

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


LOOKS = "git log --format=%s && cat private.py && echo y >> private.py && git diff --stat"


def _trees(room: Path) -> GitTrees:
    return GitTrees(room / "home/state", 7, f"file://{room / 'forge'}", owner_uid=SANDBOXED)


def _work(room: Path, line: str) -> Ran:
    """What a run does: a mirror, a tree, a command in the sandbox."""
    state, trees = room / "home" / "state", _trees(room)
    open_state(state)
    trees.sync()
    tree = trees.open_tree("work") or trees.add_tree(trees.tip("trunk"), "work")
    bench = BwrapWorkbench(
        SandboxSettings(),
        LimitSettings(),
        scratch=state / "scratch",
        builds=state / "builds",
        readonly=(str(trees.mirror_path),),
        mask=str,
    )
    with bench.open(tree, "write") as opened:
        return opened.run(Command(argv=("bash", "-c", line), seconds=20))


def _as_owner(room: Path, owner: int, line: str = LOOKS) -> Ran:
    return become(owner, lambda: _work(room, line)) if owner else _work(room, line)


def _content(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


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


@pytest.mark.parametrize(
    "line",
    [
        "git config core.fsmonitor 'touch {room}/ran; false'",
        "echo '[core] fsmonitor = touch {room}/ran' >> $(git rev-parse --git-common-dir)/config",
        "echo 'touch {room}/ran' > $(git rev-parse --git-common-dir)/hooks/post-checkout",
        "echo '* filter=x' > $(git rev-parse --git-common-dir)/info/attributes",
        "echo y >> private.py; git add private.py",
        "echo y >> private.py; git stash",
        "echo y >> private.py; git checkout -- private.py",
        "git commit --allow-empty -m Mine",
        "git update-ref refs/remotes/origin/trunk $(git rev-parse HEAD)",
        "git gc --prune=now",
        "rm -rf $(git rev-parse --git-dir)",
        "mv .git away && ln -s /tmp .git",
        "git push origin HEAD:refs/heads/trunk",
    ],
)
def test_git_inside_changes_nothing_that_is_ours(room: Path, owner: int, line: str) -> None:
    _as_owner(room, owner, "true")
    mirror = _trees(room).mirror_path
    before, forge = _content(mirror), _content(room / "forge")

    ran = _as_owner(room, owner, line.format(room=room))

    assert ran.exit != 0, ran.output
    after = _content(mirror)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    assert {Path(path).name for path in changed} <= {"packed-refs"}  # of our own fetch
    assert _content(room / "forge") == forge
    assert not (room / "ran").exists()


def test_what_is_planted_in_a_tree_runs_nothing_when_it_is_read(room: Path, owner: int) -> None:
    planted = (
        "printf '[core]\\n\\tfsmonitor = touch {room}/home/ran\\n' > .gitconfig; "
        "echo '* filter=evil diff=evil' > .gitattributes; mkdir -p hooks; "
        "printf '#!/bin/sh\\ntouch {room}/home/ran\\n' > hooks/post-checkout; chmod +x hooks/*; "
        "mkfifo pipe; ln -s {room}/home/state out; echo y >> private.py"
    )
    assert _as_owner(room, owner, planted.format(room=room)).exit == 0

    def left() -> Ran:
        trees = _trees(room)
        tree = trees.open_tree("work")
        assert tree is not None
        told = [f"{one.path}: {one.refused}" for one in trees.left(tree).changed]
        return Ran(exit=0, output="\n".join(told), seconds=0, stopped_by="")

    told = (become(owner, left) if owner else left()).output.splitlines()

    assert "private.py: " in told
    refused = {line.split(":")[0] for line in told if not line.endswith(": ")}
    assert refused == {".gitattributes", ".gitconfig", "out", "pipe"}
    assert not (room / "home" / "ran").exists()
