"""The caller's mistakes: one clear sentence, exit 2, nothing written."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.cli import main
from harness.edges.workbench import bwrap
from harness.rehearsal.demo.story import BOT
from harness.rehearsal.models import Tale
from harness.wiring import REHEARSAL
from tests.stories.moments import before
from tests.stories.scripts import told
from tests.stories.stage import SECRETS, Stage, open_stage

pytestmark = pytest.mark.slow

Say = Callable[..., tuple[int, str]]


@pytest.fixture
def stage(tmp_path: Path):  # type: ignore[no-untyped-def] # noqa: ANN201 - pytest's own
    """The demo's forge; no model is ever asked."""
    with open_stage(tmp_path, Tale()) as stage:
        yield stage


@pytest.fixture
def say(stage: Stage, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Call the command as a shell would; its exit code and what it said on stderr.

    A call that is refused before a model is asked leaves nothing where nothing was.
    """
    for name, value in {**SECRETS, REHEARSAL: stage.forge.base}.items():
        monkeypatch.setenv(name, value)

    def call(*words: str) -> tuple[int, str]:
        config = stage.root / "harness.toml"
        config.write_text(stage.config)
        monkeypatch.setattr(sys, "argv", ["harness", *words, "--config", str(config)])
        before = sorted(stage.root.iterdir())
        with pytest.raises(SystemExit) as ended:
            main()
        assert stage.models.requests or sorted(stage.root.iterdir()) == before
        return int(ended.value.code or 0), capsys.readouterr().err.strip()

    return call


def is_one_sentence(said: str) -> bool:
    last = said.splitlines()[-1]
    return last.startswith("harness: ") and "Traceback" not in said


def change(stage: Stage, old: str, new: str) -> None:
    stage.set(old, new)


@pytest.mark.parametrize(
    ("old", "new", "words", "sentence"),
    [
        ("[loop]", "[lop]", ("run",), 'unknown key "lop"; did you mean "loop"?'),
        ("[loop]", "[loop", ("run",), "cannot be read as TOML"),
        ("claude-opus-5-5", "claude-nobody-9", ("run",), "no price is known for claude-nobody-9"),
        ("", "", ("run", "--repo", "ada/shob"), "did you mean ada/shop?"),
        ("ada/shop", "ada/nowhere", ("run",), "ada/nowhere"),
        ("", "", ("run", "99"), "#99"),
        ("", "", ("resume", "1"), "#1 of ada/shop is an issue"),
        ("", "", ("resume", "--adopt"), "--adopt needs the numbers"),
        ('check = "', 'base = "nowhere"\ncheck = "', ("run",), "has no branch nowhere"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_wrong_call_or_config_is_one_sentence_and_writes_nothing(
    stage: Stage, say: Say, old: str, new: str, words: tuple[str, ...], sentence: str
) -> None:
    if old:
        change(stage, old, new)

    code, said = say(*words)

    assert code == 2
    assert sentence in said
    assert stage.forge.writes == []
    assert stage.models.requests == ()


def test_a_pull_request_number_where_an_issue_is_expected(stage: Stage, say: Say) -> None:
    stage.forge.people.branch_off(stage.slug, "topic", "main")
    stage.forge.people.commit(stage.slug, "ada", "topic", {"x": "x\n"}, "Add x")
    number = stage.forge.people.open_pull(stage.slug, "ada", "topic", "Add x")

    code, said = say("run", str(number))

    assert code == 2
    assert f"#{number} of ada/shop is a pull request" in said
    assert is_one_sentence(said)


@pytest.mark.parametrize("variable", sorted(SECRETS))
def test_a_missing_secret_is_named_by_its_variable(
    say: Say, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    def without() -> tuple[int, str]:
        monkeypatch.delenv(variable)
        return say("run")

    code, said = without()

    assert code == 2
    assert f"the environment variable {variable} is not set" in said
    assert is_one_sentence(said)


@pytest.mark.parametrize(
    ("token", "sentence"),
    [
        ("   ", "GITHUB_TOKEN is not set"),
        ("abc\ndef", "GITHUB_TOKEN holds a character that no token has"),
        ("ghp_of-somebody-else", "GitHub does not take the token in GITHUB_TOKEN"),
    ],
    ids=["blank", "two lines", "wrong"],
)
@pytest.mark.parametrize("words", [("run",), ("triage",), ("resume",)], ids=str)
def test_a_token_that_opens_nothing_is_the_callers(
    stage: Stage,
    say: Say,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    token: str,
    sentence: str,
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", token)

    code, said = say(*words)

    assert (code, stage.models.requests) == (2, ())
    assert sentence in said
    assert token.strip() not in said or not token.strip()
    assert is_one_sentence(said)


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("no key at all", "the App's private key cannot be used"),
        ("", "HARNESS_APP_KEY is not set"),
    ],
    ids=["no PEM", "unset"],
)
def test_an_app_key_that_signs_nothing_is_the_callers(
    stage: Stage, say: Say, monkeypatch: pytest.MonkeyPatch, key: str, sentence: str
) -> None:
    stage.log_in_as_app()
    monkeypatch.setenv("HARNESS_APP_KEY", key)

    code, said = say("run")

    assert code == 2
    assert sentence in said
    assert "HARNESS_APP_KEY" in said
    assert is_one_sentence(said)


@pytest.mark.parametrize("words", [("run",), ("undo", "a1")], ids=str)
def test_a_machine_without_git(
    say: Say, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    code, said = say(*words)

    assert code == 2
    assert "there is no git on PATH: install git 2.38 or newer" in said
    assert is_one_sentence(said)


def test_two_wrong_repositories_are_both_named(stage: Stage, say: Say) -> None:
    change(stage, "ada/shop", "ada/nowhere")
    change(stage, "[[repos]]\n", '[[repos]]\nname = "ada/nothing"\n\n[[repos]]\n')

    code, said = say("triage")

    assert code == 2
    assert "there is no repository ada/nothing" in said
    assert "there is no repository ada/nowhere" in said
    assert is_one_sentence(said)


def test_one_wrong_repository_of_two_is_named_and_the_other_is_worked(
    stage: Stage, say: Say
) -> None:
    stage.only(4)
    change(stage, "[[repos]]\n", '[[repos]]\nname = "ada/nowhere"\n\n[[repos]]\n')

    code, said = say("triage")

    assert code == 2
    assert "harness: there is no repository ada/nowhere" in said
    assert 4 in stage.reports


def test_a_store_that_is_newer_than_the_code(stage: Stage, say: Say) -> None:
    stage.state.mkdir(parents=True)
    with sqlite3.connect(stage.state / "store.db") as database:
        database.execute("PRAGMA user_version = 9999")
    database.close()

    code, said = say("run")

    assert code == 2
    assert "newer" in said
    assert is_one_sentence(said)
    assert stage.forge.writes == []


def test_a_machine_where_no_sandbox_can_be_made(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bwrap, "find_bwrap", lambda: "/usr/bin/false")

    code, said = say("run")

    assert code == 2
    assert "no usable sandbox" in said
    assert is_one_sentence(said)


def test_a_machine_that_is_no_linux(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")

    code, said = say("run")

    assert code == 2
    assert "this is no Linux" in said


def test_write_access_that_is_lost_in_a_run_is_the_operators_to_give_back(tmp_path: Path) -> None:
    with open_stage(tmp_path, told()) as stage:
        stage.only(1)
        with before("approve", lambda: stage.forge.people.allow(stage.slug, BOT, "read")):
            assert stage.run() == 2
        with stage.store() as store:
            at = stage.house().clock.now()
            store.call_person(stage.repository.id, 1, "see /state/a.patch", at)

        assert (stage.run(), stage.resume()) == (2, 2)

        said = stage.look("status")
        assert "ada/shop #1  called" in said
        assert "\n  see /state/a.patch\n" in said
        assert ": give it back" in said
