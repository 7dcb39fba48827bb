"""`status`, `runs`, `ledger`: what the store says. No network, no token, nothing is changed."""

from __future__ import annotations

from collections.abc import Callable

import click

from harness.cli.finding import (
    find_entry,
    find_exchange,
    find_repo,
    find_run,
    open_store,
    state_path,
)
from harness.cli.options import config_option, json_option, load, pick, repo_option
from harness.cli.printing import choose_paint, mask_page, print_json
from harness.edges.store import SqliteStore
from harness.facts.decisions import Run
from harness.facts.entries import State
from harness.facts.journal import Brief
from harness.facts.looking import RunsPage
from harness.facts.settings import Settings
from harness.rules.kept_names import transcript_name
from harness.rules.outgoing.characters import visible_text
from harness.runs.history import read_run, read_runs
from harness.runs.ledger import read_ledger
from harness.runs.status import read_status
from harness.wiring import open_house
from harness.words.ledger_page import entry_text, ledger_text
from harness.words.run_page import run_text
from harness.words.runs_page import runs_text
from harness.words.status_page import status_text
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
    house = open_house(settings)
    with open_store(settings, as_json=as_json) as store:
        page = mask_page(read_status(store, settings, repos, house.clock.now()), house.mask)
    if as_json:
        print_json("harness.status/1", page)
    else:
        click.echo(status_text(page, choose_paint(), everything=everything), nl=False)


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
    settings = load(config)
    with open_store(settings, as_json=as_json) as store:
        if transcript is not None:
            _print_transcript(store, transcript, open_house(settings).mask)
        elif run is not None:
            _print_run(store, find_run(store, run), settings, as_json=as_json)
        else:
            _print_runs(store, limit, settings, as_json=as_json)


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
    settings = load(config)
    with open_store(settings, as_json=as_json) as store:
        repo_id = find_repo(store, settings, repo)
        found = read_ledger(store, repo_id, state=state, scope=scope, limit=limit)
        page = mask_page(found, open_house(settings).mask)
    if as_json:
        print_json("harness.ledger/1", page)
    else:
        click.echo(ledger_text(page, choose_paint()), nl=False)


@ledger.command("show", epilog="Example: harness ledger show 3fa29c01")
@click.argument("entry")
@config_option
@json_option
def show_entry(*, entry: str, config: str | None, as_json: bool) -> None:
    """Show the entry ENTRY: the finding, its state in each scope, all that happened to it.

    ENTRY is its id as comments and lists show it, or any beginning of it that names one entry.
    """
    settings = load(config)
    with open_store(settings, as_json=as_json) as store:
        page = mask_page(find_entry(store, entry), open_house(settings).mask)
    if as_json:
        print_json("harness.entry/1", page)
    else:
        click.echo(entry_text(page, choose_paint()), nl=False)


def _print_runs(store: SqliteStore, limit: int, settings: Settings, *, as_json: bool) -> None:
    page = mask_page(RunsPage(runs=read_runs(store, limit)), open_house(settings).mask)
    if as_json:
        print_json("harness.runs/1", page)
    else:
        click.echo(runs_text(page.runs, choose_paint()), nl=False)


def _print_run(store: SqliteStore, run: Run, settings: Settings, *, as_json: bool) -> None:
    root = state_path(settings)

    def kept(repo: str, brief: Brief) -> str:
        path = root / transcript_name(repo, brief)
        return str(path) if path.is_file() else ""

    page = mask_page(read_run(store, run, kept), open_house(settings).mask)
    if as_json:
        print_json("harness.run-page/1", page)
    else:
        click.echo(run_text(page, choose_paint()), nl=False)


def _print_transcript(store: SqliteStore, id_prefix: str, mask: Callable[[str], str]) -> None:
    exchange = find_exchange(store, id_prefix)
    rows = store.journal(exchange.id)
    if not exchange.brief.prompt:
        click.echo("what was said is forgotten (90 days after the item's end)", err=True)
    click.echo(visible_text(mask(transcript_text(exchange, rows))), nl=False)
