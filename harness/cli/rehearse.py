"""`harness rehearse`: a GitHub on this machine, for any client."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path

import click

from harness.cli.console import say, tell
from harness.cli.directory import take_directory
from harness.edges.git.command import check_git
from harness.errors import ConfigError
from harness.rehearsal.demo.story import MAINTAINER, SLUG, furnish
from harness.rehearsal.github import GithubDouble
from harness.wiring import REHEARSAL

TOKEN = "rehearsal-token"  # noqa: S105 - opens nothing but the rehearsal


@click.group()
def rehearse() -> None:
    """Rehearse without an account: a GitHub on this machine."""


@rehearse.command(epilog="Example: harness rehearse serve --port 8765")
@click.option("--host", default="127.0.0.1", show_default=True, help="A loopback address.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8765, show_default=True)
@click.option(
    "--directory",
    metavar="PATH",
    help="Where the git repositories go, new or empty; else a temporary one.",
)
def serve(*, host: str, port: int, directory: str | None) -> None:
    """Serve a rehearsal GitHub with a small project and its issues, until Ctrl-C.

    REST, GraphQL and git over HTTP, with its own time. People and faults are moved over
    /_rehearsal/. All but the git repositories is in memory, and gone at the end.
    """
    check_git(os.environ)
    _check_loopback(host)
    with _place(directory) as place:
        double = _open(place, host, port)
        try:
            furnish(double, TOKEN)
            say(told(double))
            double.serve_forever()
        except KeyboardInterrupt:
            tell("the rehearsal is over")
        finally:
            double.stop()


def told(double: GithubDouble) -> str:
    """Where it is, and how a client is pointed at it."""
    said = json.dumps({"slug": SLUG, "login": MAINTAINER, "number": 1, "body": "Go ahead."})
    return f"""\
A rehearsal GitHub serves {SLUG} at {double.url}

Point a client at it:
  curl -H 'Authorization: token {TOKEN}' {double.url}/repos/{SLUG}/issues
  git clone {double.base}/{SLUG}.git

Point the harness at it, in a config of its own:
  [github]
  api_url = "{double.url}"
  [[repos]]
  name = "{SLUG}"
and in the environment:
  export {REHEARSAL}={double.base}
  export GITHUB_TOKEN={TOKEN}

Let a person speak, or see what was written:
  curl -d '{said}' {double.base}/_rehearsal/people/comment
  curl {double.base}/_rehearsal/writes

Ctrl-C ends it."""


@contextmanager
def _place(directory: str | None) -> Iterator[Path]:
    if directory is not None:
        yield take_directory(directory)
        return
    with tempfile.TemporaryDirectory(prefix="harness-rehearsal-") as name:
        yield Path(name)


def _open(place: Path, host: str, port: int) -> GithubDouble:
    try:
        return GithubDouble(place, host=host, port=port)
    except OSError as error:
        raise ConfigError(f"cannot serve on {host}:{port}: {error.strerror}") from None


def _check_loopback(host: str) -> None:
    """It believes everybody, so nobody else may reach it."""
    try:
        is_loopback = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise ConfigError(f"{host} is no loopback address; a rehearsal is for this machine only")
