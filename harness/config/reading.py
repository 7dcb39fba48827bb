"""From a TOML table to Settings, parsed once; the sentence for whatever does not fit."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import platformdirs
from pydantic import BaseModel, ConfigDict, ValidationError

from harness.config.agents import check_agents
from harness.config.sentences import sentence
from harness.config.texts import (
    check_addresses,
    check_labels,
    check_paths,
    check_state,
    check_texts,
)
from harness.errors import ConfigError
from harness.facts.settings import (
    AgentSettings,
    CommitSettings,
    GithubSettings,
    LimitSettings,
    LoopSettings,
    NotifySettings,
    PriceSettings,
    ProtectedSettings,
    RepoSettings,
    SandboxSettings,
    Settings,
    TriageSettings,
)

_OVERRIDABLE = ("loop", "triage", "limits", "protected")

M = TypeVar("M", bound=BaseModel)
Table = dict[str, Any]  # what TOML gives: parsed once, here


class _Paths(BaseModel):
    model_config = ConfigDict(extra="forbid")
    state: str = ""


class _File(BaseModel):
    """The file as it is written; repositories stay tables until the shared keys are merged in."""

    model_config = ConfigDict(extra="forbid")
    github: GithubSettings = GithubSettings()
    repos: list[Table] = []
    agents: dict[str, AgentSettings] = {}
    loop: LoopSettings = LoopSettings()
    triage: TriageSettings = TriageSettings()
    commit: CommitSettings = CommitSettings()
    limits: LimitSettings = LimitSettings()
    prices: dict[str, PriceSettings] = {}
    sandbox: SandboxSettings = SandboxSettings()
    protected: ProtectedSettings = ProtectedSettings()
    notify: NotifySettings = NotifySettings()
    paths: _Paths = _Paths()


def load_config(path: Path) -> Settings:
    """Read a config file. Raises ConfigError: one sentence saying what is wrong and what to do."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except RecursionError:
        raise ConfigError(f"{path} cannot be read as TOML: it is nested too deeply") from None
    except (OSError, ValueError) as error:  # not TOML, not UTF-8, a number of 5,000 digits
        raise ConfigError(f"{path} cannot be read as TOML: {error}") from None
    settings = read_settings(table, str(path))
    return settings.model_copy(update={"config_folder": str(path.resolve().parent)})


def read_settings(table: Table, source: str) -> Settings:
    """Settings from a parsed table; `source` names it in messages. Raises ConfigError."""
    check_texts(table, source)
    file = _parse(_File, table, source)
    repos = tuple(_read_repo(one, table, source) for one in file.repos)
    settings = Settings(
        github=file.github,
        repos=repos,
        agents=file.agents,
        loop=file.loop,
        triage=file.triage,
        commit=file.commit,
        limits=file.limits,
        prices=file.prices,
        sandbox=file.sandbox,
        protected=file.protected,
        notify=file.notify,
        state=file.paths.state or platformdirs.user_state_dir("harness"),
    )
    _check_whole(settings, source)
    return settings


def _read_repo(table: Table, whole: Table, source: str) -> RepoSettings:
    where = f"{source}, [[repos]] {table.get('name', '')}".rstrip()
    merged = dict(table)
    for section in _OVERRIDABLE:
        own = table.get(section, {})
        if not isinstance(own, dict):
            raise ConfigError(f'{where}: "{section}" must be a table')
        merged[section] = {**whole.get(section, {}), **own}
    repo = _parse(RepoSettings, merged, where)
    if repo.name.count("/") != 1 or not all(repo.name.split("/")) or "*" in repo.name:
        raise ConfigError(f'{source}: [[repos]] name = "{repo.name}" must be "owner/name"')
    return repo


def _check_whole(settings: Settings, source: str) -> None:
    names = [repo.name.casefold() for repo in settings.repos]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"{source}: {name} stands twice under [[repos]]; keep one")
    if settings.github.auth == "app" and not settings.github.app_id:
        raise ConfigError(f'{source}: [github] auth = "app" needs app_id, the number of your App')
    check_state(settings.state, source)
    check_agents(settings, source)
    check_addresses(settings, source)
    for repo in settings.repos:
        check_paths(repo, source)
        check_labels(repo, source)


def _parse(shape: type[M], table: Table, source: str) -> M:
    try:
        text = json.dumps(table)
    except TypeError:
        raise ConfigError(f"{source}: dates and times are not used in this file") from None
    except (RecursionError, ValueError):
        raise ConfigError(f"{source} holds what no key of it can be: nested too deeply") from None
    try:
        return shape.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise ConfigError(f"{source}: {sentence(shape, error)}") from None
