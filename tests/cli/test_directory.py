"""Where a rehearsal puts its things: a place of its own, or one sentence."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from harness.config import read_settings
from harness.rehearsal.demo.story import config_text
from harness.rehearsal.github import GithubDouble
from tests.cli.making import Harness

COMMANDS = [("demo",), ("rehearse", "serve", "--port", "0")]


@pytest.fixture(params=COMMANDS, ids=["demo", "serve"])
def words(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return tuple(request.param)


def test_a_directory_that_holds_something_is_left_as_it_is(
    bare: Harness, tmp_path: Path, words: tuple[str, ...]
) -> None:
    used = tmp_path / "used"
    (used / "state").mkdir(parents=True)

    said = bare(*words, "--directory", str(used))

    assert (said.code, said.out) == (2, "")
    assert said.err == (
        f"harness: --directory {used} is not empty (it holds state), and a rehearsal goes on with "
        "nothing: name a new one, or remove it\n"
    )
    assert [one.name for one in used.iterdir()] == ["state"]


def test_a_file_or_a_place_of_the_system_is_one_sentence(
    bare: Harness, tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "file").touch()

    for place in (tmp_path / "file", tmp_path / "file" / "x", Path("/proc/x")):
        said = bare(*words, "--directory", str(place))

        assert (said.code, said.out) == (2, "")
        assert said.err.startswith(f"harness: --directory {place} cannot be used: ")
        assert said.err.count("\n") == 1


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31mb", "a\udc80b"])
def test_a_path_that_no_config_can_name_is_refused(
    bare: Harness, tmp_path: Path, words: tuple[str, ...], name: str
) -> None:
    said = bare(*words, "--directory", str(tmp_path / name))

    assert said.code == 2
    assert "cannot be written down" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("name", ['a "b"', "c\\d", "e'f", "é 😀"])
def test_the_demos_config_names_any_other_path(tmp_path: Path, name: str) -> None:
    state = tmp_path / name / "state"
    with GithubDouble(tmp_path / "forge") as forge:
        text = config_text(forge, "http://127.0.0.1:9", state)

    settings = read_settings(tomllib.loads(text), "the demo's config")

    assert settings.state == str(state)
