"""Pages of the commands that look: what the store says, gathered for a reader.

They are printed as JSON too (docs/json.md): a field that changes its meaning takes a new schema
number in `harness/cli/printing.py`. Money is micro-dollars, times are UTC.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from harness.facts.decisions import ItemReport, Outcome
from harness.facts.entries import Disposition, EventKind, State
from harness.facts.findings import Evidence, Finding, Severity
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.value import Fact


class Purse(Fact):
    """Money of today where a cap applies; `held` is reserved for requests on their way.

    `presumed` is the part of `spent` that nobody knows: the whole reserves of requests that were
    killed or cut off.
    """

    spent: int
    presumed: int
    held: int
    cap: int


class StagedWrite(Fact):
    """A write that a dry run would have made; `number` is the one it was staged under."""

    repo: str
    item: int
    kind: str
    target: str
    number: int
    why: str
    body: str  # "" where it carries none


class WorkedPage(Fact):
    """What a command that works has come to; `staged` is empty but in a dry run."""

    run: str
    exit_code: int
    spent_micro_dollars: int
    reports: tuple[ItemReport, ...]
    staged: tuple[StagedWrite, ...]


class ItemStatus(Fact):
    """Where one item stands; `outcome` is None where nothing ended yet.

    `unfinished`: it was begun after it ended last, and a run works on it or was stopped.
    """

    item: int
    title: str
    outcome: Outcome | None
    reason: str
    at: datetime
    pull: int  # 0 where there is none
    not_before: datetime | None  # not tried again before
    needs_person: bool
    called: str  # why somebody was called who has not acted since, "" when nobody was
    called_at: datetime | None
    unfinished: bool


class PullStatus(Fact):
    """A pull request that the harness works on, as the store knows it."""

    pull: int
    item: int
    branch: str
    base: str
    origin: str  # ours, adopted


class RepoStatus(Fact):
    """One configured repository; `met` is False before the first run that reached it."""

    repo: str
    met: bool
    today: Purse
    items: tuple[ItemStatus, ...]
    pulls: tuple[PullStatus, ...]


class StatusPage(Fact):
    """`harness status`; `today` is of all repositories together."""

    day: str
    today: Purse
    repos: tuple[RepoStatus, ...]


class Cost(Fact):
    """What requests came to; `input` holds all input tokens, `cache_read` those of them cached."""

    requests: int
    input: int
    cache_read: int
    output: int
    micro_dollars: int


class RunLine(Fact):
    """One run; `outcomes` counts its items by how they ended."""

    run: str
    command: str
    dry: bool
    started_at: datetime
    ended_at: datetime | None
    exit_code: int | None
    outcomes: dict[Outcome, int]
    cost: Cost


class RunsPage(Fact):
    """`harness runs`, newest first."""

    runs: tuple[RunLine, ...]


class ExchangeLine(Fact):
    """One question to an agent; `result` None: it is open and will be resumed."""

    exchange: str
    repo: str
    item: int  # 0 for triage
    branch: str
    kind: ExchangeKind
    agent: str
    provider: str
    model: str
    round: int
    attempt: int
    result: Ending | None
    reason: str
    not_before: datetime | None
    cost: Cost
    transcript: str  # where its transcript lies, "" where none was kept


class WriteLine(Fact):
    """One write to the forge, or the intention of one."""

    intent: str
    repo: str
    item: int
    kind: str
    target: str
    state: str  # open, delivered, dropped, refused, stopped
    attempts: int
    why: str
    reason: str
    url: str


class ReportLine(Fact):
    """How one item ended in a run."""

    repo: str
    item: int
    title: str
    outcome: Outcome
    reason: str
    pull: int
    not_before: datetime | None


class RunPage(Fact):
    """`harness runs RUN`."""

    run: RunLine
    reports: tuple[ReportLine, ...]
    exchanges: tuple[ExchangeLine, ...]
    writes: tuple[WriteLine, ...]


class LedgerLine(Fact):
    """An entry with its state in one scope."""

    id: str  # as people see it
    entry: str
    repo: str
    title: str
    file: str
    category: str
    severity: Severity
    scope: str
    state: State
    claim: Disposition | None
    by_person: bool
    raised_by: str
    last_by: str
    last_at: datetime


class LedgerPage(Fact):
    """`harness ledger list`, newest first; `more` where the limit cut it off."""

    entries: tuple[LedgerLine, ...]
    more: bool


class EventLine(Fact):
    """One thing that happened to an entry."""

    event: str
    at: datetime
    kind: EventKind
    scope: str
    actor: str
    by_person: bool
    disposition: Disposition | None
    round: int
    head: str
    run: str
    reasoning: str
    evidence: tuple[Evidence, ...]


class EntryPage(Fact):
    """`harness ledger show`: an entry, its state in every scope, and all that happened."""

    id: str
    entry: str
    fingerprint: str
    repo: str
    scopes: tuple[LedgerLine, ...]
    aliases: tuple[str, ...]
    finding: Finding
    events: tuple[EventLine, ...]


class Look(Fact):
    """One line of `harness doctor`; `note`: nothing is wrong, but it should be known."""

    area: str  # host, agents, or owner/name
    what: str
    state: Literal["ok", "note", "mend", "failed"]  # mend: the caller has to; failed: the world did
    text: str


class DoctorPage(Fact):
    """`harness doctor`."""

    exit_code: int
    looks: tuple[Look, ...]


class Cleared(Fact):
    """One thing that `harness clean` removed (or would), or kept and why."""

    what: str
    name: str
    removed: bool
    why: str


class ClearedPage(Fact):
    """`harness clean`; `dry`: nothing was removed, it only says what would be."""

    dry: bool
    things: tuple[Cleared, ...]
