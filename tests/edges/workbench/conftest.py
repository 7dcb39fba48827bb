"""A state directory, a tree and a workbench, for us and for an ordinary user."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.edges.workbench import BwrapWorkbench
from harness.facts.settings import SandboxSettings
from harness.facts.trees import Tree
from harness.facts.workbench import Command, Ran
from tests.edges.workbench.users import LIMITS, ORDINARY, SANDBOXED, Try, become


@pytest.fixture(params=["as we are", "as an ordinary user"])
def uid(request: pytest.FixtureRequest) -> int | None:
    """Whom to become before running; only root can become somebody else."""
    if request.param == "as we are":
        return None
    if os.geteuid() != 0:
        return os.geteuid()  # we are an ordinary user: the same test once more
    return ORDINARY


@pytest.fixture
def state(tmp_path: Path, uid: int | None) -> Path:
    """A state directory with a secret beside the tree, as private as the real one."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and "pytest" in str(folder):
            folder.chmod(0o755)  # another user has to pass through
    if uid == ORDINARY:
        os.chown(tmp_path, ORDINARY, ORDINARY)
    (tmp_path / "secret.txt").write_text("the operator's secret\n")
    (tmp_path / "secret.txt").chmod(0o600)
    tmp_path.chmod(0o700)
    return tmp_path


@pytest.fixture
def tree(state: Path, uid: int | None) -> Tree:
    """A work tree with one file, a `.git` file and a link that leads out of it."""
    path = state / "tree"
    path.mkdir()
    (path / "a.txt").write_text("one\n")
    (path / ".git").write_text("gitdir: /nowhere\n")
    (path / "out").symlink_to(state / "secret.txt")
    for one in (path, path / "a.txt", path / ".git"):
        if os.geteuid() == 0:
            owner = uid or SANDBOXED
            os.chown(one, owner, owner)
    return Tree(repo_id=1, path=str(path), head="")


@pytest.fixture
def workbench(state: Path) -> BwrapWorkbench:
    return BwrapWorkbench(
        SandboxSettings(tmp_bytes=40_000_000),
        LIMITS,
        scratch=state / "scratch",
        builds=state / "builds",
        readonly=(),
        mask=lambda text: text.replace("hunter2", "****"),
    )


@pytest.fixture
def attempt(workbench: BwrapWorkbench, tree: Tree, uid: int | None) -> Try:
    """Run one bash line in the tree, writable unless told otherwise."""

    def run(line: str, *, mode: str = "write", seconds: float = 10, stdin: str = "") -> Ran:
        with workbench.open(tree, "write" if mode == "write" else "overlay") as bench:
            return bench.run(Command(argv=("bash", "-c", line), seconds=seconds, stdin=stdin))

    if uid != ORDINARY:
        return run
    return lambda *args, **how: become(ORDINARY, lambda: run(*args, **how))
