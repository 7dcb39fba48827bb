"""A config and a store on temporary paths, and the command line as a shell would call it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cli import main
from harness.edges.store import SqliteStore
from tests.cli.making import CONFIG, SECRETS, Harness, Said


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def config(tmp_path: Path, state: Path) -> Path:
    path = tmp_path / "harness.toml"
    path.write_text(CONFIG.format(api_url="http://127.0.0.1:9/api/v3", state=state, repo=""))
    return path


@pytest.fixture
def bare(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Harness:
    """Calls the command line in an empty directory, without a variable of ours or a vendor's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "no-config"))
    for name in (*SECRETS, "HARNESS_CONFIG", "HARNESS_REHEARSAL", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def call(*words: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["harness", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Said(ended.value.code, told.out, told.err)

    return call


@pytest.fixture
def harness(bare: Harness, config: Path) -> Harness:
    """The same with the config found where it is looked for."""
    assert config.name == "harness.toml"
    return bare


@pytest.fixture
def store(state: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore.open(state / "store.db")
    yield opened
    opened.close()
