"""`harness demo`: the whole story on a rehearsal GitHub and two scripted models."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
import tomllib

import click

from harness.cli.called import Call, enter_house
from harness.cli.console import say
from harness.cli.directory import take_directory
from harness.cli.session import tell_run
from harness.config import read_settings
from harness.edges.git.command import check_git
from harness.facts.decisions import Outcome
from harness.facts.entries import Standing, State
from harness.facts.settings import Settings
from harness.rehearsal.demo.script import tell_demo
from harness.rehearsal.demo.story import ISSUES, SLUG, config_text, furnish
from harness.rehearsal.github import GithubDouble
from harness.rehearsal.models import ModelDouble
from harness.runs.sweep import run_repo
from harness.wiring import REHEARSAL, House
from harness.words.points_told import standing_part

INTRO = f"""\
This is a rehearsal: a GitHub on this machine holds {SLUG}, a real git repository with a failing
test and {len(ISSUES)} issues. Two agents work on it through the harness's ordinary code. Both
models are scripted: every word they say was written beforehand. Commands run for real, in the
sandbox, and nothing leaves this machine.
"""

TOLD = {
    1: Outcome.APPROVED,
    2: Outcome.DECLINED,
    3: Outcome.CONTESTED,
    4: Outcome.PARKED,
}
"""How the story goes when it goes as told, by issue."""


@click.command()
@click.option(
    "--directory",
    metavar="PATH",
    help="A new or empty place for its repository, store and transcripts; else a temporary one.",
)
@click.option("--dry-run", "dry", is_flag=True, help="Tell the story as a dry run.")
def demo(directory: str | None, dry: bool) -> None:
    """Watch two scripted agents take an issue to an approved pull request.

    No account, no key and no network are needed. Exits 0 when the story went as told.
    """
    check_git(os.environ)
    root = take_directory(directory or tempfile.mkdtemp(prefix="harness-demo-"))
    say(INTRO)
    token = "rehearsal-token-of-the-demo"  # noqa: S105 - opens nothing but the rehearsal
    with GithubDouble(root / "forge") as forge:
        furnish(forge, token)
        environ = {
            **os.environ,
            REHEARSAL: forge.base,
            "GITHUB_TOKEN": token,
            "ANTHROPIC_API_KEY": "rehearsal",
            "OPENAI_API_KEY": "rehearsal",
        }
        with ModelDouble(tell_demo()) as models:
            settings = _settings(config_text(forge, models.url, root / "state"))
            house = enter_house(settings, environ)
            code = tell_run(house, settings.repos, Call("demo", dry=dry), run_repo)
        went = code == 1 and _went_as_told(house, dry=dry)
        if not dry:
            _show_pull(forge)
            _show_ledger(house)
    say(f"\nTranscripts of all exchanges: {root / 'state' / 'transcripts'}")
    say(f"Look further: harness ledger list --config {shlex.quote(str(root / 'harness.toml'))}")
    say("(its GitHub is gone now: only `status`, `runs` and `ledger` have something to tell)")
    (root / "harness.toml").write_text(config_text(forge, models.url, root / "state"), "utf-8")
    say("The story went as told." if went else "The story did NOT go as told.")
    sys.exit(0 if went else 3)


def _settings(text: str) -> Settings:
    return read_settings(tomllib.loads(text), "the demo's config")


def _went_as_told(house: House, *, dry: bool) -> bool:
    """Whether every issue ended as the story says, and the refutation is settled."""
    store = house.open_store()
    try:
        run = store.runs(1)[0]
        ended = {report.item: report.outcome for report in run.reports}
        settled = [one for one in _standings(house) if one.state is State.REFUTED]
    finally:
        store.close()
    return ended == TOLD and (dry or len(settled) == 1)


def _standings(house: House) -> tuple[Standing, ...]:
    store = house.open_store()
    try:
        return store.list_standings(None, state=None, scope=None, limit=100)
    finally:
        store.close()


def _show_pull(forge: GithubDouble) -> None:
    """The pull request as it stands on the rehearsal forge."""
    repository = forge.forge.repository(SLUG)
    pulls = [item for item in repository.items.values() if item.pull] if repository else []
    for item in pulls:
        say(f"\n== Pull request #{item.number}: {item.title}\n")
        say(item.body.strip())
        for comment in item.comments:
            say(f"\n-- comment by {comment.author.login if comment.author else 'ghost'}\n")
            say(comment.body.strip())


def _show_ledger(house: House) -> None:
    """The settled refutation, with its evidence."""
    for standing in _standings(house):
        if standing.state is State.REFUTED:
            say("\n== In the ledger\n")
            say(standing_part("", standing).text)
