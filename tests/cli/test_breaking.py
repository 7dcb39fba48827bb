"""What breaks under a command is one sentence; the details go to the log, without secrets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.cli import looking
from tests.cli.making import SECRETS, Harness

TOKEN = SECRETS["GITHUB_TOKEN"]


def break_on(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Let `harness runs` meet this error in the middle of its work."""

    def broken(*_: object) -> None:
        raise error

    monkeypatch.setattr(looking, "read_runs", broken)


@pytest.fixture
def worked(harness: Harness, state: Path, monkeypatch: pytest.MonkeyPatch) -> Harness:
    """A harness that has worked before: its state directory is there."""
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    state.mkdir()
    return harness


def test_a_fault_of_ours_is_one_sentence_that_says_where_the_details_lie(
    worked: Harness, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_on(monkeypatch, KeyError(f"no {TOKEN}\n\x1b[31m here"))

    said = worked("runs", "--json")

    (log,) = (state / "log").iterdir()
    assert said.code == 3
    assert said.err.startswith("harness: the harness itself broke (KeyError: ")
    assert said.err.endswith(f"the details are in {log}\n")
    assert said.err.count("\n") == 1
    assert "\x1b" not in said.err
    assert TOKEN not in said.err
    text = log.read_text()
    assert "Traceback" in text
    assert "test_breaking.py" in text
    assert TOKEN not in text
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_fault_before_anything_was_kept_names_its_place(
    harness: Harness, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_on(monkeypatch, ValueError("odd"))

    said = harness("runs", "--json")

    assert said.code == 3
    assert said.err.startswith("harness: the harness itself broke (ValueError: odd, in harness/")
    assert said.err.count("\n") == 1
    assert not state.exists()


def test_what_the_system_refuses_is_the_worlds(
    worked: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_on(monkeypatch, OSError(28, "No space left on device", "/x/store.db"))

    said = worked("runs", "--json")

    assert said.code == 3
    assert said.err.startswith("harness: No space left on device: /x/store.db; ")
    assert said.err.count("\n") == 1


def test_an_interrupted_command_says_so(worked: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    break_on(monkeypatch, KeyboardInterrupt())

    said = worked("runs", "--json")

    assert said.code == 130
    assert said.err.strip() == "stopped; whatever was begun is finished by the next run"


def called(*words: str, out: int, err: int = subprocess.PIPE) -> tuple[int, str]:
    """The exit code, and what was said on stderr, of a process of its own."""
    command = [sys.executable, "-m", "harness", *words]
    ended = subprocess.run(command, stdout=out, stderr=err, timeout=60, check=False)
    return ended.returncode, (ended.stderr or b"").decode()


@pytest.mark.parametrize("words", [("schemas", "review"), ("--help",), ("runs", "--help")])
def test_a_reader_who_leaves_is_no_error(words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    code, said = called(*words, out=writing)

    os.close(writing)
    assert (code, said) == (0, "")


@pytest.mark.parametrize("words", [("schemas", "review"), ("--help",), ("--version",)])
def test_output_that_cannot_be_written_is_one_sentence(words: tuple[str, ...]) -> None:
    full = os.open("/dev/full", os.O_WRONLY)

    code, said = called(*words, out=full)

    os.close(full)
    assert code == 3
    assert said == "harness: the output could not be written: No space left on device\n"


def test_a_lost_stderr_leaves_the_exit_code_as_it_is() -> None:
    full = os.open("/dev/full", os.O_WRONLY)

    code, _ = called("schemas", "no-such", out=subprocess.DEVNULL, err=full)

    os.close(full)
    assert code == 2
