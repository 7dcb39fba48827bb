"""The agents that a config names, and the two of each repository."""

from __future__ import annotations

import re

from harness.config.sentences import nearest
from harness.errors import ConfigError
from harness.facts.settings import AgentSettings, RepoSettings, Settings

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


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
    if both := _shared(one, two):
        raise ConfigError(
            f"{repo.name}: {names[0]} and {names[1]} are both {both}; "
            "the two agents must come from different families"
        )
    shared = repo.loop.first == settings.loop.first and len(settings.repos) > 1
    if repo.loop.first and repo.loop.first not in names and not shared:
        raise ConfigError(
            f'{repo.name}: first names "{repo.loop.first}", who is none of its two agents '
            f"({', '.join(names)})"
        )
    if repo.loop.first:
        names.sort(key=lambda name: name != repo.loop.first)
    return names[0], names[1]


def check_agents(settings: Settings, source: str) -> None:
    """Every agent that is named is configured, and may do what it is named for. ConfigError."""
    for name in settings.agents:
        if not _NAME.fullmatch(name):
            raise ConfigError(
                f'{source}: [agents."{name}"] is no name: '
                'use up to 40 letters, digits, ".", "_" and "-"'
            )
    for where, name in _named(settings):
        if name not in settings.agents:
            raise ConfigError(
                f'{source}: {where} names the agent "{name}"{nearest(name, settings.agents)}'
            )
    for name, agent in settings.agents.items():
        if agent.fallback == name:
            raise ConfigError(f"{source}: [agents.{name}] fallback is the agent itself")
        stand_in = settings.agents.get(agent.fallback)
        if stand_in is not None and _is_other(stand_in, agent):
            raise ConfigError(
                f"{source}: [agents.{name}] fallback must be of the same family ({agent.family})"
            )
    for repo in settings.repos:
        try:
            the_two(settings, repo)
        except ConfigError as error:
            raise ConfigError(f"{source}: {error}") from None


def _shared(one: AgentSettings, two: AgentSettings) -> str:
    """What makes them one family: vendor, models' family, or model; "" for nothing."""
    pairs = ((one.provider, two.provider), (one.family, two.family), (one.model, two.model))
    return next((here for here, there in pairs if here == there), "")


def _is_other(one: AgentSettings, two: AgentSettings) -> bool:
    return (one.provider, one.family) != (two.provider, two.family)


def _named(settings: Settings) -> list[tuple[str, str]]:
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
