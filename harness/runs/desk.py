"""What lies on the desk when one repository is worked: doors, settings, and the words to use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from harness.doors.clock import Clock
from harness.doors.files import Files
from harness.doors.notify import Notify, Progress
from harness.doors.reading import Reading
from harness.doors.store import Lease, Store
from harness.doors.trees import Trees
from harness.doors.turns import Turns
from harness.doors.workbench import Workbench
from harness.errors import SetupFailed
from harness.facts.forge import Author, Comment, Repo
from harness.facts.leaks import Spotted
from harness.facts.money import PriceList
from harness.facts.moves import Editor
from harness.facts.settings import RepoSettings, Settings
from harness.facts.turns import AgentPin
from harness.rules.standing import Whose
from harness.runs.one_by_one import OneByOne
from harness.runs.outbox import Outbox


@dataclass(frozen=True)
class Desk:
    """Everything a story needs; made by the wiring, one per thread."""

    settings: Settings
    choice: RepoSettings
    repo: Repo
    me: Author
    agents: tuple[str, str]
    run_id: str
    started: datetime
    named: frozenset[int]
    anyway: bool
    adopt: bool
    store: Store
    reading: Reading
    trees: Trees
    workbench: Workbench
    turns: Callable[[AgentPin], Turns]
    turned_away: dict[AgentPin, str]
    """Whom a vendor turned away in this run, and what the operator is told; only ever added to."""
    setups: dict[str, SetupFailed]
    """Setups that failed in this run, by what they were to make; shared, only ever added to."""
    mistakes: list[str]
    """What the operator has to mend before this repository can be worked; only ever added to."""
    one_by_one: OneByOne
    """Who makes what the threads of this run share; the others wait."""
    outbox: Outbox
    files: Files
    clock: Clock
    progress: Progress
    notify: Notify
    prompts: Mapping[str, str]
    schemas: Mapping[str, str]
    prices: Callable[[AgentPin], PriceList]
    editor: Editor
    scrub: Callable[[str], str]
    spot: Callable[[str], tuple[Spotted, ...]]
    """The secrets in a text that would be pushed."""
    whose: Callable[[Comment, int], Whose]
    """Whose a comment in this item is, by identity (rules/standing.py)."""
    fresh: Callable[[Lease | None], Desk]
    """The same desk for another thread, with a store of its own, under a lease that is held."""
    close: Callable[[], None]
    """Lets go of the store and of all connections."""

    @property
    def repo_id(self) -> int:
        """The forge's own id."""
        return self.repo.id

    @property
    def base_ref(self) -> str:
        """The branch that work starts from and goes back to."""
        return self.choice.base or self.repo.default_branch

    def pin(self, agent: str) -> AgentPin:
        """What an exchange with this agent is held to."""
        one = self.settings.agents[agent]
        return AgentPin(agent=agent, provider=one.provider, model=one.model, effort=one.effort)

    def under(self, lease: Lease) -> Desk:
        """The same desk, whose record writes hold only while the lease is ours."""
        store = self.store.under(lease)
        return replace(self, store=store, outbox=replace(self.outbox, store=store))
