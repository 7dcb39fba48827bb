from __future__ import annotations

from pathlib import Path

import pytest

from harness.config import load_config
from harness.rooms import data_room
from tests.cli.making import Harness


def test_init_writes_the_commented_example_and_says_what_comes_next(
    bare: Harness, tmp_path: Path
) -> None:
    said = bare("init")

    assert said.code == 0
    written = tmp_path / "harness.toml"
    assert written.read_text() == data_room("config.example.toml").read_text()
    assert load_config(written).repos[0].name == "owner/name"
    assert (
        said.out
        == """\
wrote harness.toml

1. name your repository, its `setup` and its `check` in it
2. set GITHUB_TOKEN, ANTHROPIC_API_KEY, OPENAI_API_KEY in the environment
3. harness doctor
4. harness run --dry-run
"""
    )


def test_init_says_the_next_commands_with_the_path_it_was_given(
    bare: Harness, tmp_path: Path
) -> None:
    said = bare("init", "--config", "other.toml")

    assert (tmp_path / "other.toml").is_file()
    assert "3. harness doctor --config other.toml\n" in said.out


def test_init_never_overwrites(bare: Harness, tmp_path: Path) -> None:
    (tmp_path / "harness.toml").write_text("mine")

    said = bare("init")

    assert (said.code, said.out) == (2, "")
    assert said.err == "harness: harness.toml is there already; it was left as it is\n"
    assert (tmp_path / "harness.toml").read_text() == "mine"


def test_init_makes_the_folders_that_its_own_example_needs(bare: Harness, tmp_path: Path) -> None:
    said = bare("init", "--config", "home/.config/harness dir/config.toml")

    assert said.code == 0
    assert (tmp_path / "home/.config/harness dir/config.toml").is_file()
    assert "3. harness doctor --config 'home/.config/harness dir/config.toml'\n" in said.out


@pytest.mark.parametrize("path", ["file/x.toml", "/proc/x/harness.toml", "."])
def test_init_says_why_it_cannot_write(bare: Harness, tmp_path: Path, path: str) -> None:
    (tmp_path / "file").touch()

    said = bare("init", "--config", path)

    assert said.code == 2
    assert said.err.startswith(f"harness: {path} ")
