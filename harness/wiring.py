"""The only place where edges meet runs: settings in, desks out.

A house is what one process needs for all repositories (state directory, secrets, time); a desk is
what one thread needs to work one of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from harness.config import the_two
from harness.doors.clock import Clock
from harness.doors.notify import Progress
from harness.doors.store import Lease, Store
from harness.doors.turns import Turns
from harness.doors.workbench import Workbench
from harness.edges.clock import SystemClock
from harness.edges.editing import read_editor
from harness.edges.files import StateFiles
from harness.edges.keys import read_marker_key
from harness.edges.notifying import CommandNotify
from harness.edges.pace import FilePace
from harness.edges.prices import read_prices
from harness.edges.secrets import find_secrets
from harness.edges.staging import Staged, StagedReading, StagedTrees, StagedWriting
from harness.edges.store import NO_CAPS, SqliteStore, WriteCaps
from harness.edges.workbench import BwrapWorkbench, OpenWorkbench
from harness.errors import ConfigError
from harness.facts.forge import Author, Comment
from harness.facts.intents import Intent, Receipt, Write
from harness.facts.money import PriceList
from harness.facts.settings import AgentSettings, RepoSettings, Settings
from harness.facts.turns import AgentPin
from harness.rooms import read_prompts, read_schemas
from harness.rules.markers import Kind, mark_write, verify_marker
from harness.rules.outgoing import OutgoingPolicy, pass_write
from harness.rules.scrub import scrub
from harness.rules.standing import Whose, whose_text
from harness.runs.desk import Desk
from harness.runs.outbox import Outbox
from harness.words.commit_message import trailers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.doors.reading import Reading
    from harness.doors.writing import Writing
    from harness.edges.git import GitTrees
    from harness.edges.github.app import AppToken

REHEARSAL = "HARNESS_REHEARSAL"
"""Names a rehearsal GitHub on loopback: its time is then used, and no other forge is spoken to."""


@dataclass(frozen=True)
class Calling:
    """How one command was called."""

    run_id: str
    started: datetime
    named: frozenset[int] = frozenset()
    anyway: bool = False
    adopt: bool = False
    dry: bool = False
    undoing: bool = False  # taking back is not held up by the caps on writes


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
        """The state directory, ours alone."""
        path = Path(self.settings.state).expanduser().absolute()
        path.mkdir(parents=True, exist_ok=True, mode=0o711)
        path.chmod(0o711)  # the sandbox's user passes through; it can list nothing
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
        if not value:
            raise ConfigError(f"the environment variable {variable} is not set; it holds {what}")
        return value

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """Every secret this process knows, to be masked wherever text leaves it."""
        names = [self.settings.github.token_env, self.settings.github.private_key_env]
        names += [_key_variable(agent) for agent in self.settings.agents.values()]
        return tuple(filter(None, (self.environ.get(name, "") for name in names)))

    def mask(self, text: str) -> str:
        """The text without secrets: ours exactly, common shapes, and what a scanner finds."""
        masked = scrub(text, (*self.secrets, *self.issued.copy()))
        found = find_secrets(masked)
        return scrub(masked, found) if found else masked

    def open_store(self, *, dry: bool = False) -> SqliteStore:
        """The store; in a dry run its record half is a copy."""
        path = self.state / "store.db"
        return SqliteStore.open_dry(path) if dry else SqliteStore.open(path)

    def check_ready(self, repos: tuple[RepoSettings, ...]) -> None:
        """Everything that would stop a run later, said now and in one sentence. ConfigError."""
        import sys

        if sys.platform != "linux":
            raise ConfigError("the harness runs commands in a Linux sandbox; this is no Linux")
        self.check_forge_secret()
        for repo in repos:
            for name in the_two(self.settings, repo):
                self.check_agent(name, self.settings.agents[name])
        bench = self.workbench(self.settings.repos[0] if not repos else repos[0], ())
        missing = bench.probe()
        if missing:
            raise ConfigError(f"no usable sandbox: {missing}; see [sandbox] kind in the config")

    def clear_leftovers(self, repos: tuple[RepoSettings, ...]) -> None:
        """Take away what killed processes left in the sandbox's places."""
        for repo in repos[:1]:
            self.workbench(repo, ()).sweep()

    def check_forge_secret(self) -> str:
        """What we log in to the forge with: a token, or an App's private key. ConfigError."""
        github = self.settings.github
        if github.auth == "app":
            return self.secret(github.private_key_env, "the GitHub App's private key (PEM)")
        return self.secret(github.token_env, "the GitHub token")

    def check_agent(self, name: str, agent: AgentSettings) -> None:
        """An agent's key and price are known. ConfigError."""
        self.secret(_key_variable(agent), f"the API key of agent {name}")
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
        )

    def turns(self, pin: AgentPin) -> Turns:
        """Asking this agent's vendor."""
        agent = self._agent_of(pin)
        variable = _key_variable(agent)

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

    def _agent_of(self, pin: AgentPin) -> AgentSettings:
        """The agent or its stand-in, whichever has this model."""
        agent = self.settings.agents[pin.agent]
        if agent.model != pin.model and agent.fallback:
            return self.settings.agents[agent.fallback]
        return agent


@dataclass
class Vendors:
    """The vendors' clients of one desk, each made when it is first asked."""

    house: House
    made: dict[AgentPin, Turns] = field(default_factory=dict)

    def turns(self, pin: AgentPin) -> Turns:
        """Asking this agent."""
        if pin not in self.made:
            self.made[pin] = self.house.turns(pin)
        return self.made[pin]

    def close(self) -> None:
        """Close all connections."""
        while self.made:
            self.made.popitem()[1].close()


@dataclass(frozen=True)
class Forge:
    """One repository's forge and git, for one thread."""

    reading: Reading
    writing: Writing
    trees: GitTrees
    app: AppToken | None = None  # what we log in as, where that is an App


def open_house(settings: Settings, environ: Mapping[str, str] | None = None) -> House:
    """The house of this process."""
    return House(settings, os.environ if environ is None else environ)


@contextmanager
def open_desk(
    house: House,
    repo: RepoSettings,
    calling: Calling,
    progress: Progress,
    said: Callable[[Intent, Receipt], None] | None = None,
) -> Iterator[Desk]:
    """A desk for this thread; `said` is told each write of a dry run."""
    staged = Staged(said or _say_nothing) if calling.dry else None
    desk = _make_desk(house, repo, calling, progress, staged)
    try:
        yield desk
    finally:
        desk.close()


def open_forge(
    house: House,
    repo: RepoSettings,
    store: Store,
    staged: Staged | None,
    ending: ExitStack,
) -> Forge:
    """The forge and the git of one repository. ForgeError when it cannot be read."""
    from harness.edges.git import GitPushing, GitTrees
    from harness.edges.github.reading import GithubReading
    from harness.edges.github.wire import Wire
    from harness.edges.github.writing import GithubWriting
    from harness.edges.routing import RoutedWriting

    app = _open_app(house, repo, ending)
    token, bot = app or house.check_forge_secret, app.bot if app else None
    wire = Wire(house.settings.github.api_url, token, now=house.clock.now)
    ending.callback(wire.close)
    reading = GithubReading(wire, repo.name, etags=store, bot=bot)
    told = reading.repo()
    kind = GitTrees if staged is None else StagedTrees
    trees = kind(
        house.state,
        told.id,
        repo.git_url or told.clone_url,
        token,
        house.settings.commit,
        repo.protected,
        house.settings.sandbox.uid if house.settings.sandbox.kind == "bwrap" else None,
        environ=house.environ,
    )
    if staged is not None:
        assert isinstance(trees, StagedTrees)
        trees.staged = staged
        return Forge(
            StagedReading(reading, staged), StagedWriting(staged, reading, house.clock), trees, app
        )
    pushing = GitPushing(trees.mirror, told.default_branch, reading.is_protected)
    writing = RoutedWriting(GithubWriting(wire, repo.name, bot=bot), pushing)
    return Forge(reading, writing, trees, app)


def _open_app(house: House, repo: RepoSettings, ending: ExitStack) -> AppToken | None:
    """The App that we log in as; None where it is a token. ConfigError without its key."""
    from harness.edges.github.app import AppToken

    github = house.settings.github
    if github.auth != "app":
        return None
    app = AppToken(
        github.api_url,
        app_id=str(github.app_id),
        private_key=house.check_forge_secret(),
        repo=repo.name,
        now=house.clock.now,
        told=house.issued.add,
    )
    ending.callback(app.close)
    return app


def _make_desk(
    house: House,
    repo: RepoSettings,
    calling: Calling,
    progress: Progress,
    staged: Staged | None,
) -> Desk:
    with ExitStack() as ending:
        store = house.open_store(dry=calling.dry)
        ending.callback(store.close)
        forge = open_forge(house, repo, store, staged, ending)
        vendors = Vendors(house)
        ending.callback(vendors.close)
        kept = ExitStack()
        desk = _lay_desk(
            house, repo, calling, progress, staged, store, forge, vendors, close=kept.close
        )
        kept.push(ending.pop_all())
    return desk


def _lay_desk(
    house: House,
    repo: RepoSettings,
    calling: Calling,
    progress: Progress,
    staged: Staged | None,
    store: SqliteStore,
    forge: Forge,
    vendors: Vendors,
    *,
    close: Callable[[], None],
) -> Desk:
    told, me = forge.reading.repo(), forge.reading.whoami()
    store.note_repo(told)
    key = read_marker_key(house.state, house.environ)
    limits = repo.limits
    caps = WriteCaps(item_day=limits.writes_item_day, day=limits.writes_day)
    capped = store.limited(NO_CAPS if calling.undoing else caps)

    policy = OutgoingPolicy(
        mask=house.mask,
        mentions=frozenset(repo.loop.escalate_to),
        trailers=trailers(house.settings.commit),
        body_chars=limits.body_chars,
        comment_chars=limits.comment_chars,
    )

    def dress(write: Write, nonce: str) -> Write:
        return mark_write(pass_write(write, policy), key=key, repo_id=told.id, nonce=nonce)

    def fresh(lease: Lease | None) -> Desk:
        desk = _make_desk(house, repo, calling, progress, staged)
        return desk.under(lease) if lease and staged is None else desk

    outbox = Outbox(
        store=capped,
        writing=forge.writing,
        clock=house.clock,
        pace=FilePace(house.state / "outbox.lock", house.clock),
        dress=dress,
    )
    return Desk(
        settings=house.settings,
        choice=repo,
        repo=told,
        me=me,
        agents=the_two(house.settings, repo),
        run_id=calling.run_id,
        started=calling.started,
        named=calling.named,
        anyway=calling.anyway,
        adopt=calling.adopt,
        store=capped,
        reading=forge.reading,
        trees=forge.trees,
        workbench=house.workbench(repo, (str(forge.trees.mirror.path),)),
        turns=vendors.turns,
        outbox=outbox,
        files=StateFiles(house.state),
        clock=house.clock,
        progress=progress,
        notify=CommandNotify(() if calling.dry else house.settings.notify.command, house.mask),
        prompts=read_prompts(),
        schemas=read_schemas(),
        prices=house.prices,
        editor=read_editor(),
        scrub=house.mask,
        whose=_whose(me, told.id, key, store),
        fresh=fresh,
        close=close,
    )


def _whose(me: Author, repo_id: int, key: bytes, store: Store) -> Callable[[Comment, int], Whose]:
    def whose(comment: Comment, number: int) -> Whose:
        kind, write = _TEXTS[comment.where]
        verdict = verify_marker(key, repo_id=repo_id, kind=kind, parent=number, body=comment.body)
        known = store.is_delivered(repo_id, write, comment.id)
        delivered = (comment.id,) if known else ()
        return whose_text(
            text_id=comment.id, author=comment.author, us=me, delivered=delivered, marker=verdict
        )

    return whose


_TEXTS: dict[str, tuple[Kind, Literal["comment", "reply", "review"]]] = {
    "issue": ("comment", "comment"),
    "thread": ("thread", "reply"),
    "review": ("review", "review"),
}
"""Where a text stands: the kind of its marker, and of the write that made it."""


def _key_variable(agent: AgentSettings) -> str:
    return agent.api_key_env or f"{agent.provider.upper()}_API_KEY"


def _say_nothing(_intent: Intent, _receipt: Receipt) -> None:
    """A dry run that nobody listens to."""
