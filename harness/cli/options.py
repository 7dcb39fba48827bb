"""The options that commands share, and what they choose: settings and repositories."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

from harness.errors import ConfigError

if TYPE_CHECKING:
    from harness.facts.settings import RepoSettings, Settings

F = TypeVar("F", bound=Callable[..., object])


def config_option(function: F) -> F:
    """`--config`, handed on as `config`."""
    text = "The config file; else HARNESS_CONFIG, ./harness.toml, or your own."
    return click.option("--config", metavar="PATH", help=text)(function)


def repo_option(function: F) -> F:
    """`--repo`, handed on as `repo`."""
    text = "Only this one of the configured repositories."
    return click.option("--repo", metavar="OWNER/NAME", help=text)(function)


def json_option(function: F) -> F:
    """`--json`, handed on as `as_json`."""
    text = "Print JSON; its schemas are in docs/json.md."
    return click.option("--json", "as_json", is_flag=True, help=text)(function)


def quiet_option(function: F) -> F:
    """`-q`, handed on as `quiet`."""
    return click.option("-q", "--quiet", is_flag=True, help="Say only the result.")(function)


def load(config: str | None) -> Settings:
    """The settings. Raises ConfigError: one sentence saying what is wrong and what to do."""
    from harness.config import find_config, load_config

    return load_config(find_config(config, dict(os.environ)))


def pick(settings: Settings, repo: str | None) -> tuple[RepoSettings, ...]:
    """The repository that `--repo` names (whatever its case), or all that are configured.

    Raises ConfigError when there is none.
    """
    if not settings.repos:
        raise ConfigError("no repository is configured: name one under [[repos]]")
    if repo is None:
        return settings.repos
    found = tuple(one for one in settings.repos if one.name.casefold() == repo.casefold())
    if not found:
        raise ConfigError(f"{repo} is no configured repository{_meant(settings, repo)}")
    return found


def _meant(settings: Settings, repo: str) -> str:
    names = [one.name for one in settings.repos]
    close = difflib.get_close_matches(repo.casefold(), [name.casefold() for name in names], n=1)
    near = [name for name in names if close and name.casefold() == close[0]]
    return f"; did you mean {near[0]}?" if near else f"; configured: {', '.join(names)}"
