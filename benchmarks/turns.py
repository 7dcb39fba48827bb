"""The harness's own time per model turn, and the share of input tokens that come from the cache.

One exchange of 20 turns against the model double: a brief of 10,000 tokens, growing by 1,000 each.
The time of the model (the double) and of the command is measured beside and taken off.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

from measuring import say

from harness.edges.anthropic_turns import AnthropicTurns
from harness.edges.clock import SystemClock
from harness.edges.editing import read_editor
from harness.edges.openai_turns import OpenAITurns
from harness.edges.prices import read_prices
from harness.edges.store import SqliteStore
from harness.facts.decisions import Run
from harness.facts.journal import Answered, Brief, ExchangeKind, HandleMap
from harness.facts.judgement import Judgement
from harness.facts.moves import ExchangeLimits
from harness.facts.settings import LimitSettings
from harness.facts.turns import AgentPin, Conversation, Tools, Turn
from harness.facts.workbench import Command, Ran
from harness.rehearsal.models import ModelDouble, Tale, on, reply, shell
from harness.rehearsal.models import say as speak
from harness.rooms import read_schemas
from harness.rules.budget import caps_of
from harness.runs.exchange import hold_exchange

TURNS = 20
AT = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = "the quick brown fox jumps over the lazy dog and comes back again "
APPROVE = {
    "findings": [],
    "rulings": [],
    "not_reviewed": [],
    "summary": "Fine.",
    "risk": "low",
    "next_action": "merge",
    "verdict": "approve",
}
AGENTS = (
    AgentPin(agent="claude", provider="anthropic", model="claude-opus-5-5", effort="medium"),
    AgentPin(agent="gpt", provider="openai", model="gpt-6.1-sol", effort="medium"),
)


class TimedTurns:
    """The vendor's edge, with what it took."""

    def __init__(self, turns: AnthropicTurns | OpenAITurns) -> None:
        self._turns = turns
        self.took: list[float] = []

    def ask(self, conversation: Conversation) -> Turn:
        began = time.perf_counter()
        try:
            return self._turns.ask(conversation)
        finally:
            self.took.append(time.perf_counter() - began)

    def input_bound(self, conversation: Conversation) -> int:
        return self._turns.input_bound(conversation)

    def close(self) -> None:
        self._turns.close()


class TimedBench:
    """A command that prints about 1,000 tokens, with what it took."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self._calls = 0

    def run(self, command: Command) -> Ran:  # noqa: ARG002 - whatever it is
        self._calls += 1
        output = f"run {self._calls}: " + WORDS * 60
        return Ran(exit=0, output=output[:3_600], seconds=0.0, stopped_by="")


class Silent:
    """Nobody watches."""

    def step(self, item: int, text: str, *, round_: int = 0) -> None: ...

    def spent(self, item: int, tokens: int, micro_dollars: int) -> None: ...


def hold(pin: AgentPin, store: SqliteStore, url: str) -> tuple[list[float], float, float]:
    """(seconds in the vendor's edge by turn, whole seconds, cached share)."""
    edge = AnthropicTurns if pin.provider == "anthropic" else OpenAITurns
    base = url if pin.provider == "anthropic" else f"{url}/v1"
    turns, clock = TimedTurns(edge(lambda: "key", base, clock=SystemClock())), SystemClock()
    bench = TimedBench()
    began = time.perf_counter()
    held = hold_exchange(
        _brief(pin),
        run_id="r",
        store=store,
        turns=turns,
        bench=lambda: nullcontext(bench),
        judge=lambda _text: Judgement(shape=(), claims=()),
        left=lambda: None,
        clock=clock,
        caps=caps_of(LimitSettings(dollars_exchange=50, dollars_item=50), LimitSettings(), 1),
        prices=read_prices(pin.model, pin.provider, {}, clock.now()),
        limits=ExchangeLimits(),
        schemas=read_schemas(),
        editor=read_editor(),
        scrub=lambda text: text,
        progress=Silent(),
    )
    whole = time.perf_counter() - began
    turns.close()
    answered = [r for r in store.journal(held.exchange.id) if isinstance(r, Answered)]
    cached = sum(row.turn.usage.cache_read for row in answered)
    total = sum(row.turn.usage.total_input for row in answered)
    return turns.took, whole, cached / total


def main() -> None:
    script = Tale(
        on("review *", *[speak(shell(f"look {n}")) for n in range(TURNS - 1)], reply(APPROVE))
    )
    for pin in AGENTS:
        overheads, shares, vendor = [], [], []
        for _ in range(5):
            with ModelDouble(script) as models, tempfile.TemporaryDirectory() as name:
                store = SqliteStore.open(Path(name) / "store.db")
                store.start_run(
                    Run(
                        id="r",
                        command="x",
                        dry=False,
                        started_at=AT,
                        ended_at=None,
                        exit_code=None,
                        reports=(),
                    )
                )
                took, whole, share = hold(pin, store, models.url)
                store.close()
            overheads.append((whole - sum(took)) / len(took) * 1000)
            vendor.append(statistics.median(took) * 1000)
            shares.append(share)
        name = pin.provider
        say(f"{name}: harness per turn (bar: < 15 ms)", f"{statistics.median(overheads):.1f} ms")
        say(f"{name}: SDK and double per turn", f"{statistics.median(vendor):.1f} ms")
        say(
            f"{name}: cached share over {TURNS} turns (bar: >= 90 %)",
            f"{statistics.median(shares):.1%}",
        )


def _brief(pin: AgentPin) -> Brief:
    prompt = "exchange: review ada/shop#1 round 1\n\n" + WORDS * 620
    return Brief(
        kind=ExchangeKind.REVIEW,
        repo_id=1,
        item=1,
        round=1,
        attempt=1,
        pin=pin,
        head="h" * 40,
        base="b" * 40,
        decision="",
        system="You review.",
        prompt=prompt,
        tools=Tools.READ,
        reply_name="review",
        handles=HandleMap(handles=()),
        required_handles=(),
        optional_handles=(),
        citable=(),
    )


if __name__ == "__main__":
    main()
