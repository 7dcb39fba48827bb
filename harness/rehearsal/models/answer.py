"""What both APIs do with a question: ask the script, let a fault in, count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from harness.rehearsal.models.faults import (
    BadSignature,
    Empty,
    Fault,
    Faults,
    Overflow,
    Overloaded,
    Prose,
    RateLimited,
    Status,
)
from harness.rehearsal.models.refusal import Refusal
from harness.rehearsal.models.script import HEADLINE, Counted, Question, Said, Script, say
from harness.rehearsal.models.tokens import Split

Json = dict[str, Any]  # Any: JSON in a vendor's own shape

ANSWERED_BY_STATUS = (Overloaded, RateLimited, BadSignature, Status)
_BEFORE_A_FAULT = say("I was going to say something.")


@dataclass(frozen=True)
class Answer:
    """What goes back: whole, or as events; a fault may still cut the connection."""

    question: Question
    whole: Json
    events: Iterator[Json] | None  # None: not streamed
    used: Counted
    fault: Fault | None
    given_up: Json  # the error event of a vendor that gives up in mid-stream


def first_line(brief: str) -> str:
    """The headline of a brief."""
    return brief.partition("\n")[0].removeprefix(HEADLINE)


def consult(script: Script, faults: Faults, question: Question) -> tuple[Said, Fault | None]:
    """What the script says and the fault that hits it, from the board or from the script."""
    fault = faults.take(question)
    match fault:
        case Empty():
            return Said(()), fault
        case Prose(text):
            return say(text), fault
        case _ if isinstance(fault, ANSWERED_BY_STATUS) or fault == Overflow(late=False):
            return _BEFORE_A_FAULT, fault
    told = script(question)
    if isinstance(told, Said):
        return told, fault
    match told:
        case Empty():
            return Said(()), told
        case Prose(text):
            return say(text), told
    return _BEFORE_A_FAULT, told


def counted(said: Said, split: Split, output: int) -> Counted:
    """What the turn costs: as the script claims, else as estimated."""
    return said.counted or Counted(split.plain, split.read, split.write, output)


def too_long(kind: str, tokens: int, window: int) -> Refusal:
    """The prompt does not fit."""
    return Refusal(400, kind, f"prompt is too long: {tokens} tokens > {window} maximum")
