"""Which repositories `harness undo` reaches, before it asks anybody."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.edges.store import SqliteStore
from tests.cli.making import NOON, SECRETS, Harness, make_brief, make_repo, make_run


@pytest.fixture
def worked(harness: Harness, store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> Harness:
    """A run that worked on a repository that is configured and on one that no longer is."""
    monkeypatch.setenv("GITHUB_TOKEN", SECRETS["GITHUB_TOKEN"])
    store.note_repo(make_repo())
    store.note_repo(make_repo("gone", id=2))
    store.start_run(make_run())
    store.open_exchange("a1b2c3", make_brief(), NOON)
    store.open_exchange("a1b2c3", make_brief(repo_id=2), NOON)
    return harness


def test_a_repository_that_is_configured_no_more_holds_up_the_whole(
    worked: Harness, store: SqliteStore
) -> None:
    store.note_repo(make_repo("shop", id=3))

    said = worked("undo", "a1b2")

    assert said.code == 2
    assert "run a1b2c3 worked on ada/gone, which is configured no more" in said.err


def test_only_the_repository_that_is_named_is_asked(worked: Harness) -> None:
    said = worked("undo", "a1b2", "--repo", "Ada/Engine")

    assert said.code == 3
    assert "could not be reached for GET /repos/ada/engine" in said.err


def test_one_repositorys_trouble_hides_nothing_of_the_others(
    worked: Harness, store: SqliteStore
) -> None:
    store.note_repo(make_repo("shop", id=2))

    said = worked("undo", "a1b2", "--json")

    assert said.code == said.json["exit_code"] == 3
    assert [one.partition(":")[0] for one in said.json["failed"]] == ["ada/engine", "ada/shop"]
    assert [line.partition(" could")[0] for line in said.err.splitlines()] == [
        "harness: ada/engine: GitHub",
        "harness: ada/shop: GitHub",
    ]


def test_a_repository_that_no_run_has_met_is_asked_whether_it_is_the_one(worked: Harness) -> None:
    said = worked("undo", "a1b2")

    assert said.code == 3
    assert "could not be reached for GET /repos/ada/shop" in said.err


def test_a_repository_that_the_run_did_not_reach_is_the_callers_mistake(
    worked: Harness, store: SqliteStore
) -> None:
    store.note_repo(make_repo("shop", id=3))

    said = worked("undo", "a1b2", "--repo", "ada/shop")

    assert (said.code, said.err) == (2, "harness: run a1b2c3 did not work on ada/shop\n")


def test_before_any_work_there_is_nothing_to_undo_and_nothing_is_made(
    harness: Harness, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", SECRETS["GITHUB_TOKEN"])

    said = harness("undo", "a1b2")

    assert said.code == 2
    assert said.err == 'harness: there is no run "a1b2"; `harness runs` lists them\n'
    assert not state.exists()
