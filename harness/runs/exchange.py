"""One question to one agent, held to its end: reserve > ask > journal > run the calls > journal.

Every row is stored before it is acted on, and the next move follows from the rows alone
(rules/exchange.py), so that after a kill at any row the same exchange goes on where it stood: at
most the one request that was under way is made again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from typing import assert_never

from harness.doors.clock import Clock
from harness.doors.notify import Progress
from harness.doors.store import Journal
from harness.doors.turns import Turns
from harness.doors.workbench import Bench
from harness.errors import VendorError
from harness.facts.journal import (
    Answered,
    Asked,
    Brief,
    Done,
    Ended,
    Ending,
    Exchange,
    Failed,
    JournalRow,
    Nudged,
    Repaired,
    Replied,
    Started,
)
from harness.facts.judgement import Judgement
from harness.facts.money import Caps, PriceList
from harness.facts.moves import (
    Accept,
    AnswerCall,
    Ask,
    Complain,
    Editor,
    ExchangeLimits,
    Finish,
    Held,
    Judge,
    Nudge,
    Pause,
    RunCall,
    Wait,
)
from harness.facts.trees import Left
from harness.facts.turns import Call, ReplySchema
from harness.rules.budget import (
    bound_cost,
    bound_input,
    cost_of,
    day_of,
    read_partial_usage,
    word_refusal,
)
from harness.rules.calls import command_line, may_change_tree, plan_command, word_result
from harness.rules.exchange import after_judgement, is_overtaken, next_move
from harness.rules.patience import (
    HELD_LOOKS,
    HELD_PAUSE,
    HELD_SECONDS,
    choose_wait,
    find_not_before,
)

logger = logging.getLogger(__name__)


def hold_exchange(
    brief: Brief,
    *,
    run_id: str,
    store: Journal,
    turns: Turns,
    bench: Callable[[], AbstractContextManager[Bench]] | None,
    judge: Callable[[str], Judgement],
    left: Callable[[], Left | None],
    clock: Clock,
    caps: Caps,
    prices: PriceList,
    limits: ExchangeLimits,
    schemas: Mapping[str, str],
    editor: Editor,
    scrub: Callable[[str], str],
    progress: Progress,
) -> Held:
    """Ask this, or go on with the exchange that asks it already, by its own stored brief.

    Ends `superseded` when head, base or decision moved on since. Raises StoreError, and
    WorkbenchError or GitError from the bench and the tree: the exchange then stays open.
    """
    exchange = store.open_exchange(run_id, brief, clock.now())
    rows = store.journal(exchange.id)
    with ExitStack() as open_benches:
        sitting = _Sitting(
            exchange=exchange,
            rows=rows,
            store=store,
            turns=turns,
            open_bench=lambda: open_benches.enter_context(_given(bench)),
            judge=judge,
            left=left,
            clock=clock,
            caps=caps,
            prices=prices,
            limits=limits,
            reply=_read_schema(exchange.brief.reply_name, schemas),
            editor=editor,
            scrub=scrub,
            progress=progress,
        )
        if exchange.result is not None:
            return sitting.tell(exchange.result, exchange.reason)
        if is_overtaken(exchange.brief, brief):
            return sitting.end(
                Finish(ending=Ending.SUPERSEDED, reason="head, base or decision moved on")
            )
        return sitting.hold()


@dataclass
class _Sitting:
    """An exchange under way; `rows` is its journal as stored."""

    exchange: Exchange
    rows: tuple[JournalRow, ...]
    store: Journal
    turns: Turns
    open_bench: Callable[[], Bench]
    judge: Callable[[str], Judgement]
    left: Callable[[], Left | None]
    clock: Clock
    caps: Caps
    prices: PriceList
    limits: ExchangeLimits
    reply: ReplySchema
    editor: Editor
    scrub: Callable[[str], str]
    progress: Progress
    bench: Bench | None = field(default=None)

    def hold(self) -> Held:
        """One move after another."""
        while True:
            move = next_move(
                self.exchange.brief, self.exchange.id, self.reply, self.rows, self.limits
            )
            match move:
                case Ask():
                    stopped = self._ask(move)
                    if stopped:
                        return stopped
                case RunCall(call=call):
                    self._run_call(call)
                case AnswerCall(result=result):
                    self._append(Done(result=result, command="", seconds=0, tree=""))
                case Judge():
                    stopped = self._judge(move)
                    if stopped:
                        return stopped
                case Nudge(text=text):
                    self._append(Nudged(text=text))
                case Finish():
                    return self.end(move)
                case _:
                    assert_never(move)

    def end(self, finish: Finish) -> Held:
        """Store the ending and tell it."""
        self._append(
            Ended(result=finish.ending, reason=finish.reason, not_before=finish.not_before)
        )
        logger.info("exchange %s ended %s: %s", self.exchange.id, finish.ending, finish.reason)
        return self.tell(finish.ending, finish.reason)

    def tell(self, ending: Ending, reason: str) -> Held:
        """How it came out, from the journal."""
        replied = [row for row in self.rows if isinstance(row, Replied)]
        told = Held(exchange=self.store.exchange(self.exchange.id), ending=ending, reason=reason)
        if ending is not Ending.REPLIED or not replied:
            return told
        last = replied[-1]
        return told.model_copy(
            update={"reply_text": last.text, "fallen": last.fallen, "left": last.left}
        )

    def _ask(self, ask: Ask) -> Held | None:
        """Reserve, ask, store what came; how it came out where it goes no further."""
        match choose_wait(ask, self.clock.now()):
            case Pause() as pause:
                return self._pause(pause)
            case Wait(seconds=seconds):
                self.clock.wait(seconds)
            case None:
                pass
        stopped = self._reserve(ask)
        if stopped:
            return stopped
        brief = self.exchange.brief
        doing = f"{brief.pin.agent}: {brief.kind}, turn {ask.n}"
        self.progress.step(brief.item, doing, round_=brief.round)
        asked = self.rows[-1]
        assert isinstance(asked, Asked)
        try:
            turn = self.turns.ask(ask.conversation)
        except VendorError as error:
            self._append(self._failed(asked, ask, error))
            return None
        cost = cost_of(turn.usage, self.prices) if turn.usage_known else asked.bound
        self._append(Answered(n=ask.n, turn=turn, cost=cost))
        self.progress.spent(brief.item, turn.usage.total_input + turn.usage.output, cost)
        return None

    def _reserve(self, ask: Ask) -> Held | None:
        """Get the money held for this request, waiting for others' a while; `asked` is stored."""
        tokens = bound_input(ask, self.turns.input_bound(ask.conversation))
        bound = bound_cost(tokens, ask.max_tokens, self.prices)
        asked = Asked(n=ask.n, bound=bound, max_tokens=ask.max_tokens)
        for look in range(HELD_LOOKS + 1):
            now = self.clock.now()
            answer = self.store.ask(self.exchange.id, asked, self.caps, day_of(now), now)
            if answer == "reserved":
                self.rows = (*self.rows, asked)
                return None
            if answer == "refused":
                reason = self._word_refusal(asked)
                return self.end(Finish(ending=Ending.OUT_OF_BUDGET, reason=reason))
            if look < HELD_LOOKS:
                self.clock.wait(HELD_SECONDS)
        until = self.clock.now() + timedelta(seconds=HELD_PAUSE)
        return self._pause(Pause(not_before=until, reason=self._word_refusal(asked)))

    def _word_refusal(self, asked: Asked) -> str:
        brief, day = self.exchange.brief, day_of(self.clock.now())
        spent, reserved = self.store.spend(brief.repo_id, brief.item, self.exchange.id, day)
        return word_refusal(self.caps, spent, reserved, asked.bound)

    def _failed(self, asked: Asked, ask: Ask, error: VendorError) -> Failed:
        usage = read_partial_usage(error.reason, error.usage_json)
        said = self.scrub(str(error))
        logger.warning("exchange %s, turn %d: %s: %s", self.exchange.id, ask.n, error.reason, said)
        return Failed(
            n=asked.n,
            why=error.reason,
            detail=said,
            usage=usage,
            not_before=find_not_before(ask.failures + 1, error, self.clock.now()),
            cost=cost_of(usage, self.prices) if usage else None,
        )

    def _run_call(self, call: Call) -> None:
        bench = self.bench or self.open_bench()
        self.bench = bench
        self._append(Started(call_id=call.id))
        ran = bench.run(plan_command(call, self.editor, self.limits))
        tree = self._find_tree() if may_change_tree(call) else ""
        result = word_result(call, ran.model_copy(update={"output": self.scrub(ran.output)}))
        row = Done(result=result, command=command_line(call), seconds=ran.seconds, tree=tree)
        self._append(row)

    def _find_tree(self) -> str:
        """The tree that a command left; where nothing can be left, the head it ran at."""
        left = self.left()
        return left.tree_sha if left else self.exchange.brief.head

    def _judge(self, move: Judge) -> Held | None:
        decided = after_judgement(move, self.judge(move.text))
        match decided:
            case Complain(text=text, call_id=call_id):
                self._append(Repaired(complaint=text, call_id=call_id))
            case Accept(text=text, call_id=call_id, fallen=fallen):
                left = self.left()
                self._append(Replied(text=text, call_id=call_id, fallen=fallen, left=left))
            case Finish():
                return self.end(decided)
            case _:
                assert_never(decided)
        return None

    def _pause(self, pause: Pause) -> Held:
        exchange = self.store.exchange(self.exchange.id)
        return Held(
            exchange=exchange, ending=None, reason=pause.reason, waiting_until=pause.not_before
        )

    def _append(self, row: JournalRow) -> None:
        self.store.append(self.exchange.id, row, self.clock.now())
        self.rows = (*self.rows, row)


def _given(
    bench: Callable[[], AbstractContextManager[Bench]] | None,
) -> AbstractContextManager[Bench]:
    assert bench is not None, "an exchange with tools needs a bench"
    return bench()


def _read_schema(name: str, schemas: Mapping[str, str]) -> ReplySchema:
    text = schemas[name]
    description = str(json.loads(text).get("description", ""))
    return ReplySchema(name=name, description=description, schema_text=text)
