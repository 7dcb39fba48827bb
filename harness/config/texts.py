"""Texts of the config: no control characters, addresses that are some, paths that stay inside."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import SplitResult, urlsplit

from harness.errors import ConfigError
from harness.facts.settings import RepoSettings, Settings

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_BREAK = re.compile(r"[\t\n]")
_SCRIPTS = re.compile(
    r"(repos\.)?(setup|check)|notify\.command"
)  # keys with lines of shell in them
_FETCHED = ("https", "http", "file")


def check_texts(table: dict[str, Any], source: str) -> None:
    """Every key and text of the file can be read, and stands on one line. Raises ConfigError."""
    for where, text in _texts(table):
        is_script = _SCRIPTS.fullmatch(where) is not None
        if _CONTROL.search(text) or (_BREAK.search(text) and not is_script):
            shown = json.dumps(where)
            raise ConfigError(f"{source}: {shown} must be one line without control characters")


def check_addresses(settings: Settings, source: str) -> None:
    """What is asked over the network has an address. Raises ConfigError."""
    _check_http(settings.github.api_url, f"{source}: [github] api_url")
    for name, agent in settings.agents.items():
        if agent.base_url:
            _check_http(agent.base_url, f"{source}: [agents.{name}] base_url")
    for repo in settings.repos:
        if repo.git_url:
            _check_git(repo.git_url, f"{source}: [[repos]] {repo.name} git_url")


def check_state(state: str, source: str) -> None:
    """The state directory is the same wherever the harness is started. Raises ConfigError."""
    try:
        path = Path(state).expanduser()
    except RuntimeError:
        raise ConfigError(f'{source}: [paths] state = "{state}" names nobody\'s home') from None
    if not path.is_absolute():
        raise ConfigError(
            f'{source}: [paths] state = "{state}" depends on where the harness is started: '
            "write the whole path, or one from ~"
        )


def check_paths(repo: RepoSettings, source: str) -> None:
    """Documents and JUnit files are inside the repository. Raises ConfigError."""
    named = [("documents", path) for path in repo.documents]
    named += [("junit", repo.junit)] if repo.junit else []
    for key, path in named:
        parts = PurePosixPath(path).parts
        if not parts or ".." in parts or path.startswith("/"):
            raise ConfigError(
                f'{source}: [[repos]] {repo.name} {key} has "{path}", which is no path inside '
                "the repository"
            )


def check_labels(repo: RepoSettings, source: str) -> None:
    """No label says two things. Raises ConfigError."""
    skipped = {label.casefold() for label in repo.triage.skip_labels}
    if repo.triage.go_label.casefold() in skipped:
        raise ConfigError(
            f'{source}: [triage] go_label "{repo.triage.go_label}" of {repo.name} is one of '
            "skip_labels: it cannot mean both"
        )


def _texts(table: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every key and text with its place; a file may be nested deeper than Python calls."""
    waiting: list[tuple[str, Any]] = [("", table)]  # Any: what TOML gives
    while waiting:
        where, value = waiting.pop()
        match value:
            case str():
                yield where, value
            case list():
                waiting += [(where, one) for one in value]
            case dict():
                inner = {f"{where}.{key}".lstrip("."): key for key in value}
                yield from inner.items()
                waiting += [(place, value[key]) for place, key in inner.items()]


def _check_http(url: str, where: str) -> None:
    parts = _split(url)
    if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ConfigError(f"{where} is no http address: write it as https://HOST/PATH")
    _check_open(parts, where)


def _check_git(url: str, where: str) -> None:
    parts = _split(url)
    if parts is None or parts.scheme not in _FETCHED:
        raise ConfigError(f"{where} must be an https, http or file URL")
    _check_open(parts, where)


def _check_open(parts: SplitResult, where: str) -> None:
    if "@" in parts.netloc:
        raise ConfigError(
            f"{where} carries a credential: take it out, and name its variable instead"
        )


def _split(url: str) -> SplitResult | None:
    """Its parts; None where it is no whole address."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # ValueError when it is none
    except ValueError:
        return None
    return None if re.search(r"\s", url) or parts.query or parts.fragment else parts
