"""`harness clean`: what nothing needs goes, everything else stays and says why."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from harness.edges.files import StateFiles
from harness.edges.git import GitTrees
from harness.edges.store import SqliteStore
from harness.facts.decisions import Outcome
from harness.facts.journal import Brief, Ended, Ending, ExchangeKind, Replied
from harness.facts.trees import Left, Leftover, PullRow
from harness.facts.turns import AgentPin, Tools
from harness.rules.forge_names import item_lease, triage_lease
from harness.runs.asking import tree_name
from tests.cli.making import CONFIG, Harness, make_brief, make_repo, make_report, make_run
from tests.edges.git.forge import Forge, git

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def forge(tmp_path: Path) -> Forge:
    made = Forge(tmp_path / "forge.git", tmp_path / "person")
    made.bare.mkdir()
    git(made.bare, "init", "-q", "--bare", "--template=", "--initial-branch=trunk")
    git(tmp_path, "init", "-q", "--template=", "--initial-branch=trunk", str(made.clone))
    made.commit({"a.py": "x = 1\n"})
    return made


@pytest.fixture
def config(tmp_path: Path, state: Path, forge: Forge) -> Path:
    path = tmp_path / "harness.toml"
    url = f'git_url = "{forge.url}"'
    path.write_text(CONFIG.format(api_url="http://127.0.0.1:9/api/v3", state=state, repo=url))
    return path


@pytest.fixture
def trees(store: SqliteStore, state: Path, forge: Forge) -> GitTrees:
    store.note_repo(make_repo(clone_url=forge.url))
    store.start_run(make_run())
    made = GitTrees(state, 1, forge.url)
    made.sync()
    return made


def edit(item: int) -> Brief:
    pin = AgentPin(agent="claude", provider="anthropic", model="m", effort="medium")
    return make_brief(kind=ExchangeKind.RESPOND, item=item, tools=Tools.EDIT, pin=pin)


def ask(
    store: SqliteStore, trees: GitTrees, item: int, ending: Ending | None, refused: str = ""
) -> str:
    """An editing exchange with its tree; returns the tree's name."""
    brief = edit(item)
    exchange = store.open_exchange("a1b2c3", brief, LONG_AGO)
    if refused:
        path = Leftover(path=refused, status="modified", refused="only a person may change it")
        left = Left(tree_sha="t" * 40, changed=(path,))
        replied = Replied(text="{}", call_id="", fallen=(), left=left)
        store.append(exchange.id, replied, LONG_AGO)
    if ending:
        store.append(exchange.id, Ended(result=ending, reason=""), LONG_AGO)
    trees.add_tree(trees.tip("trunk"), tree_name(brief))
    return tree_name(brief)


def test_a_tree_stays_while_its_question_is_open(
    harness: Harness, store: SqliteStore, trees: GitTrees
) -> None:
    asked = ask(store, trees, 12, None)
    over = ask(store, trees, 13, Ending.TRUNCATED)

    said = harness("clean", "--repo", "ada/engine")

    assert said.code == 0
    assert trees.stale_trees() == (asked,)
    assert (
        said.out
        == f"""\
removed
  work tree  {over}

kept
  work tree  {asked}  the question asked in it for #12 is still open

removed 1 work tree
"""
    )


def test_a_tree_stays_while_a_person_has_to_look_at_it(
    harness: Harness, store: SqliteStore, trees: GitTrees
) -> None:
    name = ask(store, trees, 12, Ending.REPLIED, refused=".github/workflows/ci.yml")

    before = harness("clean", "--repo", "ada/engine")
    store.record_outcome("a1b2c3", 1, make_report(12, Outcome.ABANDONED), LONG_AGO)
    after = harness("clean", "--repo", "ada/engine")

    assert "a person has to look at .github/workflows/ci.yml in it" in before.out
    assert after.out.startswith(f"removed\n  work tree  {name}\n")
    assert trees.stale_trees() == ()


def test_an_item_with_an_open_pull_request_is_not_over(
    harness: Harness, store: SqliteStore, trees: GitTrees
) -> None:
    name = ask(store, trees, 12, Ending.REPLIED, refused="ci.yml")
    store.record_outcome("a1b2c3", 1, make_report(12, Outcome.DECLINED), LONG_AGO)
    row = {"repo_id": 1, "number": 14, "item": 12, "branch": "harness/issue-12", "base": "trunk"}
    row |= {"origin": "ours", "attempt": 1, "state": "open", "closed_by": "", "status_comment": 0}
    store.note_pull(PullRow.model_validate(row))

    harness("clean", "--repo", "ada/engine")

    assert trees.stale_trees() == (name,)


def test_changes_that_nobody_knows_stay(harness: Harness, trees: GitTrees) -> None:
    unknown = trees.add_tree(trees.tip("trunk"), "1-77-respond-claude-1-1")
    trees.add_tree(trees.tip("trunk"), "1-78-respond-claude-1-1")
    Path(unknown.path, "new.py").write_text("y = 2\n")

    said = harness("clean", "--repo", "ada/engine")

    assert "it holds changes, and the store does not know whose" in said.out
    assert trees.stale_trees() == ("1-77-respond-claude-1-1",)


def test_a_damaged_mirror_is_told_and_stops_nothing_else(
    harness: Harness, store: SqliteStore, trees: GitTrees
) -> None:
    ask(store, trees, 12, Ending.REPLIED)
    store.record_outcome("a1b2c3", 1, make_report(12, Outcome.DECLINED), LONG_AGO)
    (trees.mirror_path / "HEAD").write_text("junk")

    said = harness("clean", "--repo", "ada/engine")

    assert said.code == 0
    assert trees.stale_trees() == ()
    assert "not a git repository" in said.out


def test_shared_trees_go_because_they_are_made_again(harness: Harness, trees: GitTrees) -> None:
    tip = trees.tip("trunk")
    trees.add_tree(tip, f"1-at-{tip[:16]}")

    harness("clean", "--repo", "ada/engine")

    assert trees.stale_trees() == ()


@pytest.mark.parametrize("lease", [item_lease(1, 13), triage_lease(1)], ids=["item", "triage"])
def test_what_another_process_may_look_into_stays(
    harness: Harness,
    sandboxed: None,
    store: SqliteStore,
    trees: GitTrees,
    lease: str,
    state: Path,
) -> None:
    tip = trees.tip("trunk")
    shared = trees.add_tree(tip, f"1-at-{tip[:16]}")
    asked = ask(store, trees, 13, Ending.TRUNCATED)
    build = lay_build(state, "old")
    assert store.claim(lease, LONG_AGO)

    said = harness("clean", "--json")

    kept = {one["name"] for one in said.json["things"] if not one["removed"]}
    assert {Path(shared.path).name, "old"} <= kept
    assert (asked in kept) == (lease == item_lease(1, 13))
    assert build.is_dir()


def test_clean_lets_go_of_what_it_held(
    harness: Harness, store: SqliteStore, trees: GitTrees
) -> None:
    ask(store, trees, 13, Ending.TRUNCATED)

    harness("clean")

    assert store.claim(triage_lease(1), LONG_AGO)
    assert store.claim(item_lease(1, 13), LONG_AGO)


def lay_build(state: Path, key: str, at: datetime = LONG_AGO) -> Path:
    path = state / "builds" / key
    (path / "tree").mkdir(parents=True)
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def lay_file(state: Path, name: str, at: datetime) -> Path:
    path = Path(StateFiles(state).keep(name, "said"))
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


@pytest.fixture
def sandboxed(config: Path) -> None:
    config.write_text(config.read_text().replace('kind = "none"', 'kind = "bwrap"'))


def test_old_builds_and_scratch_of_killed_processes_go(
    harness: Harness, sandboxed: None, trees: GitTrees, state: Path
) -> None:
    old, new = lay_build(state, "old"), lay_build(state, "new", datetime.now(UTC))
    scratch = state / "scratch" / "bench-4999999-1-a"
    scratch.mkdir(parents=True)

    said = harness("clean")

    assert (
        said.out
        == """\
removed
  scratch  bench-4999999-1-a
  build    old

removed 1 build, 1 scratch place
"""
    )
    assert (old.exists(), new.exists(), scratch.exists()) == (False, True, False)


def test_what_was_said_goes_long_after_the_items_end(
    harness: Harness, store: SqliteStore, trees: GitTrees, state: Path
) -> None:
    old = store.open_exchange("a1b2c3", make_brief(item=12), LONG_AGO)
    store.append(old.id, Ended(result=Ending.TRUNCATED, reason=""), LONG_AGO)
    new = store.open_exchange("a1b2c3", make_brief(item=13), LONG_AGO)
    store.append(new.id, Ended(result=Ending.TRUNCATED, reason=""), datetime.now(UTC))
    gone = lay_file(state, "transcripts/ada-engine/12-review-claude-1-1.md", LONG_AGO)
    lay_file(state, "transcripts/ada-engine/13-review-claude-1-1.md", LONG_AGO)
    recent = datetime.now(UTC) - timedelta(days=1)
    lay_file(state, "transcripts/ada-engine/13-review-claude-2-1.md", recent)
    log = lay_file(state, "log/2020-01-01.log", LONG_AGO)

    said = harness("clean")

    assert (
        said.out
        == """\
removed
  transcript  transcripts/ada-engine/12-review-claude-1-1.md
  journal     2 texts
  log         log/2020-01-01.log

removed old texts of the journal, 1 log, 1 transcript
"""
    )
    assert (gone.exists(), log.exists()) == (False, False)
    assert len(StateFiles(state).kept("transcripts/ada-engine")) == 2
    assert store.exchange(old.id).brief.prompt == ""
    assert store.exchange(new.id).brief.prompt != ""


def test_a_dry_run_says_it_all_and_removes_nothing(
    harness: Harness, sandboxed: None, store: SqliteStore, trees: GitTrees, state: Path
) -> None:
    name = ask(store, trees, 13, Ending.TRUNCATED)
    build = lay_build(state, "old")
    log = lay_file(state, "log/2020-01-01.log", LONG_AGO)

    said = harness("clean", "--dry-run")

    assert said.out.startswith(f"would remove\n  work tree  {name}\n  build      old\n")
    assert said.out.endswith(
        "\n\nwould remove 1 build, old texts of the journal, 1 log, 1 work tree; "
        "nothing was removed\n"
    )
    assert trees.stale_trees() == (name,)
    assert (build.exists(), log.exists()) == (True, True)
    assert store.old_bodies(datetime.now(UTC)) > 0


def test_one_repository_leaves_what_all_share(
    harness: Harness, sandboxed: None, trees: GitTrees, state: Path
) -> None:
    build = lay_build(state, "old")

    said = harness("clean", "--repo", "ada/engine")

    assert said.out == "there is nothing to remove\n"
    assert build.exists()


def test_quiet_says_only_how_much(harness: Harness, store: SqliteStore, trees: GitTrees) -> None:
    ask(store, trees, 13, Ending.TRUNCATED)

    assert harness("clean", "-q", "--repo", "ada/engine").out == "removed 1 work tree\n"


def test_before_any_work_there_is_nothing_to_remove(harness: Harness, state: Path) -> None:
    said = harness("clean")

    assert (said.code, said.out) == (0, "there is nothing to remove\n")
    assert not state.exists()


def test_json_has_its_schema(harness: Harness, trees: GitTrees) -> None:
    page = harness("clean", "--json", "--dry-run").json

    assert page == {"schema": "harness.clean/1", "dry": True, "things": []}
