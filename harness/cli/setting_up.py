"""`init`, `doctor`, `clean`: before the first run, and after many."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from harness.cli.called import enter_house
from harness.cli.checkup import exit_of, look_around
from harness.cli.console import say
from harness.cli.finding import has_store
from harness.cli.options import (
    config_option,
    json_option,
    load,
    pick,
    quiet_option,
    repo_option,
)
from harness.cli.printing import print_page
from harness.config import load_config
from harness.edges.files import StateFiles
from harness.edges.git import GitTrees
from harness.edges.store import SqliteStore
from harness.errors import ConfigError
from harness.facts.looking import Cleared, ClearedPage, DoctorPage
from harness.facts.settings import RepoSettings
from harness.rooms import data_room
from harness.runs.clearing import (
    Clearing,
    Place,
    clear_transcripts,
    clear_trees,
    clear_words,
    clear_workbench,
    hold_leases,
)
from harness.wiring import House
from harness.words.cleared_page import cleared_text
from harness.words.doctor_page import doctor_text


@click.command(epilog="Example: harness init --config ~/.config/harness/config.toml")
@click.option("--config", metavar="PATH", default="harness.toml", show_default=True)
def init(*, config: str) -> None:
    """Write a commented config to start from; one that is there is never overwritten.

    It holds no secret: it names the environment variables that do.
    """
    path = Path(config)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(data_room("config.example.toml").read_text("utf-8"))
    except FileExistsError:
        raise ConfigError(f"{path} is there already; it was left as it is") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConfigError(f"{path} cannot be written: {why}") from None
    settings = load_config(path)
    keys = [agent.api_key_env for agent in settings.agents.values()]
    given = "" if config == "harness.toml" else f" --config {shlex.quote(config)}"
    say(
        f"wrote {path}\n\n"
        f"1. name your repository, its `setup` and its `check` in it\n"
        f"2. set {', '.join([settings.github.token_env, *keys])} in the environment\n"
        f"3. harness doctor{given}\n"
        f"4. harness run --dry-run{given}"
    )


@click.command(epilog="Example: harness doctor --repo owner/name")
@repo_option
@config_option
@json_option
@quiet_option
@click.pass_context
def doctor(
    context: click.Context, *, repo: str | None, config: str | None, as_json: bool, quiet: bool
) -> None:
    """Check every prerequisite, agent and repository, and say what to do about each.

    No model is asked and nothing is written to the forge. Exits 0 when all is well, 2 when there
    is something for you to mend, 3 when GitHub, git or a vendor failed: try again later.
    """
    house = enter_house(load(config))
    looks = tuple(look_around(house, pick(house.settings, repo)))
    page = DoctorPage(exit_code=exit_of(looks), looks=looks)
    text = partial(doctor_text, quiet=quiet)
    print_page("harness.doctor/1", page, text, house.mask, as_json=as_json)
    context.exit(page.exit_code)


@click.command(epilog="Example: harness clean --dry-run")
@click.option("--dry-run", "dry", is_flag=True, help="Say what would be removed, remove nothing.")
@repo_option
@config_option
@json_option
@quiet_option
def clean(*, dry: bool, repo: str | None, config: str | None, as_json: bool, quiet: bool) -> None:
    """Remove work trees, builds and old words that nothing needs.

    Kept are work trees that an open question, a running process or a person needs. What was said
    and done goes 90 days after the item's end, builds 30 days after they were made; events, writes,
    commits and spend stay for ever. With --repo only that repository's trees and transcripts go.
    """
    settings = load(config)
    repos = pick(settings, repo)
    house = enter_house(settings)
    things: tuple[Cleared, ...] = ()
    if has_store(settings):
        things = tuple(_clear(house, repos, dry=dry, everything=repo is None))
    page = ClearedPage(dry=dry, things=things)
    text = partial(cleared_text, quiet=quiet)
    print_page("harness.clean/1", page, text, house.mask, as_json=as_json)


def _clear(
    house: House, repos: tuple[RepoSettings, ...], *, dry: bool, everything: bool
) -> Iterator[Cleared]:
    with ExitStack() as ending:
        store = house.open_store(dry=dry)
        ending.callback(store.close)
        clearing = Clearing(store, StateFiles(house.state), house.clock.now(), dry)
        places = _places(house, store, repos)
        busy = ending.enter_context(hold_leases(clearing, places))
        for place in places:
            yield from clear_trees(clearing, place, busy)
            yield from clear_transcripts(clearing, place.repo)
        if everything:
            bench = house.workbench(repos[0], ())
            yield from clear_workbench(clearing, bench, busy=bool(busy))
            yield from clear_words(clearing)


def _places(house: House, store: SqliteStore, repos: tuple[RepoSettings, ...]) -> tuple[Place, ...]:
    """The repositories that a run has reached, with their git; no network is used."""
    known = {repo.slug.casefold(): repo for repo in store.repos()}
    met = [(repo, known[repo.name.casefold()]) for repo in repos if repo.name.casefold() in known]
    return tuple(
        Place(told, GitTrees(house.state, told.id, repo.git_url or told.clone_url))
        for repo, told in met
        if (house.state / "git" / str(told.id)).is_dir()
    )
