"""Values of the ledger, made short: a factory that every test here takes as `make`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from harness.facts.entries import Disposition, Entry, EntryKey, Event, EventKind, Standing, State
from harness.facts.findings import Evidence, Finding, Severity
from harness.facts.matching import Holding, Met, Plan, SettleContext
from harness.facts.places import Anchor, Place
from harness.facts.points import Point
from harness.facts.replies import (
    AnswerReply,
    DispositionReply,
    EvidenceReply,
    RulingReply,
)
from harness.rules.fold import fold, in_order
from harness.rules.points import as_points
from harness.rules.settle import plan_response, plan_review, plan_rulings

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Making:
    """Ledger values with defaults; every argument that matters to a test is named there."""

    noon = NOON

    def book(self) -> Book:
        return Book()

    def quote(self, text: str, file: str = "a.py", line: int = 3) -> Evidence:
        return Evidence(kind="quote", file=file, line=line, text=text)

    def anchor(
        self, file: str = "a.py", start: int = 3, end: int = 3, text: str = "if a < b:"
    ) -> Anchor:
        return Anchor(file=file, start_line=start, end_line=end, commit="a" * 40, text=text)

    def finding(self, **changes: object) -> Finding:
        plain = {
            "handle": "F1",
            "raised_by": "claude",
            "head": "a" * 40,
            "anchor": self.anchor(),
            "title": "The last page is lost",
            "failure_scenario": "31 rows, page size 10: row 31 is never shown",
            "detail": "Integer division drops the rest.",
            "suggestion": "",
            "evidence": (self.quote("if a < b:"),),
            "citations": (),
            "category": "correctness",
            "severity": Severity.BLOCKING,
            "in_scope": True,
            "issue": None,
        }
        return Finding.model_validate({**plain, **changes})

    def event(self, kind: EventKind, clock: int = 1, **changes: object) -> Event:
        plain = {
            "id": f"{kind}-{clock}",
            "entry_id": "e1",
            "clock": clock,
            "at": NOON + timedelta(seconds=clock),
            "kind": kind,
            "scope": "branch:harness/issue-12",
            "actor": "claude",
            "by_person": False,
            "run_id": "run",
            "round": 1,
            "head": "a" * 40,
            "reasoning": "",
            "evidence": (),
            "anchor": None,
        }
        return Event.model_validate({**plain, **changes})

    def ruled(self, disposition: Disposition | None, clock: int, **changes: object) -> Event:
        return self.event(
            EventKind.RULED,
            clock,
            **{"disposition": disposition, "by_person": True, "actor": "maintainer", **changes},
        )

    def entry(self, title_key: str = "the last page is lost", **changes: object) -> Entry:
        plain = {
            "id": "e1",
            "key": EntryKey(repo_id=1, title_key=title_key, file="a.py"),
            "title": "The last page is lost",
            "category": "correctness",
            "fingerprint": "v1:0000000000000000",
            "created_at": NOON,
        }
        return Entry.model_validate({**plain, **changes})


class Book:
    """The ledger of one branch by value, and a story told on it exchange by exchange.

    `author` is gpt, `reviewer` is claude; every point is shown under S1, S2, ... in entry order.
    """

    scope = "branch:harness/issue-12"

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.events: dict[str, Event] = {}
        self.aliases: list[tuple[str, str, str]] = []
        self.holdings: dict[str, Holding] = {}
        self.renames: tuple[tuple[str, str], ...] = ()
        self.head = "a" * 40
        self.told = 0

    # -- reading ------------------------------------------------------------------------------
    def standings(self) -> tuple[Standing, ...]:
        return tuple(
            standing
            for entry in self.entries.values()
            if (standing := self._standing(entry)) is not None
        )

    def state(self, number: int = 1) -> State:
        return self.standings()[number - 1].state

    def points(self) -> tuple[Point, ...]:
        return as_points(self.standings())

    def context(self, actor: str, exchange: str = "") -> SettleContext:
        standings = self.standings()
        self.told += not exchange
        return SettleContext(
            host="github.com",
            slug="acme/pages",
            repo_id=1,
            scope=self.scope,
            actor=actor,
            run_id="run",
            exchange_id=exchange or f"x{self.told}",
            round=self.told,
            head=self.head,
            at=NOON + timedelta(minutes=self.told),
            known=standings,
            shown=tuple((f"S{at}", one.entry.id) for at, one in enumerate(standings, start=1)),
            renames=self.renames,
            holdings=tuple(self._holding(one) for one in standings),
        )

    # -- telling ------------------------------------------------------------------------------
    def record(self, plan: Plan) -> Plan:
        for entry in plan.entries:
            assert entry.id not in self.entries
            self.entries[entry.id] = entry
        self.aliases += plan.aliases
        for event in plan.events:
            assert event.id not in self.events
            self.events[event.id] = event
        return plan

    def review(
        self,
        *findings: Finding,
        said: dict[str, str] | None = None,
        rulings: tuple[RulingReply, ...] = (),
        by: str = "claude",
        exchange: str = "",
    ) -> tuple[Met, ...]:
        context = self.context(by, exchange)
        plan = plan_review(findings, context, said, rulings=rulings)
        raised = {met.entry_id for met in plan.met}
        ruled = plan_rulings(rulings, frozenset(), context, context.known, raised)
        self.record(plan.model_copy(update={"events": plan.events + ruled.events}))
        return plan.met

    def respond(
        self,
        action: str,
        handle: str = "S1",
        *,
        fallen: bool = False,
        new_head: str = "",
        by: str = "gpt",
    ) -> Plan:
        reply = DispositionReply.model_validate(
            {
                "handle": handle,
                "evidence": (EvidenceReply(kind="quote", path="b.py", line=9, text="the proof"),),
                "reasoning": "a guard stands before it",
                "new_issue_title": "",
                "new_issue_body": "",
                "action": action,
            }
        )
        plan = plan_response((reply,), {handle} if fallen else set(), self.context(by), new_head)
        self.head = new_head or self.head
        return self.record(plan)

    def rule(
        self, agrees: bool, handle: str = "S1", *, fallen: bool = False, by: str = "claude"
    ) -> Plan:
        ruling = self.ruling(agrees, handle)
        context = self.context(by)
        fell = {handle} if fallen else set()
        return self.record(plan_rulings((ruling,), fell, context, context.known))

    def ruling(self, agrees: bool, handle: str = "S1", text: str = "seen") -> RulingReply:
        evidence = (EvidenceReply(kind="quote", path="a.py", line=3, text=text),)
        return RulingReply(
            handle=handle, evidence=evidence, reasoning="I went there", agrees=agrees
        )

    def answer(self, stands: bool, handle: str = "S1") -> AnswerReply:
        evidence = (EvidenceReply(kind="quote", path="a.py", line=3, text="the case"),)
        return AnswerReply(handle=handle, evidence=evidence, reasoning="line 3", stands=stands)

    def moved(self, number: int, start: int, end: int, file: str = "a.py") -> None:
        entry_id = self.standings()[number - 1].entry.id
        place = Place(file=file, start_line=start, end_line=end)
        self.holdings[entry_id] = Holding(entry_id=entry_id, verdict="holds", place=place, since="")

    def became(self, number: int, verdict: str, since: str = "") -> Holding:
        entry_id = self.standings()[number - 1].entry.id
        holding = Holding.model_validate(
            {"entry_id": entry_id, "verdict": verdict, "place": None, "since": since}
        )
        self.holdings[entry_id] = holding
        return holding

    def _holding(self, standing: Standing) -> Holding:
        anchor = standing.finding.anchor
        first = next((e.anchor for e in standing.events if e.anchor), anchor)
        place = Place(file=first.file, start_line=first.start_line, end_line=first.end_line)
        still = Holding(entry_id=standing.entry.id, verdict="holds", place=place, since="")
        if not first.file:
            still = still.model_copy(update={"verdict": "placeless", "place": None})
        return self.holdings.get(standing.entry.id, still)

    def _standing(self, entry: Entry) -> Standing | None:
        events = in_order(one for one in self.events.values() if one.entry_id == entry.id)
        if not events:
            return None
        folded = fold(events)
        return Standing(
            entry=entry,
            scope=events[0].scope,
            state=folded.state,
            by_person=folded.by_person,
            claim=folded.claim,
            finding=[one.finding for one in events if one.finding][-1],
            events=events,
            aliases=tuple(key for entry_id, key, _ in self.aliases if entry_id == entry.id),
        )


@pytest.fixture
def book() -> Book:
    return Book()


@pytest.fixture(scope="session")
def make() -> Making:
    return Making()
