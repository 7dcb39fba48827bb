"""One question to one agent, held to its end: reserve > ask > journal > run the calls > journal.

Every row is stored before it is acted on, and the next move follows from the rows alone
(rules/exchange.py), so that after a kill at any row the same exchange goes on where it stood: at
most the one request that was under way is made again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from typing import assert_never

from harness.doors.clock import Clock
from harness.doors.notify import Progress
from harness.doors.store import Journal
from harness.doors.turns import Turns
from harness.doors.workbench import Bench
from harness.facts.journal import Brief, Done, Ending, Nudged, Repaired, Replied, Started
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
    RunCall,
)
from harness.facts.trees import Left
from harness.facts.turns import Call, ReplySchema
from harness.rules.calls import command_line, may_change_tree, plan_command, word_result
from harness.rules.exchange import after_judgement, is_overtaken, next_move
from harness.runs.paid_turn import ask_turn
from harness.runs.sitting import Sitting

_OVERTAKEN = Finish(ending=Ending.SUPERSEDED, reason="head, base or decision moved on")


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

    It ends `superseded` when head, base or decision moved on since. Raises StoreError, VendorError
    where the vendor turns the agent away, and WorkbenchError or GitError from the bench and the
    tree: the exchange then stays open.
    """
    exchange = store.open_exchange(run_id, brief, clock.now())
    with ExitStack() as benches:
        sitting = Sitting(
            exchange=exchange,
            rows=store.journal(exchange.id),
            store=store,
            turns=turns,
            open_bench=_open_once(bench, benches),
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
            return sitting.end(_OVERTAKEN)
        held = None
        while held is None:
            held = _make_move(sitting)
        return held


def _make_move(sitting: Sitting) -> Held | None:
    """The next move; how it came out when that was the last one for now."""
    exchange = sitting.exchange
    move = next_move(exchange.brief, exchange.id, sitting.reply, sitting.rows, sitting.limits)
    match move:
        case Ask():
            return ask_turn(sitting, move)
        case RunCall(call=call):
            _run_call(sitting, call)
        case AnswerCall(result=result):
            sitting.append(Done(result=result, command="", seconds=0, tree=""))
        case Judge():
            return _judge(sitting, move)
        case Nudge(text=text):
            sitting.append(Nudged(text=text))
        case Finish():
            return sitting.end(move)
        case _:
            assert_never(move)
    return None


def _run_call(sitting: Sitting, call: Call) -> None:
    bench = sitting.open_bench()
    sitting.append(Started(call_id=call.id))
    ran = bench.run(plan_command(call, sitting.editor, sitting.limits))
    tree = _find_tree(sitting) if may_change_tree(call) else ""
    result = word_result(call, ran.model_copy(update={"output": sitting.scrub(ran.output)}))
    done = Done(result=result, command=command_line(call), seconds=ran.seconds, tree=tree)
    sitting.append(done)


def _find_tree(sitting: Sitting) -> str:
    """The tree that a command left; where nothing can be left, the head it ran at."""
    left = sitting.left()
    return left.tree_sha if left else sitting.exchange.brief.head


def _judge(sitting: Sitting, move: Judge) -> Held | None:
    decided = after_judgement(move, sitting.judge(move.text))
    match decided:
        case Complain(text=text, call_id=call_id):
            sitting.append(Repaired(complaint=text, call_id=call_id))
        case Accept(text=text, call_id=call_id, fallen=fallen):
            left = sitting.left()
            sitting.append(Replied(text=text, call_id=call_id, fallen=fallen, left=left))
        case Finish():
            return sitting.end(decided)
        case _:
            assert_never(decided)
    return None


def _open_once(
    bench: Callable[[], AbstractContextManager[Bench]] | None, benches: ExitStack
) -> Callable[[], Bench]:
    """The bench, made at the first call that needs one and closed with the exchange."""
    opened: list[Bench] = []

    def open_bench() -> Bench:
        if not opened:
            assert bench is not None, "an exchange with tools needs a bench"
            opened.append(benches.enter_context(bench()))
        return opened[0]

    return open_bench


def _read_schema(name: str, schemas: Mapping[str, str]) -> ReplySchema:
    text = schemas[name]
    description = str(json.loads(text).get("description", ""))
    return ReplySchema(name=name, description=description, schema_text=text)
