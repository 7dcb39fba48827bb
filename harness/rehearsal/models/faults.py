"""How a model API can fail, and the board on which tests switch it on."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.rehearsal.models.script import Question


@dataclass(frozen=True)
class Truncated:
    """The answer stops at the token limit, with this share of it said."""

    share: float = 0.5


@dataclass(frozen=True)
class Refuses:
    """The model says no; `filtered`: a safety system stops it after some of the answer."""

    filtered: bool = False


@dataclass(frozen=True)
class Paused:
    """The vendor interrupts a long turn and wants it back as it is (Anthropic only)."""


@dataclass(frozen=True)
class Empty:
    """The turn ends without a word."""


@dataclass(frozen=True)
class Prose:
    """The turn is plain text where a reply was asked for."""

    text: str = "I have looked at it and it all seems fine to me."


@dataclass(frozen=True)
class Overflow:
    """The context window is exceeded; `late`: found out while answering."""

    late: bool = False


@dataclass(frozen=True)
class Overloaded:
    """No capacity, told by the status."""

    status: int = 529


@dataclass(frozen=True)
class GivesUp:
    """No capacity, told by an error event after some of the answer."""

    after_events: int = 4


@dataclass(frozen=True)
class Fails:
    """The response ends as failed, with this code (OpenAI; Anthropic gives up instead)."""

    code: str = "server_error"


@dataclass(frozen=True)
class RateLimited:
    """Too many requests; `retry_after` is sent as it is: seconds, an HTTP date, "" for none."""

    retry_after: str = "7200"


@dataclass(frozen=True)
class BadSignature:
    """The vendor does not recognise its own thinking."""


@dataclass(frozen=True)
class Dead:
    """The connection breaks after some events."""

    after_events: int = 4


@dataclass(frozen=True)
class Silent:
    """The stream ends properly, without saying that the answer is whole."""

    after_events: int = 4


@dataclass(frozen=True)
class Slow:
    """The answer comes after real seconds of nothing."""

    seconds: float = 1.0


@dataclass(frozen=True)
class Status:
    """Any other error status, with its type (Anthropic) or code (OpenAI)."""

    status: int
    type: str
    message: str = "scripted"


Fault = (
    Truncated
    | Refuses
    | Paused
    | Empty
    | Prose
    | Overflow
    | Overloaded
    | GivesUp
    | Fails
    | RateLimited
    | BadSignature
    | Dead
    | Silent
    | Slow
    | Status
)


@dataclass
class _Switch:
    fault: Fault
    left: int
    headline: str
    model: str
    turn: int | None

    def fits(self, question: Question) -> bool:
        return (
            self.left > 0
            and fnmatchcase(question.headline, self.headline)
            and fnmatchcase(question.model, self.model)
            and self.turn in {None, question.turn}
        )


class Faults:
    """The board; a switch goes off by itself after its number of times."""

    def __init__(self) -> None:
        self._switches: list[_Switch] = []
        self._lock = threading.Lock()  # a switch is taken by exactly one request at a time

    def switch_on(
        self, fault: Fault, *, times: int, headline: str, model: str, turn: int | None
    ) -> None:
        """Fail the next `times` questions that fit."""
        with self._lock:
            self._switches.append(_Switch(fault, times, headline, model, turn))

    def take(self, question: Question) -> Fault | None:
        """The fault that hits this question, if any."""
        with self._lock:
            switch = next((one for one in self._switches if one.fits(question)), None)
            if switch is None:
                return None
            switch.left -= 1
            return switch.fault
