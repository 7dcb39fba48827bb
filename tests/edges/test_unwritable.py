"""A state directory that takes nothing any more is said in a sentence, whichever edge meets it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.edges.clock import SystemClock
from harness.edges.files import StateFiles
from harness.edges.git import GitTrees
from harness.edges.keys import read_marker_key
from harness.edges.pace import FilePace
from harness.edges.private import open_state
from harness.edges.store import SqliteStore
from harness.edges.workbench import BwrapWorkbench
from harness.errors import DoorError
from harness.facts.settings import CommitSettings, LimitSettings, SandboxSettings
from harness.facts.trees import Tree
from harness.facts.workbench import Command, Ran
from tests.edges.git.forge import Forge, git
from tests.edges.workbench.users import ORDINARY, become

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")

OURS = CommitSettings(author="Harness Bot <bot@example.org>")
TREE = "harness"


def _old(trees: GitTrees) -> Tree:
    tree = trees.open_tree("old")
    assert tree is not None
    return tree


def _pace(state: Path) -> None:
    with FilePace(state / "outbox.lock", SystemClock()).turn():
        pass


def _bench(state: Path, trees: GitTrees) -> None:
    bench = BwrapWorkbench(
        SandboxSettings(), LimitSettings(), state / "scratch", state / "builds", (), str
    )
    with bench.open(_old(trees), "overlay") as opened:
        opened.run(Command(argv=("true",), seconds=9))


DEEDS: dict[str, Callable[[Path, GitTrees], object]] = {
    "open the store": lambda state, _: SqliteStore.open(state / "store.db").close(),
    "keep a transcript": lambda state, _: StateFiles(state).keep("transcripts/o-r/1.md", "text"),
    "make a key": lambda state, _: read_marker_key(state, {}),
    "keep the pace": lambda state, _: _pace(state),
    "fetch": lambda _, trees: trees.sync(),
    "make a tree": lambda _, trees: trees.add_tree(trees.tip("trunk"), TREE),
    "read a tree": lambda _, trees: trees.left(_old(trees)),
    "keep a commit": lambda _, trees: trees.keep(trees.tip("trunk")),
    "open a bench": _bench,
    "drop a tree": lambda _, trees: trees.drop_tree("old"),
}


@pytest.mark.parametrize(
    "closed", [".", "git/7", "git/7/trees", "git/7/mirror.git/worktrees", "scratch", "locks"]
)
def test_it_works_or_says_in_a_sentence_what_cannot_be_used(tmp_path: Path, closed: str) -> None:
    for user in (0, ORDINARY):  # as root all goes well, and every module is found
        room = tmp_path / str(user)
        room.mkdir()
        state = _begun(room, user)
        (state / closed).mkdir(exist_ok=True)
        (state / closed / "lock").unlink(missing_ok=True)
        os.chown(state / closed, user, user)
        told = _as(user, lambda: _tried(state, room, closed)).output  # noqa: B023 - called at once

    outcomes = dict(line.split(": ", 1) for line in told.splitlines())
    assert set(outcomes) == set(DEEDS)
    assert [line for line in outcomes.values() if not line.startswith(("done", "said "))] == []
    assert any("said " in line for line in outcomes.values())


def _as(user: int, act: Callable[[], Ran]) -> Ran:
    return become(user, act) if user else act()


def _tried(state: Path, room: Path, closed: str) -> Ran:
    trees = GitTrees(state, 7, f"file://{room / 'forge'}", None, OURS)
    (state / closed).chmod(0o500)
    told = [f"{name}: {_outcome(lambda: deed(state, trees))}" for name, deed in DEEDS.items()]  # noqa: B023 - called at once
    return Ran(exit=0, output="\n".join(told), seconds=0, stopped_by="")


def _outcome(deed: Callable[[], object]) -> str:
    try:
        deed()
    except DoorError as error:
        return f"said {error}"
    except Exception as error:  # noqa: BLE001 - that is the question
        return repr(error)
    return "done"


def _begun(room: Path, user: int) -> Path:
    """A forge, and the state directory of somebody who has worked before."""
    for folder in (room, *room.parents):
        if "pytest" in str(folder):
            folder.chmod(0o755)
    forge = Forge(room / "forge", room / "person")
    forge.bare.mkdir()
    git(forge.bare, "init", "-q", "--bare", "--template=", "--initial-branch=trunk")
    git(room, "init", "-q", "--template=", "--initial-branch=trunk", str(forge.clone))
    forge.commit({"a.py": "x = 1\n"})
    state = room / "state"
    state.mkdir()
    for one in (state, forge.bare, *forge.bare.rglob("*")):
        os.chown(one, user, user)

    def work() -> Ran:
        open_state(state)
        trees = GitTrees(state, 7, f"file://{forge.bare}", None, OURS)
        trees.sync()
        trees.add_tree(trees.tip("trunk"), "old")
        return Ran(exit=0, output="", seconds=0, stopped_by="")

    _as(user, work)
    return state
