"""What strangers and models wrote does not steer the terminal it is read on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import harness.cli
from harness.cli.console import say, say_painted, tell
from harness.cli.progress import PlainProgress, make_progress
from harness.edges.store import SqliteStore
from harness.facts.decisions import Outcome
from harness.facts.intents import OpenPull, Receipt
from harness.words.staged import staged_line
from tests.cli.making import SECRETS, Harness, make_intent, make_report, make_run

EVIL = "\x1b]0;pwned\x07\x1b[2J\r\x9b31mtitle\u202egpj\u2066\u200b\x00"
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]")
ROOM = Path(harness.cli.__file__).parent


def same(text: str) -> str:
    return text


@pytest.mark.parametrize("way", [say, say_painted, tell])
def test_no_way_out_lets_a_control_character_through(
    way: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(way)
    way(EVIL)

    said = capsys.readouterr()
    assert "title" in said.out + said.err
    assert not STEERS.search(said.out + said.err)


def test_progress_shows_a_title_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with make_progress(quiet=False, mask=same) as progress:
        assert isinstance(progress, PlainProgress)
        progress.step(1, f"scheduled: {EVIL}\nfake: done")

    said = capsys.readouterr().err
    assert not STEERS.search(said)
    assert said.count("\n") == 1


def test_a_title_that_looks_like_markup_is_shown_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)

    with make_progress(quiet=False, mask=same) as progress:
        progress.step(1, "the [/bold] tag [red]is[/red] wrong")

    assert "[/bold] tag [red]is" in capsys.readouterr().err


def test_a_staged_write_keeps_its_body_behind_the_margin() -> None:
    write = OpenPull(
        branch="a", base="b", title=f"{EVIL}\nwould merge", body="x\rwould merge", draft=False
    )

    told = staged_line(make_intent("open", write=write), Receipt(number=1))

    assert not STEERS.search(told)
    assert [line for line in told.split("\n") if not line.startswith("    ")] == [
        told.split("\n")[0]
    ]


@pytest.mark.parametrize("words", [("status",), ("runs",), ("runs", "a1b2c3")])
def test_pages_from_the_store_are_shown_without_controls(
    harness: Harness, store: SqliteStore, words: tuple[str, ...]
) -> None:
    report = make_report(12, Outcome.ESCALATED, title=EVIL, reason=f"why {EVIL}")
    store.start_run(make_run(command=f"run{EVIL}"))
    store.end_run("a1b2c3", at=make_run().started_at, exit_code=1, reports=(report,))

    said = harness(*words)

    assert said.code == 0
    assert not STEERS.search(said.out)


def test_json_keeps_what_was_said_and_escapes_it(harness: Harness, store: SqliteStore) -> None:
    report = make_report(12, Outcome.ESCALATED, title=EVIL)
    store.start_run(make_run())
    store.end_run("a1b2c3", at=make_run().started_at, exit_code=1, reports=(report,))

    said = harness("runs", "a1b2c3", "--json")

    assert said.json["reports"][0]["title"] == EVIL
    assert not STEERS.search(said.out)
    assert json.loads(said.out)


def test_a_secret_with_a_character_of_no_width_in_it_is_masked(
    harness: Harness, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = SECRETS["GITHUB_TOKEN"]
    monkeypatch.setenv("GITHUB_TOKEN", token)
    report = make_report(12, Outcome.ESCALATED, title=f"{token[:9]}\u200b{token[9:]}")
    store.start_run(make_run())
    store.end_run("a1b2c3", at=make_run().started_at, exit_code=1, reports=(report,))

    assert token not in harness("runs", "a1b2c3").out


def test_text_leaves_through_the_console_alone() -> None:
    ways = re.compile(r"click\.(secho|echo)\(|\bprint\(|sys\.std(out|err)\.write|\bstdout\.write")

    found = [
        str(path.relative_to(ROOM))
        for path in sorted(ROOM.rglob("*.py"))
        if ways.search(path.read_text("utf-8"))
    ]

    assert found == ["console.py"]
