"""What one process needs for all repositories: settings, secrets, time, the state directory."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from harness.config import the_two
from harness.doors.clock import Clock
from harness.doors.turns import Turns
from harness.doors.workbench import Workbench
from harness.edges.clock import SystemClock
from harness.edges.git.command import check_git
from harness.edges.prices import read_prices
from harness.edges.private import open_state
from harness.edges.secrets import find_secrets
from harness.edges.store import SqliteStore
from harness.edges.workbench import BwrapWorkbench, OpenWorkbench
from harness.errors import ConfigError
from harness.facts.leaks import Spotted
from harness.facts.money import PriceList
from harness.facts.settings import AgentSettings, RepoSettings, Settings
from harness.facts.turns import AgentPin
from harness.rules.scrub import find_ours, find_shapes, mask_values, scrub

REHEARSAL = "HARNESS_REHEARSAL"
"""Names a rehearsal GitHub on loopback: its time is then used, and no other forge is spoken to."""


@dataclass(frozen=True)
class House:
    """One process's settings, secrets, time and state directory.

    `issued` are the tokens that were made while it runs; they are only ever added.
    """

    settings: Settings
    environ: Mapping[str, str] = field(repr=False)
    issued: set[str] = field(default_factory=set, repr=False)

    @cached_property
    def state(self) -> Path:
        """The state directory, ours alone. ConfigError where it cannot be."""
        path = Path(self.settings.state).expanduser().absolute()
        open_state(path)
        return path

    @cached_property
    def clock(self) -> Clock:
        """The system's time, or the rehearsal's."""
        url = self.environ.get(REHEARSAL, "")
        if not url:
            return SystemClock()
        from harness.rehearsal.clock import RehearsalClock

        if not self.settings.github.api_url.startswith(url.rstrip("/") + "/"):
            raise ConfigError(f"{REHEARSAL} is {url}, but [github] api_url is another forge")
        return RehearsalClock(url)

    def secret(self, variable: str, what: str) -> str:
        """A secret from the environment. ConfigError names the variable, never a value."""
        value = self.environ.get(variable, "")
        if not value.strip():
            raise ConfigError(f"the environment variable {variable} is not set; it holds {what}")
        return value

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """Every secret this process knows, to be masked wherever text leaves it."""
        names = [self.settings.github.token_env, self.settings.github.private_key_env]
        names += [agent.key_variable for agent in self.settings.agents.values()]
        return tuple(filter(None, (self.environ.get(name, "") for name in names)))

    def mask(self, text: str) -> str:
        """The text without secrets: ours exactly, common shapes, and what a scanner finds."""
        masked = scrub(text, (*self.secrets, *self.issued.copy()))
        return mask_values(masked, find_secrets(masked))

    def mask_ours(self, text: str) -> str:
        """The text without our own secrets, and else as it is."""
        return mask_values(text, find_ours(text, (*self.secrets, *self.issued.copy())))

    def quotes_ours(self, text: str) -> bool:
        """Whether a text holds one of our own secrets."""
        return bool(find_ours(text, (*self.secrets, *self.issued.copy())))

    def spot(self, text: str) -> tuple[Spotted, ...]:
        """Secrets in a text to be pushed: ours to the letter, and what looks like one."""
        ours = find_ours(text, (*self.secrets, *self.issued.copy()))
        shapes = dict.fromkeys((*find_shapes(text), *find_secrets(text)))
        return (
            *(Spotted(value=value, ours=True) for value in ours),
            *(Spotted(value=value, ours=False) for value in shapes if value not in ours),
        )

    def open_store(self, *, dry: bool = False) -> SqliteStore:
        """The store; in a dry run its record half is a copy."""
        path = self.state / "store.db"
        return (SqliteStore.open_dry if dry else SqliteStore.open)(path, self.mask)

    def check_ready(self, repos: tuple[RepoSettings, ...]) -> None:
        """Everything that would stop a run later, said now and in one sentence. ConfigError."""
        if sys.platform != "linux":
            raise ConfigError("the harness runs commands in a Linux sandbox; this is no Linux")
        check_git(self.environ)
        self.check_forge_secret()
        for repo in repos:
            for name in the_two(self.settings, repo):
                spare = self.settings.agents[name].fallback
                for one in filter(None, (name, spare)):
                    self.check_agent(one, self.settings.agents[one])
        self.check_paths()
        bench = self.workbench(self.settings.repos[0] if not repos else repos[0], ())
        missing = bench.probe()
        if missing:
            raise ConfigError(f"no usable sandbox: {missing}; see [sandbox] kind in the config")

    def check_paths(self) -> None:
        """No agent is shown the folder of the config, where secrets may lie. ConfigError."""
        for path in self.settings.sandbox.paths:
            if self.settings.config_folder and Path(path).resolve() == Path(
                self.settings.config_folder
            ):
                raise ConfigError(
                    f"[sandbox] paths names {path}, where your config lies: name the folders of "
                    "programs in it, or move the config"
                )

    def clear_leftovers(self, repos: tuple[RepoSettings, ...]) -> None:
        """Take away what killed processes left in the sandbox's places."""
        for repo in repos[:1]:
            self.workbench(repo, ()).sweep()

    def check_forge_secret(self) -> str:
        """What we log in to the forge with: a token, or an App's private key. ConfigError."""
        github = self.settings.github
        if github.auth == "app":
            return self.secret(github.private_key_env, "the GitHub App's private key (PEM)")
        token = self.secret(github.token_env, "the GitHub token")
        if not re.fullmatch(r"[!-~]+", token):
            raise ConfigError(
                f"the environment variable {github.token_env} holds a character that no token has, "
                "such as a blank or a line break"
            )
        return token

    def check_agent(self, name: str, agent: AgentSettings) -> None:
        """An agent's key and price are known. ConfigError."""
        self.secret(agent.key_variable, f"the API key of agent {name}")
        read_prices(agent.model, agent.provider, self.settings.prices, self.clock.now())

    def workbench(self, repo: RepoSettings, readonly: tuple[str, ...]) -> Workbench:
        """The workbench of a repository; `readonly` is shown inside."""
        if self.settings.sandbox.kind == "none":
            return OpenWorkbench(repo.limits, self.mask)
        return BwrapWorkbench(
            self.settings.sandbox,
            repo.limits,
            scratch=self.state / "scratch",
            builds=self.state / "builds",
            readonly=readonly,
            mask=self.mask,
            private=tuple(filter(None, (str(self.state), self.settings.config_folder))),
        )

    def turns(self, pin: AgentPin) -> Turns:
        """Asking this agent's vendor."""
        agent = self.settings.agents[self.settings.name_of(pin)]
        variable = agent.key_variable

        def key() -> str:
            return self.secret(variable, f"the API key of agent {pin.agent}")

        if pin.provider == "anthropic":
            from harness.edges.anthropic_turns import AnthropicTurns

            return AnthropicTurns(key, agent.base_url, clock=self.clock)
        from harness.edges.openai_turns import OpenAITurns

        return OpenAITurns(key, agent.base_url, clock=self.clock)

    def prices(self, pin: AgentPin) -> PriceList:
        """What this LLM costs today."""
        return read_prices(pin.model, pin.provider, self.settings.prices, self.clock.now())


def open_house(settings: Settings, environ: Mapping[str, str] | None = None) -> House:
    """The house of this process."""
    return House(settings, os.environ if environ is None else environ)
