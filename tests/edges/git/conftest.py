"""A forge, a person and our side, for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.edges.git import GitTrees
from harness.facts.settings import ProtectedSettings
from tests.edges.git.forge import OURS, Forge, git


@pytest.fixture
def forge(tmp_path: Path) -> Forge:
    made = Forge(tmp_path / "forge" / "repo.git", tmp_path / "person")
    made.bare.mkdir(parents=True)
    git(made.bare, "init", "-q", "--bare", "--initial-branch=trunk")
    git(tmp_path, "clone", "-q", made.url, str(made.clone))
    made.commit({"README.md": "one\ntwo\nthree\n", "src/app.py": "print('hi')\n"}, message="First")
    return made


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def trees(forge: Forge, state: Path) -> GitTrees:
    made = GitTrees(
        state, 7, forge.url, None, OURS, ProtectedSettings(paths=("secret/**", "*.pem"))
    )
    made.sync()
    return made
