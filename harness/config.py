"""From a TOML file to Settings: unknown keys are refused, a repository's own keys win."""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import platformdirs
from pydantic import BaseModel, ConfigDict, ValidationError

from harness.errors import ConfigError
from harness.facts.settings import (
    AgentSettings,
    CommitSettings,
    GithubSettings,
    LimitSettings,
    LoopSettings,
    NotifySettings,
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
    prices: dict[str, dict[str, float]] = {}
    sandbox: SandboxSettings = SandboxSettings()
    protected: ProtectedSettings = ProtectedSettings()
    notify: NotifySettings = NotifySettings()
    paths: _Paths = _Paths()


def find_config(given: str | None, environ: dict[str, str]) -> Path:
    """The config file: `--config`, `HARNESS_CONFIG`, ./harness.toml, or the user's own.

    Raises ConfigError when there is none.
    """
    named = given or environ.get("HARNESS_CONFIG", "")
    if named:
        path = Path(named)
        if not path.is_file():
            raise ConfigError(f"there is no config file {path}; `harness init` writes one")
        return path
    own = Path(platformdirs.user_config_dir("harness")) / "config.toml"
    for path in (Path("harness.toml"), own):
        if path.is_file():
            return path
    raise ConfigError(
        f"no config: neither ./harness.toml nor {own} exists; `harness init` writes one"
    )


def load_config(path: Path) -> Settings:
    """Read a config file. Raises ConfigError: one sentence saying what is wrong and what to do."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as TOML: {error}") from None
    return read_settings(table, str(path))


def read_settings(table: Table, source: str) -> Settings:
    """Settings from a parsed table; `source` names it in messages. Raises ConfigError."""
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


def the_two(settings: Settings, repo: RepoSettings) -> tuple[str, str]:
    """The two agents of a repository, the one that implements first in front.

    Raises ConfigError unless they are two, of different families.
    """
    stand_ins = {agent.fallback for agent in settings.agents.values() if agent.fallback}
    names = list(repo.agents) or [name for name in settings.agents if name not in stand_ins]
    if len(names) != 2:  # noqa: PLR2004 - the product has two agents
        listed = ", ".join(names) or "none"
        raise ConfigError(
            f"{repo.name} needs exactly two agents, configured are {listed}; "
            "name the two in the repository's `agents` key"
        )
    one, two = (settings.agents[name] for name in names)
    if one.provider == two.provider:
        raise ConfigError(
            f"{repo.name}: {names[0]} and {names[1]} are both {one.provider}; "
            "the two agents must come from different families"
        )
    if repo.loop.first:
        names.sort(key=lambda name: name != repo.loop.first)
    return names[0], names[1]


def _read_repo(table: Table, whole: Table, source: str) -> RepoSettings:
    merged = dict(table)
    for section in _OVERRIDABLE:
        merged[section] = {**whole.get(section, {}), **table.get(section, {})}
    repo = _parse(RepoSettings, merged, f"{source}, [[repos]] {table.get('name', '')}".rstrip())
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
    for where, name in _named_agents(settings):
        if name not in settings.agents:
            raise ConfigError(
                f'{source}: {where} names the agent "{name}"{_nearest(name, settings.agents)}'
            )
    for name, agent in settings.agents.items():
        stand_in = settings.agents.get(agent.fallback)
        if stand_in is not None and stand_in.provider != agent.provider:
            raise ConfigError(
                f"{source}: [agents.{name}] fallback must be of the same family ({agent.provider})"
            )
    for repo in settings.repos:
        try:
            the_two(settings, repo)
        except ConfigError as error:
            raise ConfigError(f"{source}: {error}") from None


def _named_agents(settings: Settings) -> list[tuple[str, str]]:
    named = [
        (f"[[repos]] {repo.name} agents", name) for repo in settings.repos for name in repo.agents
    ]
    named += [(f"[[repos]] {repo.name} loop.first", repo.loop.first) for repo in settings.repos]
    named += [
        (f"[agents.{name}] fallback", agent.fallback) for name, agent in settings.agents.items()
    ]
    return [
        (where, name) for where, name in [("[loop] first", settings.loop.first), *named] if name
    ]


def _parse(shape: type[M], table: Table, source: str) -> M:
    try:
        text = json.dumps(table)
    except TypeError:
        raise ConfigError(f"{source}: dates and times are not used in this file") from None
    try:
        return shape.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise ConfigError(f"{source}: {_sentence(shape, error)}") from None


def _sentence(shape: type[BaseModel], error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    path = [str(part) for part in first["loc"]]
    where = ".".join(path)
    if first["type"] == "extra_forbidden":
        return f'unknown key "{where}"{_nearest(path[-1], _keys(shape, path[:-1]))}'
    if first["type"] == "missing":
        return f'the key "{where}" is missing'
    message = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    return f'"{where}" {message[0].lower()}{message[1:]}'


def _keys(shape: type[BaseModel], path: list[str]) -> list[str]:
    """The keys that are valid at this place."""
    for part in path:
        field = shape.model_fields.get(part)
        inner = field.annotation if field else AgentSettings  # agents.NAME is the one open table
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            shape = inner
    return list(shape.model_fields)


def _nearest(word: str, known: Iterable[str]) -> str:
    names = [str(name) for name in known]
    close = difflib.get_close_matches(word, names, n=1)
    if close:
        return f'; did you mean "{close[0]}"?'
    return f"; known here: {', '.join(sorted(names))}" if names else ""
