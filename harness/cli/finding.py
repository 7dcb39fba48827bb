"""Opening the store to look at it, and finding one thing in it by the beginning of its id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from harness.cli.console import say
from harness.cli.options import pick
from harness.edges.store import SqliteStore
from harness.errors import ConfigError
from harness.facts.decisions import Run
from harness.facts.journal import Exchange
from harness.facts.looking import EntryPage
from harness.facts.settings import Settings
from harness.runs.ledger import find_entries
from harness.runs.status import repo_ids
from harness.words.ledger_page import candidates


def state_path(settings: Settings) -> Path:
    """The state directory, which need not be there."""
    return Path(settings.state).expanduser().absolute()


def has_store(settings: Settings) -> bool:
    """Whether anything was worked yet. ConfigError where the state directory can be none."""
    path = state_path(settings)
    try:
        if path.exists() and not path.is_dir():
            raise ConfigError(f"the state directory {path} is no directory: look at [paths] state")
        return (path / "store.db").exists()
    except OSError as error:
        raise ConfigError(
            f"the state directory {path} cannot be used ({error.strerror}): look at [paths] state"
        ) from None


@contextmanager
def open_store(settings: Settings, *, as_json: bool) -> Iterator[SqliteStore]:
    """The store to look at. Raises StoreError when it is newer than the code, or damaged.

    Where nothing was ever worked one sentence says so and the command ends well; a program that
    reads JSON is shown an empty store instead.
    """
    path = state_path(settings) / "store.db"
    with ExitStack() as ending:
        is_there = has_store(settings)
        if not is_there and as_json:
            path = Path(ending.enter_context(TemporaryDirectory())) / path.name
        elif not is_there:
            say(f"nothing was worked yet: there is no store in {path.parent}")
            click.get_current_context().exit(0)
        store = SqliteStore.open(path)
        ending.callback(store.close)
        yield store


def find_repo(store: SqliteStore, settings: Settings, repo: str | None) -> int | None:
    """The forge's id of the repository that `--repo` names; None for all. Raises ConfigError."""
    if repo is None:
        return None
    name = pick(settings, repo)[0].name
    found = repo_ids(store).get(name.casefold())
    if found is None:
        raise ConfigError(f"no run has reached {name} yet: nothing is known of it")
    return found


def find_run(store: SqliteStore, id_prefix: str) -> Run:
    """The one run whose id starts so. Raises ConfigError."""
    found = store.find_runs(id_prefix) if id_prefix else ()
    _one("run", id_prefix, [run.id for run in found], "harness runs")
    return found[0]


def find_exchange(store: SqliteStore, id_prefix: str) -> Exchange:
    """The one exchange whose id starts so. Raises ConfigError."""
    found = store.find_exchanges(id_prefix) if id_prefix else ()
    _one("exchange", id_prefix, [one.id for one in found], "harness runs RUN")
    return found[0]


def find_entry(store: SqliteStore, id_prefix: str) -> EntryPage:
    """The one entry whose id or fingerprint starts so. Raises ConfigError."""
    found = find_entries(store, id_prefix)
    if len(found) > 1:
        meant = candidates([page.scopes[0] for page in found])
        raise ConfigError(f"{id_prefix} is the beginning of several entries: {meant}")
    _one("entry", id_prefix, [page.id for page in found], "harness ledger list")
    return found[0]


def _one(what: str, id_prefix: str, ids: Sequence[str], where: str) -> None:
    if not ids:
        raise ConfigError(f'there is no {what} "{id_prefix}"; `{where}` lists them')
    if len(ids) > 1:
        meant = ", ".join(one[:12] for one in ids)
        raise ConfigError(f"{id_prefix} is the beginning of several {what}s: {meant}")
