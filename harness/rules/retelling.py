"""The journal of an exchange, told again: the conversation so far and what is still undone.

The conversation is a function of brief and journal alone, so that an exchange resumed after a kill
says the same bytes. Turns that are not kept: one that was cut off (it is asked again), and all of
them once the vendor refused their signatures (the exchange starts anew from its brief).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from harness.errors import TURNED_AWAY
from harness.facts.journal import (
    Answered,
    Asked,
    Brief,
    Done,
    Ended,
    Failed,
    JournalRow,
    Nudged,
    Repaired,
    Replied,
    Started,
)
from harness.facts.turns import Call, CallResult, Heard, Message, Prompted, Returned, Stop, Turn
from harness.rules.same_call import SEEN, Seen, see

SUPERSEDED = "Another reply of the same turn was looked at instead of this one."
NOT_RUN = "This call was not run."
INTERRUPTED = "interrupted: may have happened in part, look before you repeat"


@dataclass(frozen=True)
class Latest:
    """The turn that is being worked off: its finished calls, and what was said about it."""

    turn: Turn
    done: tuple[Done, ...] = ()
    started: bool = False
    said: Repaired | Nudged | None = None

    @property
    def pending(self) -> tuple[Call, ...]:
        """Calls that are not answered yet, in order, the reply left out."""
        work = tuple(call for call in self.turn.calls if call.tool != "reply")
        return work[len(self.done) :]

    @property
    def is_paused(self) -> bool:
        """Whether the vendor only wants to be asked on."""
        return self.turn.stop is Stop.PAUSED and not self.turn.calls

    @property
    def replies(self) -> tuple[Call, ...]:
        """The calls that reply."""
        return tuple(call for call in self.turn.calls if call.tool == "reply")


@dataclass(frozen=True)
class Story:
    """An exchange as far as its journal tells it."""

    messages: tuple[Message, ...]
    latest: Latest | None = None
    asked: Asked | None = None
    lost: int = 0  # requests in a row of which nothing was heard
    failed: Failed | None = None  # the newest request failed so
    failures: int = 0  # in a row, those that may pass by themselves
    anew: int = 0
    asks: int = 0
    turns: int = 0
    cut_off: tuple[Turn, ...] = ()  # in a row
    repaired: bool = False
    nudged: bool = False
    seen: tuple[Seen, ...] = ()
    told: bool = False  # that it makes the same call again and again
    replied: Replied | None = None
    ended: Ended | None = None
    counted: int = 0
    since: int = 0

    @property
    def in_doubt(self) -> bool:
        """Whether a request was made and nothing was heard of it."""
        return self.lost > 0


def retell(brief: Brief, journal: tuple[JournalRow, ...]) -> Story:
    """The story of an exchange; rows that make no sense where they stand change nothing."""
    story = Story(messages=(Prompted(text=brief.prompt),))
    for row in journal:
        story = _tell(story, row, brief)
    return story


def close_turn(story: Story) -> Story:
    """The story with its latest turn and our answer to it in the conversation."""
    if story.latest is None:
        return story
    turn = story.latest.turn
    answer = _answer(story.latest)
    usage = turn.usage
    return replace(
        story,
        messages=(*story.messages, Heard(content=turn.content), *answer),
        latest=None,
        counted=usage.total_input + usage.output if turn.usage_known else 0,
        since=sum(len(message.model_dump_json().encode()) for message in answer),
    )


def _tell(story: Story, row: JournalRow, brief: Brief) -> Story:
    match row:
        case Asked():
            return replace(close_turn(story), asked=row, lost=story.lost + 1, asks=story.asks + 1)
        case Answered():
            return _hear(story, row.turn)
        case Failed():
            return _fail(story, row, brief)
        case Started() | Done() | Repaired() | Nudged():
            return story if story.latest is None else _work(story, story.latest, row)
        case Replied():
            return replace(story, replied=row)
        case Ended():
            return replace(story, ended=row)
        case _:
            assert_never(row)


def _hear(story: Story, turn: Turn) -> Story:
    heard = replace(story, lost=0, failed=None, failures=0, turns=story.turns + 1)
    if turn.stop is Stop.TRUNCATED:
        return replace(heard, cut_off=(*story.cut_off, turn))
    return replace(heard, latest=Latest(turn), cut_off=())


def _fail(story: Story, row: Failed, brief: Brief) -> Story:
    if row.why in TURNED_AWAY:
        return replace(story, lost=0, failed=row)
    failed = replace(story, lost=0, failed=row, failures=story.failures + 1)
    if row.why != "bad_signature":
        return failed
    return replace(
        failed,
        messages=(Prompted(text=brief.prompt),),
        anew=story.anew + 1,
        failures=0,
        cut_off=(),
        seen=(),
        counted=0,
        since=0,
    )


def _work(story: Story, latest: Latest, row: Started | Done | Repaired | Nudged) -> Story:
    match row:
        case Started():
            return replace(story, latest=replace(latest, started=True))
        case Done():
            if not latest.pending:
                return story
            return replace(
                story,
                latest=replace(latest, done=(*latest.done, row), started=False),
                seen=_see(story, latest.pending[0], row),
                told=story.told or row.result.output == SEEN,
            )
        case Repaired():
            return replace(story, latest=replace(latest, said=row), repaired=True)
        case Nudged():
            return replace(story, latest=replace(latest, said=row), nudged=True)
        case _:
            assert_never(row)


def _see(story: Story, call: Call, row: Done) -> tuple[Seen, ...]:
    """An interrupted call told nothing: making it again is not the same again."""
    if row.result.output == INTERRUPTED:
        return story.seen
    return see(story.seen, call, row.tree)


def _answer(latest: Latest) -> tuple[Message, ...]:
    if latest.turn.calls:
        return (Returned(results=_results(latest)),)
    match latest.said:
        case Repaired(complaint=text) | Nudged(text=text):
            return (Prompted(text=text),)
        case None:
            return ()
        case _:
            assert_never(latest.said)


def _results(latest: Latest) -> tuple[CallResult, ...]:
    done = iter(latest.done)
    results = []
    for call in latest.turn.calls:
        if call.tool == "reply":
            results.append(_on_reply(call, latest.said))
            continue
        row = next(done, None)
        results.append(row.result if row else refuse(call, NOT_RUN))
    return tuple(results)


def _on_reply(call: Call, said: Repaired | Nudged | None) -> CallResult:
    if isinstance(said, Repaired) and said.call_id == call.id:
        return refuse(call, said.complaint)
    return refuse(call, SUPERSEDED)


def refuse(call: Call, why: str) -> CallResult:
    """The error result of a call that did nothing."""
    return CallResult(call_id=call.id, tool=call.tool, output=why, is_error=True)
