"""A forge, a person and our side, for each test; made once and copied."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.edges.git import GitTrees
from harness.facts.settings import ProtectedSettings
from tests.edges.git.forge import OURS, Forge, git

PROTECTED = ProtectedSettings(paths=("secret/**", "*.pem"))


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A forge with one commit, a person's clone, and a state directory that has fetched it."""
    room = tmp_path_factory.mktemp("whole")
    made = Forge(room / "forge" / "repo.git", room / "person")
    made.bare.mkdir(parents=True)
    git(made.bare, "init", "-q", "--bare", "--template=", "--initial-branch=trunk")
    git(room, "init", "-q", "--template=", "--initial-branch=trunk", str(made.clone))
    made.commit({"README.md": "one\ntwo\nthree\n", "src/app.py": "print('hi')\n"}, message="First")
    GitTrees(room / "state", 7, made.url, None, OURS).sync()
    return room


@pytest.fixture
def forge(whole: Path, tmp_path: Path) -> Forge:
    for name in ("forge", "person"):
        shutil.copytree(whole / name, tmp_path / name)
    return Forge(tmp_path / "forge" / "repo.git", tmp_path / "person")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def trees(whole: Path, forge: Forge, state: Path) -> GitTrees:
    shutil.copytree(whole / "state", state)
    return GitTrees(state, 7, forge.url, None, OURS, PROTECTED)
