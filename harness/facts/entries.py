"""The ledger's values: entries, events, states and scopes.

An entry is a finding's identity: (repo, title key, file, ordinal). What happened to it is a list
of events, each in a scope; the state is folded from them and stored nowhere.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from harness.facts.findings import Evidence, Finding
from harness.facts.places import Anchor
from harness.facts.value import Fact


class EventKind(StrEnum):
    """What can happen to an entry."""

    RAISED = "raised"
    RERAISED = "reraised"
    CLAIMED_FIXED = "claimed_fixed"
    CLAIMED_REFUTED = "claimed_refuted"
    CLAIMED_FILED = "claimed_filed"
    AGREED = "agreed"
    OBJECTED = "objected"
    STOOD = "stood"
    WITHDRAWN = "withdrawn"
    FIXED = "fixed"
    ESCALATED = "escalated"
    GONE = "gone"
    RULED = "ruled"
    REVOKED = "revoked"
    REOPENED = "reopened"
    SUPPRESSED = "suppressed"


class State(StrEnum):
    """What an entry is in a scope, folded from its events."""

    OPEN = "open"
    CLAIMED = "claimed"
    DISPUTED = "disputed"
    REFUTED = "refuted"
    FIXED = "fixed"
    FILED = "filed"
    WITHDRAWN = "withdrawn"
    NEEDS_HUMAN = "needs_human"
    SUPPRESSED = "suppressed"

    @property
    def is_settled(self) -> bool:
        """Whether it binds the next reviewer (a fixed one may regress, a claim is nothing)."""
        return self in {State.REFUTED, State.FILED, State.WITHDRAWN, State.SUPPRESSED}


class Disposition(StrEnum):
    """What the author claims about a finding."""

    FIXED = "fixed"
    REFUTED = "refuted"
    FILED = "filed"


class EntryKey(Fact):
    """The identity of an entry within a repository (the forge's id)."""

    repo_id: int
    title_key: str
    file: str
    ordinal: int = 1


class Entry(Fact):
    """A row of the ledger; `id` is random and never reused."""

    id: str
    key: EntryKey
    title: str
    category: str
    fingerprint: str
    created_at: datetime


class Event(Fact):
    """One line of an entry's history; append-only.

    `disposition` is set on `ruled` (what the person decided: refuted, filed, fixed; "" reopens) and
    on `agreed` and `objected` (which claim). `finding` is carried by raised and reraised.
    """

    id: str
    entry_id: str
    clock: int
    at: datetime
    kind: EventKind
    scope: str  # pr:N, branch:NAME, file:PATH, repo
    actor: str  # an agent's name, or a login
    by_person: bool
    run_id: str
    round: int
    head: str
    reasoning: str
    evidence: tuple[Evidence, ...]
    anchor: Anchor | None
    disposition: Disposition | None = None
    finding: Finding | None = None
    new_evidence: bool = False  # on reraised: only then does it count
    revokes: str = ""  # the id of the event that `revoked` takes back


class Standing(Fact):
    """An entry with its state in the scope that holds, and its history as seen from where we asked.

    Seen from pr:N: the events of pr:N and of the wider scopes (file:PATH, repo), in order.
    """

    entry: Entry
    scope: str
    state: State
    by_person: bool
    claim: Disposition | None  # the open claim, when claimed or disputed
    finding: Finding  # as last put: repeats of a settled point change no words of it
    events: tuple[Event, ...]
    aliases: tuple[str, ...]  # earlier wordings, as title keys
    precedent: bool = False  # it has no state where we asked: shown, binds nothing here
