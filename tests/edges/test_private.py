"""The state directory and all that leads to it belong to their owner alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.edges.private import make_folder, open_state
from harness.errors import ConfigError
from tests.children import fork, wait_for


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777


def test_a_folder_and_all_that_lead_to_it_are_made_private(tmp_path: Path) -> None:
    make_folder(tmp_path / "a/b/c")

    assert {_mode(tmp_path / name) for name in ("a", "a/b", "a/b/c")} == {0o700}


def test_what_an_older_harness_left_open_is_closed(tmp_path: Path) -> None:
    state = tmp_path / "state"
    (state / "git/1004/mirror.git").mkdir(parents=True)
    (state / "store.db").touch()
    for one in (state, state / "git", state / "store.db"):
        one.chmod(0o777)

    open_state(state)

    assert {_mode(state), _mode(state / "git")} == {0o700}
    assert _mode(state / "store.db") & 0o077 == 0


def test_a_new_or_empty_directory_becomes_the_state_directory(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir(mode=0o755)

    for name in ("empty", "new/deep"):
        open_state(tmp_path / name)
        assert _mode(tmp_path / name) == 0o700


@pytest.mark.parametrize(
    ("mode", "content"),
    [
        (0o755, ["holiday.jpg"]),
        (0o755, ["locks", "meminfo", "1"]),  # /proc has a name of ours
        (0o755, ["log", "git", "lib"]),
        (0o1777, ["store.db"]),
    ],
)
def test_a_directory_of_others_is_refused_and_left_as_it_is(
    tmp_path: Path, mode: int, content: list[str]
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    for name in content:
        (shared / name).touch()
    shared.chmod(mode)

    with pytest.raises(ConfigError, match="name a folder of its own in \\[paths\\] state"):
        open_state(shared)

    assert _mode(shared) == mode


def test_a_path_that_is_no_directory_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(ConfigError, match="cannot be used"):
        open_state(tmp_path / "file" / "state")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_directory_that_is_another_users_is_said_in_a_sentence(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    (theirs / "log").mkdir(parents=True)
    for folder in (tmp_path, *tmp_path.parents):
        if "pytest" in str(folder):
            folder.chmod(0o755)

    def look() -> int:
        try:
            open_state(theirs)
        except ConfigError:
            return 7
        return 0

    assert wait_for(fork(look, uid=23_456)) == 7
