"""The store: the one SQLite file, behind verbs. Raises StoreError; LeaseLost where a lease is held.

Record half: entries, events, intents, commits, pulls, decisions, ... (a dry run writes a copy).
Journal half: runs, exchanges, journal, reserves (always the real store).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, Protocol

from harness.facts.builds import Build
from harness.facts.causes import Called, Cause
from harness.facts.checks import Check
from harness.facts.decisions import Approval, Decision, ItemReport, Run
from harness.facts.entries import Entry, EntryKey, Event, Standing
from harness.facts.forge import Repo
from harness.facts.intents import Intent, Receipt
from harness.facts.journal import Asked, Brief, Exchange, JournalRow, Replied
from harness.facts.matching import Plan
from harness.facts.money import Caps, MicroDollars, Spend, Usage
from harness.facts.trees import CommitRow, PullRow
from harness.facts.undoing import Undone
from harness.facts.value import Fact
from harness.facts.watermarks import Watermark


class Lease(Fact):
    """Who works an item; writes made under it fail once its epoch has passed."""

    key: str  # item:REPO_ID:N, triage:REPO_ID
    owner: str
    epoch: int


class Journal(Protocol):
    """The journal half."""

    def start_run(self, run: Run) -> None: ...

    def end_run(
        self, run_id: str, *, at: datetime, exit_code: int, reports: Sequence[ItemReport]
    ) -> None: ...

    def runs(self, limit: int) -> tuple[Run, ...]: ...

    def find_runs(self, id_prefix: str) -> tuple[Run, ...]:
        """Runs whose id starts so, newest first, a few at most."""
        ...

    def open_exchange(self, run_id: str, brief: Brief, at: datetime) -> Exchange:
        """The exchange of (repo, item, branch, kind, agent, round, attempt), made once.

        Asked for again it is the same one, with the brief it was made with.
        """
        ...

    def exchange(self, exchange_id: str) -> Exchange: ...

    def exchanges(self, repo_id: int, item: int) -> tuple[Exchange, ...]:
        """All exchanges of an item, oldest first (item 0: triage)."""
        ...

    def exchanges_of_run(self, run_id: str) -> tuple[Exchange, ...]: ...

    def find_exchanges(self, id_prefix: str) -> tuple[Exchange, ...]:
        """Exchanges whose id starts so, newest first, a few at most."""
        ...

    def journal(self, exchange_id: str) -> tuple[JournalRow, ...]: ...

    def reply(self, exchange_id: str) -> Replied | None:
        """The reply that counts, without reading the rest of the journal."""
        ...

    def append(self, exchange_id: str, row: JournalRow, at: datetime) -> None:
        """Append any row but `asked`; `ended` sets the result.

        `answered` and `failed` settle their reserve in the same transaction, by cost where the
        usage is known, else the whole bound is spent.
        """
        ...

    def rest(self, exchange_id: str, reason: str) -> None:
        """Say why an open exchange goes no further for now; it decides nothing."""
        ...

    def ask(
        self, exchange_id: str, asked: Asked, caps: Caps, day: str, at: datetime
    ) -> Literal["reserved", "held", "refused"]:
        """Reserve and append `asked` in one transaction, if no cap is passed by it.

        held: only others' live reserves are in the way; refused: what is spent is. Reserves of dead
        owners, and one that this exchange never heard of, are spent whole first. Item 0 (triage)
        has no cap of its own.
        """
        ...

    def spend(self, repo_id: int, item: int, exchange_id: str, day: str) -> tuple[Spend, Spend]:
        """(spent, reserved) where the caps of this exchange apply."""
        ...

    def presumed(self, repo_id: int, day: str) -> MicroDollars:
        """What of the day's spend nobody knows: whole reserves of requests killed or cut off.

        `repo_id` 0 is all repositories.
        """
        ...

    def usage(self, run_id: str) -> tuple[tuple[str, Usage, MicroDollars], ...]:
        """(exchange id, summed usage, cost) of a run."""
        ...

    def requests(self, run_id: str) -> tuple[tuple[str, int], ...]:
        """(exchange id, how many requests were sent) of a run."""
        ...

    def unfinished(self, repo_id: int) -> tuple[tuple[int, datetime], ...]:
        """(item, when it was last begun) with an open exchange or a lease that nobody let go.

        Item 0 is triage.
        """
        ...

    def old_bodies(self, before: datetime) -> int:
        """How many bodies `forget_bodies` would forget."""
        ...

    def forget_bodies(self, before: datetime) -> int:
        """Forget what was said in exchanges of items of which none has run since.

        Spend, results and the order of rows stay. Returns how many bodies went.
        """
        ...


class Records(Protocol):
    """The record half."""

    # -- who works what -------------------------------------------------------------------------
    def claim(self, key: str, at: datetime) -> Lease | None:
        """Take the lease, or None while another live process holds it (flock says who lives)."""
        ...

    def release(self, lease: Lease) -> None: ...

    def release_dead(self) -> None:
        """Let go of the leases of processes that were killed; they could be claimed anyway."""
        ...

    def under(self, lease: Lease) -> Store:
        """This store, writing only while the lease's epoch is ours."""
        ...

    # -- repositories, pull requests, commits, checks --------------------------------------------
    def note_repo(self, repo: Repo) -> None: ...

    def repos(self) -> tuple[Repo, ...]:
        """All repositories as they were last noted, by name."""
        ...

    def note_pull(self, pull: PullRow) -> None:
        """Insert or replace the row of this pull request."""
        ...

    def pulls(self, repo_id: int, item: int) -> tuple[PullRow, ...]:
        """Rows whose item or own number is this, newest attempt first."""
        ...

    def open_pulls(self, repo_id: int) -> tuple[PullRow, ...]: ...

    def record_commit(self, row: CommitRow) -> None:
        """Idempotent by (repo, sha)."""
        ...

    def commits(self, repo_id: int, shas: Iterable[str]) -> tuple[CommitRow, ...]: ...

    def commits_of_item(self, repo_id: int, item: int) -> tuple[CommitRow, ...]:
        """Newest first."""
        ...

    def record_check(self, repo_id: int, check: Check) -> None: ...

    def check(self, repo_id: int, sha: str, command: str) -> Check | None: ...

    def record_build(self, build: Build, at: datetime) -> None:
        """Insert or replace the row of this build."""
        ...

    def build(self, repo_id: int, key: str) -> Build | None: ...

    # -- triage ---------------------------------------------------------------------------------
    def record_decisions(self, decisions: Sequence[Decision]) -> None:
        """All that one question decided, or nothing: what is left over would be asked anew."""
        ...

    def decisions(self, repo_id: int) -> tuple[Decision, ...]:
        """The newest decision of every issue."""
        ...

    def decided_otherwise(self, repo_id: int, issue: int, made_on: str) -> datetime | None:
        """When this issue was last decided on another text than this one."""
        ...

    def record_approval(self, approval: Approval) -> None: ...

    def approvals(self, repo_id: int, item: int) -> tuple[Approval, ...]: ...

    def record_outcome(
        self, run_id: str, repo_id: int, report: ItemReport, at: datetime
    ) -> None: ...

    def outcomes(self, repo_id: int) -> tuple[tuple[ItemReport, datetime], ...]:
        """The newest outcome of every item."""
        ...

    # -- the ledger ------------------------------------------------------------------------------
    def known(self, keys: Iterable[tuple[int, str, str]], scope: str) -> tuple[Standing, ...]:
        """Entries (and aliases) with these (repo id, title key, file), as seen from this scope.

        The narrowest scope with a state wins; a person's ruling beats a model's. One that has no
        state here is a `precedent` with the scope it was last spoken of: it binds nothing here.
        Entries that nobody raised are left out.
        """
        ...

    def in_files(self, repo_id: int, files: Iterable[str], scope: str) -> tuple[Standing, ...]:
        """Standings of all entries in these files, as seen from this scope."""
        ...

    def by_id(self, entry_ids: Iterable[str], scope: str) -> tuple[Standing, ...]:
        """Standings of these entries, as seen from this scope; unknown ids are left out."""
        ...

    def in_scope(self, repo_id: int, scope: str) -> tuple[Standing, ...]:
        """Standings, as seen from this scope, of all entries with events in exactly this scope."""
        ...

    def next_ordinal(self, key: EntryKey) -> int: ...

    def record_events(
        self,
        entries: Sequence[Entry],
        aliases: Sequence[tuple[str, str, str]],
        events: Sequence[Event],
    ) -> None:
        """All of one story in one transaction; aliases are (entry id, title key, file).

        Idempotent by ids, so that a story told again changes nothing; clocks are given here. An
        entry whose key somebody else has just recorded becomes theirs, with its events.
        """
        ...

    def record_reply(
        self,
        exchange_id: str,
        repo_id: int,
        item: int,
        plan: Plan,
        held: tuple[str, ...],
        at: datetime,
        run_id: str = "",
    ) -> None:
        """What a reply led to, and that this run recorded it, in one transaction.

        `held` are the handles of findings held for `same`; recording again replaces them and adds
        nothing twice.
        """
        ...

    def recorded(self, repo_id: int, item: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(exchange id, held handles) of the recorded replies of an item."""
        ...

    def recorded_by(self, repo_id: int, item: int) -> tuple[tuple[str, str], ...]:
        """(exchange id, run id) of the recorded replies of an item."""
        ...

    def events_of_run(self, repo_id: int, run_id: str) -> tuple[Event, ...]:
        """What a run recorded in a repository and nothing revoked yet, oldest first."""
        ...

    def list_standings(
        self, repo_id: int | None, *, state: str | None, scope: str | None, limit: int
    ) -> tuple[Standing, ...]:
        """For `harness ledger list`, newest first."""
        ...

    def entry(self, id_prefix: str) -> tuple[Standing, ...]:
        """All standings (one per scope) of the entry whose id or fingerprint starts so."""
        ...

    # -- the outbox ------------------------------------------------------------------------------
    def open_intent(self, intent: Intent) -> Intent:
        """Insert, or the one that has the same (repo, item, purpose) already.

        StoreError when a cap on writes per item or day would be passed.
        """
        ...

    def attempt_intent(self, intent_id: str, at: datetime) -> int:
        """Count an attempt right before it is made; returns its number."""
        ...

    def turn_away(self, intent_id: str) -> None:
        """The newest attempt was turned away for now: it surely did nothing, and does not count."""
        ...

    def settle_intent(
        self,
        intent_id: str,
        state: Literal["delivered", "dropped", "refused", "stopped"],
        reason: str,
        receipt: Receipt | None,
        at: datetime,
    ) -> Intent: ...

    def open_intents(self, repo_id: int, item: int | None = None) -> tuple[Intent, ...]:
        """Open ones, oldest first."""
        ...

    def intents(self, repo_id: int, item: int) -> tuple[Intent, ...]: ...

    def intents_of_run(self, run_id: str) -> tuple[Intent, ...]: ...

    def is_delivered(
        self, repo_id: int, kind: Literal["comment", "reply", "review"], text_id: int
    ) -> bool:
        """Whether the outbox delivered the text that has this id on the forge."""
        ...

    def is_filed(self, repo_id: int, number: int) -> bool:
        """Whether the outbox filed this issue, whatever item it was filed for."""
        ...

    def writes_since(self, repo_id: int, item: int | None, at: datetime) -> int: ...

    def note_undone(self, undone: Undone) -> None:
        """Say once that a run was taken back on an item; it stays so."""
        ...

    def undone(self, repo_id: int, item: int) -> tuple[Undone, ...]:
        """What was taken back on an item, oldest first."""
        ...

    # -- people, conditional requests --------------------------------------------------------------
    def call_person(
        self,
        repo_id: int,
        item: int,
        reason: str,
        at: datetime,
        head: str = "",
        cause: Cause = Cause.ARGUMENT,
    ) -> bool:
        """True when nobody has been called for this item since it last worked."""
        ...

    def item_works_again(self, repo_id: int, item: int) -> None: ...

    def person_called(self, repo_id: int, item: int) -> Called | None:
        """The call that waits for somebody, where one does."""
        ...

    def calls(self, repo_id: int, item: int) -> tuple[Called, ...]:
        """All calls for this item, those that are over too, oldest first."""
        ...

    def people_called(self, repo_id: int) -> tuple[tuple[int, str, datetime], ...]:
        """(item, reason, since when) of all items that somebody was called for and waits."""
        ...

    def watermarks(self, repo_id: int, item: int) -> tuple[Watermark, ...]: ...

    def move_watermark(self, mark: Watermark) -> None:
        """Move it forward; it never goes back."""
        ...

    def claim_tick(self, job: str, period: str, at: datetime) -> bool:
        """True once for every period of a job, whoever asks."""
        ...

    def etag(self, url: str) -> tuple[str, str] | None:
        """(etag, body) last stored for this URL."""
        ...

    def store_etag(self, url: str, etag: str, body: str) -> None: ...


class Store(Journal, Records, Protocol):
    """Both halves. One per thread."""

    def close(self) -> None: ...
