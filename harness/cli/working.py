"""`triage`, `run`, `resume`, `undo`: the commands that work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

import click

from harness.cli.called import Call, enter_house
from harness.cli.first_look import Named, look_first
from harness.cli.options import config_option, json_option, load, pick, quiet_option, repo_option
from harness.cli.session import tell_run
from harness.errors import ConfigError
from harness.facts.decisions import ItemReport
from harness.runs.desk import Desk
from harness.runs.named import named_issue, named_pull
from harness.runs.sweep import resume_pulls, run_repo, triage_repo

F = TypeVar("F", bound=Callable[..., object])


def _dry_run(function: F) -> F:
    text = "Think it all through and print each write, but write nothing to the forge."
    return click.option("--dry-run", "dry", is_flag=True, help=text)(function)


@click.command()
@click.argument("numbers", nargs=-1, type=click.IntRange(min=1))
@_dry_run
@repo_option
@config_option
@json_option
@quiet_option
def triage(
    numbers: tuple[int, ...],
    dry: bool,
    repo: str | None,
    config: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Let both agents judge the open issues, or the issues NUMBERS.

    They do not see each other's answer. What both decline gets one comment; what they disagree on
    waits for a person. No code is written.

    Example: harness triage --repo owner/name 12 15
    """
    call = Call("triage", frozenset(numbers), dry=dry, json=as_json, quiet=quiet)
    _work(call, repo, config, _triage_only, named_issue)


@click.command()
@click.argument("numbers", nargs=-1, type=click.IntRange(min=1))
@click.option(
    "--anyway",
    is_flag=True,
    help="Work named issues even where the agents disagree or a person closed the last attempt.",
)
@_dry_run
@repo_option
@config_option
@json_option
@quiet_option
def run(
    numbers: tuple[int, ...],
    anyway: bool,
    dry: bool,
    repo: str | None,
    config: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Triage, then work issues to approved pull requests, or the issues NUMBERS.

    Whatever an earlier run left unfinished goes on where it stood.

    Example: harness run --repo owner/name 12 --dry-run
    """
    call = Call("run", frozenset(numbers), anyway=anyway, dry=dry, json=as_json, quiet=quiet)
    _work(call, repo, config, run_repo, named_issue)


@click.command()
@click.argument("numbers", nargs=-1, type=click.IntRange(min=1))
@click.option("--adopt", is_flag=True, help="Work on named pull requests that are not ours.")
@_dry_run
@repo_option
@config_option
@json_option
@quiet_option
def resume(
    numbers: tuple[int, ...],
    adopt: bool,
    dry: bool,
    repo: str | None,
    config: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Go on with open pull requests of ours, or with the pull requests NUMBERS.

    Example: harness resume --repo owner/name 31 --adopt
    """
    call = Call("resume", frozenset(numbers), adopt=adopt, dry=dry, json=as_json, quiet=quiet)
    if adopt and not numbers:
        raise click.UsageError("--adopt needs the numbers of the pull requests to adopt")
    _work(call, repo, config, resume_pulls, named_pull)


@click.command(epilog="Example: harness undo 3fa2 --dry-run")
@click.argument("run", metavar="RUN")
@click.option(
    "--dry-run", "dry", is_flag=True, help="Say what would be taken back, change nothing."
)
@repo_option
@config_option
@json_option
@quiet_option
def undo(
    *, run: str, dry: bool, repo: str | None, config: str | None, as_json: bool, quiet: bool
) -> None:
    """Take back what the run RUN wrote; any beginning of its id that names one run will do.

    Comments of ours are deleted, labels and assignments removed, pull requests closed and their
    branches deleted, commit statuses withdrawn, its findings and rulings revoked in the ledger.
    What a person changed since is left and told. Merges, and pushes to branches that were there
    before, are only told, with the command that reverts them. Exits 1 when something is left.
    """
    from harness.cli.undoing import HowToUndo, tell_undo

    house = enter_house(load(config))
    only = pick(house.settings, repo)[0].name if repo else ""
    sys.exit(tell_undo(house, run, HowToUndo(dry=dry, json=as_json, quiet=quiet, only=only)))


def _work(
    call: Call,
    repo: str | None,
    config: str | None,
    story: Callable[[Desk], tuple[ItemReport, ...]],
    named: Named,
) -> None:
    settings = load(config)
    repos = pick(settings, repo)
    if call.named and len(repos) > 1:
        raise ConfigError("several repositories are configured: say whose numbers with --repo")
    house = enter_house(settings)
    look_first(house, repos, call, named)
    sys.exit(tell_run(house, repos, call, story))


def _triage_only(desk: Desk) -> tuple[ItemReport, ...]:
    schedule = triage_repo(desk)
    for issue in schedule.work:
        desk.progress.step(issue.number, f"scheduled: {issue.title}")
    return schedule.reports
