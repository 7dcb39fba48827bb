"""`status`, `runs`, `ledger`: what the store says. No network, no token, nothing is changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click

from harness.cli.called import enter_house
from harness.cli.console import say, tell, visible
from harness.cli.finding import (
    find_entry,
    find_exchange,
    find_repo,
    find_run,
    open_store,
    state_path,
)
from harness.cli.options import config_option, json_option, load, pick, repo_option
from harness.cli.printing import print_page
from harness.edges.store import SqliteStore
from harness.facts.decisions import Run
from harness.facts.entries import State
from harness.facts.journal import Brief
from harness.facts.looking import RunsPage
from harness.rules.kept_names import transcript_name
from harness.runs.history import read_run, read_runs
from harness.runs.ledger import read_ledger
from harness.runs.status import read_status
from harness.wiring import House
from harness.words.ledger_page import entry_text, ledger_text
from harness.words.run_page import run_text
from harness.words.runs_page import runs_text
from harness.words.status_page import status_text
from harness.words.tables import Paint
from harness.words.transcript import transcript as transcript_text

_LIMIT = click.IntRange(min=1, max=10_000)


@click.command(epilog="Example: harness status --repo owner/name")
@click.option("--all", "everything", is_flag=True, help="List what is over too.")
@repo_option
@config_option
@json_option
def status(*, everything: bool, repo: str | None, config: str | None, as_json: bool) -> None:
    """Show where every item stands and what waits for a person.

    People come first: what waits for one, why, and what to do. Then each item as it ended last,
    the pull requests that are worked on, and what was spent today.
    """
    settings = load(config)
    repos = pick(settings, repo)
    house = enter_house(settings)
    with open_store(settings, as_json=as_json) as store:
        page = read_status(store, settings, repos, house.clock.now())
    text = partial(status_text, everything=everything)
    print_page("harness.status/1", page, text, house.mask, as_json=as_json)


@click.command(epilog="Example: harness runs 3fa2 (any beginning of an id that names one run)")
@click.argument("run", required=False)
@click.option("--limit", type=_LIMIT, default=20, show_default=True, help="How many runs to list.")
@click.option("--transcript", metavar="EXCHANGE", help="Print what was said in this exchange.")
@config_option
@json_option
def runs(
    *,
    run: str | None,
    limit: int,
    transcript: str | None,
    config: str | None,
    as_json: bool,
) -> None:
    """List runs, or show the run RUN: its items, its exchanges with the agents, its writes.

    Ids may be cut short. What an exchange cost counts for the run that began it.
    """
    if transcript and (run or as_json):
        raise click.UsageError("--transcript stands alone: it prints Markdown")
    house = enter_house(load(config))
    with open_store(house.settings, as_json=as_json) as store:
        if transcript is not None:
            _print_transcript(store, transcript, house.mask)
        elif run is not None:
            _print_run(store, find_run(store, run), house, as_json=as_json)
        else:
            page = RunsPage(runs=read_runs(store, limit))
            print_page("harness.runs/1", page, _runs_text, house.mask, as_json=as_json)


@click.group()
def ledger() -> None:
    """Look at what was raised, refuted, fixed and ruled."""


@ledger.command("list", epilog="Example: harness ledger list --state needs_human")
@click.option(
    "--state",
    type=click.Choice([state.value for state in State]),
    help="Only entries in this state.",
)
@click.option("--scope", help="Only in this scope: pr:N, branch:NAME, file:PATH or repo.")
@click.option("--limit", type=_LIMIT, default=50, show_default=True, help="How many to list.")
@repo_option
@config_option
@json_option
def list_entries(
    *,
    state: str | None,
    scope: str | None,
    limit: int,
    repo: str | None,
    config: str | None,
    as_json: bool,
) -> None:
    """List entries with their state in each scope, the newest first."""
    house = enter_house(load(config))
    with open_store(house.settings, as_json=as_json) as store:
        repo_id = find_repo(store, house.settings, repo)
        page = read_ledger(store, repo_id, state=state, scope=scope, limit=limit)
    print_page("harness.ledger/1", page, ledger_text, house.mask, as_json=as_json)


@ledger.command("show", epilog="Example: harness ledger show 3fa29c01")
@click.argument("entry")
@config_option
@json_option
def show_entry(*, entry: str, config: str | None, as_json: bool) -> None:
    """Show the entry ENTRY: the finding, its state in each scope, all that happened to it.

    ENTRY is its id as comments and lists show it, or any beginning of it that names one entry.
    """
    house = enter_house(load(config))
    with open_store(house.settings, as_json=as_json) as store:
        page = find_entry(store, entry)
    print_page("harness.entry/1", page, entry_text, house.mask, as_json=as_json)


def _runs_text(page: RunsPage, paint: Paint) -> str:
    return runs_text(page.runs, paint)


def _print_run(store: SqliteStore, run: Run, house: House, *, as_json: bool) -> None:
    root = state_path(house.settings)

    def kept(repo: str, brief: Brief) -> str:
        path = root / transcript_name(repo, brief)
        return str(path) if path.is_file() else ""

    page = read_run(store, run, kept)
    print_page("harness.run-page/1", page, run_text, house.mask, as_json=as_json)


def _print_transcript(store: SqliteStore, id_prefix: str, mask: Callable[[str], str]) -> None:
    exchange = find_exchange(store, id_prefix)
    rows = store.journal(exchange.id)
    if not exchange.brief.prompt:
        tell("what was said is forgotten (90 days after the item's end)")
    say(mask(visible(transcript_text(exchange, rows))), nl=False)
