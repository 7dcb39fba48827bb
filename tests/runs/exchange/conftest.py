"""A world around one exchange: a journal in memory, a scripted vendor, a bench, time of its own.

Everything can be killed: `Killed` is raised right after a row was stored, or while the vendor or a
command is at work, and `hold` called again is the restart.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest

from harness.doors.store import Journal
from harness.errors import VendorError, VendorReason
from harness.facts.journal import (
    Answered,
    Asked,
    Brief,
    Ended,
    Exchange,
    ExchangeKind,
    Failed,
    HandleMap,
    JournalRow,
)
from harness.facts.judgement import ClaimFault, Judgement
from harness.facts.money import Caps, MicroDollars, Price, PriceList, Spend, Usage
from harness.facts.moves import Editor, ExchangeLimits, Held
from harness.facts.trees import Left
from harness.facts.turns import AgentPin, Call, Conversation, Heard, Stop, Tools, Turn
from harness.facts.workbench import Command, Ran
from harness.runs.exchange import hold_exchange

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
USAGE = Usage(input=100, cache_read=1_000, cache_write=200, output=50)
PRICES = PriceList(
    model="m",
    tiers=(
        Price(
            from_tokens=0,
            input=2_000_000,
            cache_read=200_000,
            cache_write=2_500_000,
            output=10_000_000,
        ),
    ),
)
WIDE = Caps(exchange=10**9, item=10**9, repo_day=10**9, day=10**9)
NOTHING = Usage(input=0, cache_read=0, cache_write=0, output=0)
TURNED_AWAY = {
    "rate_limited",
    "unauthorised",
    "unpaid",
    "misconfigured",
    "bad_request",
    "bad_signature",
    "overflow",
}  # told by a status, before anything was made
GOOD = '{"summary": "done"}'
SCHEMAS = {"review": '{"type": "object", "description": "A review."}'}


class Killed(BaseException):
    """kill -9."""


class MemoryJournal:
    """What an exchange uses of the store, with the store's own rules about money."""

    def __init__(self) -> None:
        self.stored: dict[str, Exchange] = {}
        self.rows: dict[str, list[JournalRow]] = {}
        self.reserves: dict[tuple[str, int], tuple[str, int]] = {}
        self.others = Spend(exchange=0, item=0, repo_day=0, day=0)  # held by others
        self.die_after: int | None = None
        self.appended = 0

    def open_exchange(self, run_id: str, brief: Brief, at: datetime) -> Exchange:
        key = f"{brief.kind}-{brief.pin.agent}-{brief.round}-{brief.attempt}"
        if key not in self.stored:
            self.stored[key] = Exchange(
                id=key,
                run_id=run_id,
                brief=brief,
                created_at=at,
                result=None,
                reason="",
                not_before=None,
                spent=MicroDollars(0),
            )
            self.rows[key] = []
        return self.exchange(key)

    def exchange(self, exchange_id: str) -> Exchange:
        spent = MicroDollars(self.spent(exchange_id))
        return self.stored[exchange_id].model_copy(update={"spent": spent})

    def journal(self, exchange_id: str) -> tuple[JournalRow, ...]:
        return tuple(
            type(row).model_validate_json(row.model_dump_json()) for row in self.rows[exchange_id]
        )

    def append(self, exchange_id: str, row: JournalRow, at: datetime) -> None:
        match row:
            case Answered():
                self._settle(exchange_id, row.n, row.cost if row.turn.usage_known else None)
            case Failed():
                self._settle(exchange_id, row.n, row.cost)
            case Ended():
                ended = {"result": row.result, "reason": row.reason, "not_before": row.not_before}
                known = self.stored[exchange_id]
                self.stored[exchange_id] = known.model_copy(update=ended)
        self._store(exchange_id, row)

    def rest(self, exchange_id: str, reason: str) -> None:
        known = self.stored[exchange_id]
        self.stored[exchange_id] = known.model_copy(update={"reason": reason})

    def ask(
        self, exchange_id: str, asked: Asked, caps: Caps, day: str, at: datetime
    ) -> Literal["reserved", "held", "refused"]:
        for key, (state, bound) in self.reserves.items():
            if state == "open":
                self.reserves[key] = ("spent", bound)
        spent = self.spent(exchange_id)
        if spent + asked.bound > min(caps.exchange, caps.item, caps.repo_day, caps.day):
            return "refused"
        if spent + asked.bound + self.others.day > caps.day:
            return "held"
        self.reserves[exchange_id, asked.n] = ("open", asked.bound)
        self._store(exchange_id, asked)
        return "reserved"

    def spend(self, repo_id: int, item: int, exchange_id: str, day: str) -> tuple[Spend, Spend]:
        spent = self.spent(exchange_id)
        return Spend(exchange=spent, item=spent, repo_day=spent, day=spent), self.others

    def spent(self, exchange_id: str) -> int:
        known = self.reserves.items()
        return sum(n for (one, _), (state, n) in known if one == exchange_id and state == "spent")

    def _settle(self, exchange_id: str, n: int, cost: int | None) -> None:
        _, bound = self.reserves[exchange_id, n]
        self.reserves[exchange_id, n] = ("spent", bound if cost is None else cost)

    def _store(self, exchange_id: str, row: JournalRow) -> None:
        self.rows[exchange_id].append(row)
        self.appended += 1
        if self.die_after == self.appended:
            raise Killed


class ScriptedTurns:
    """Answers in the order of its script; killed while asking, it will answer the same again."""

    def __init__(self, script: Iterable[Turn | VendorError]) -> None:
        self.script = list(script)
        self.asked: list[Conversation] = []
        self.die_at: int | None = None

    def ask(self, conversation: Conversation) -> Turn:
        self.asked.append(conversation)
        if self.die_at == len(self.asked):
            raise Killed
        answer = self.script.pop(0)
        if isinstance(answer, VendorError):
            raise answer
        return answer

    def find_model(self, model: str) -> None:
        raise AssertionError(model)

    def input_bound(self, conversation: Conversation) -> int:
        return len(conversation.model_dump_json()) + 2_000


class FakeClock:
    """Waiting advances it."""

    def __init__(self) -> None:
        self.time = NOON
        self.waited: list[float] = []

    def now(self) -> datetime:
        return self.time

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.time += timedelta(seconds=seconds)

    def monotonic(self) -> float:
        return 0.0


class FakeBench:
    """Says what it ran; `answers` override by command text."""

    def __init__(self) -> None:
        self.ran: list[Command] = []
        self.opened = 0
        self.answers: dict[str, Ran] = {}
        self.die_at: int | None = None

    @contextmanager
    def open(self) -> Iterator[FakeBench]:
        self.opened += 1
        yield self

    def run(self, command: Command) -> Ran:
        self.ran.append(command)
        if self.die_at == len(self.ran):
            raise Killed
        plain = Ran(exit=0, output=f"ran {command.argv[-1]}\n", seconds=0.1, stopped_by="")
        return self.answers.get(command.argv[-1], plain)


class Saying:
    """Turns and errors, made short."""

    def turn(
        self,
        *calls: Call,
        text: str = "",
        stop: Stop | None = None,
        usage: Usage = USAGE,
        known: bool = True,
    ) -> Turn:
        said = [call.model_dump() for call in calls]
        return Turn(
            content=json.dumps([{"text": text}, *said]),
            text=text,
            calls=calls,
            stop=stop or (Stop.CALLS if calls else Stop.END),
            usage=usage,
            usage_known=known,
            model="m",
            request_id="r",
        )

    def shell(self, command: str, call_id: str = "c1") -> Call:
        arguments = json.dumps({"command": command, "timeout_seconds": 0})
        return Call(id=call_id, tool="shell", name="bash", arguments=arguments)

    def reply(self, text: str = GOOD, call_id: str = "r1") -> Call:
        return Call(id=call_id, tool="reply", name="reply", arguments=text)

    def fail(
        self,
        reason: VendorReason,
        *,
        after: float | None = None,
        usage: Usage | None = None,
    ) -> VendorError:
        when = None if after is None else NOON + timedelta(seconds=after)
        used = usage or (NOTHING if reason in TURNED_AWAY else None)
        told = used.model_dump_json() if used else ""
        return VendorError("it failed", reason=reason, not_before=when, usage_json=told)


class Progress:
    def __init__(self) -> None:
        self.steps: list[str] = []
        self.money: list[int] = []

    def step(self, item: int, text: str, *, round_: int = 0) -> None:
        self.steps.append(text)

    def spent(self, item: int, tokens: int, micro_dollars: int) -> None:
        self.money.append(micro_dollars)


class World:
    """One exchange and all that it touches."""

    good = GOOD
    say = Saying()
    usage = USAGE
    prices = PRICES

    def __init__(
        self,
        *script: Turn | VendorError,
        tools: Tools = Tools.READ,
        caps: Caps = WIDE,
        limits: ExchangeLimits | None = None,
    ) -> None:
        self.store = MemoryJournal()
        self.turns = ScriptedTurns(script)
        self.clock = FakeClock()
        self.bench = FakeBench()
        self.progress = Progress()
        self.caps = caps
        self.limits = limits or ExchangeLimits()
        self.tree = "tree-0"
        self.judge: Callable[[str], Judgement] = self._judge
        self.brief = Brief(
            kind=ExchangeKind.REVIEW,
            repo_id=7,
            item=12,
            round=1,
            attempt=1,
            pin=AgentPin(agent="first", provider="anthropic", model="m", effort="medium"),
            head="h" * 40,
            base="b" * 40,
            decision="",
            system="You review.",
            prompt="exchange: review o/r#12 round 1",
            tools=tools,
            reply_name="review",
            handles=HandleMap(handles=()),
            required_handles=(),
            optional_handles=(),
            citable=(),
        )

    def hold(self, store: Journal | None = None) -> Held:
        """By the journal in memory, or by the store that is given."""
        editing = self.brief.tools is Tools.EDIT
        return hold_exchange(
            self.brief,
            run_id="run",
            store=store or self.store,
            turns=self.turns,
            bench=None if self.brief.tools is Tools.NOTHING else self.bench.open,
            judge=self.judge,
            left=lambda: Left(tree_sha=self.tree, changed=()) if editing else None,
            clock=self.clock,
            caps=self.caps,
            prices=PRICES,
            limits=self.limits,
            schemas=SCHEMAS,
            editor=Editor(python="python3", program="pass"),
            scrub=lambda text: text.replace("hunter2", "[masked]"),
            progress=self.progress,
        )

    def hold_through_kills(self) -> Held:
        """Start again after every kill."""
        while True:
            try:
                return self.hold()
            except Killed:
                self.store.die_after = self.turns.die_at = self.bench.die_at = None

    def hold_once(self, store: Journal | None = None) -> Held | None:
        """None when it was killed."""
        try:
            return self.hold(store)
        except Killed:
            return None

    def rows(self) -> list[JournalRow]:
        (rows,) = self.store.rows.values()
        return rows

    def row_names(self) -> list[str]:
        return [row.row for row in self.rows()]

    def said_last(self) -> str:
        """What the last request said after the agent's last turn."""
        messages = self.turns.asked[-1].messages
        after = [one for one in messages if not isinstance(one, Heard)][-1]
        return after.model_dump_json()

    @staticmethod
    def _judge(text: str) -> Judgement:
        """A reply is an object with a summary; `faulty` names points that do not check."""
        try:
            reply = json.loads(text)
            _ = reply["summary"]
        except (ValueError, KeyError, TypeError):
            return Judgement(shape=("the reply is no object with a summary",), claims=())
        faulty = tuple(ClaimFault(point=p, what="no such line") for p in reply.get("faulty", ()))
        return Judgement(shape=(), claims=faulty)


@pytest.fixture(scope="session")
def new_world() -> type[World]:
    return World
