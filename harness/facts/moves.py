"""What comes next in an exchange, and how holding it came out."""

from __future__ import annotations

from datetime import datetime

from harness.facts.journal import Ending, Exchange
from harness.facts.judgement import ClaimFault
from harness.facts.settings import LimitSettings
from harness.facts.trees import Left
from harness.facts.turns import Call, CallResult, Conversation
from harness.facts.value import Fact


class ExchangeLimits(Fact):
    """What bounds one exchange beside money."""

    turns: int = 60
    tool_output_tokens: int = 8_000
    reply_tokens: int = 32_000
    command_seconds: float = 600
    result_bytes: int = 30_000

    @classmethod
    def of(cls, limits: LimitSettings) -> ExchangeLimits:
        """The part of the operator's limits that an exchange looks at."""
        return cls(
            turns=limits.turns,
            tool_output_tokens=limits.tool_output_tokens,
            reply_tokens=limits.reply_tokens,
            command_seconds=limits.command_minutes * 60,
            result_bytes=limits.result_bytes,
        )


class Editor(Fact):
    """The program that views and edits files inside the workbench, and who runs it there."""

    python: str  # an interpreter's path as the workbench sees it
    program: str  # its source, sent with every call


class Ask(Fact):
    """Send this conversation.

    `failures` in a row went before, the last of which said `failed` and `not_before`. `counted` is
    what the vendor counted up to the end of the last turn (tokens, 0: nothing yet), `since` the
    bytes said after it.
    """

    conversation: Conversation
    n: int
    not_before: datetime | None = None
    failures: int = 0
    failed: str = ""
    counted: int = 0
    since: int = 0

    @property
    def max_tokens(self) -> int:
        """The output bound of this request."""
        return self.conversation.max_tokens


class RunCall(Fact):
    """Run this tool call in the workbench."""

    call: Call


class AnswerCall(Fact):
    """Answer this tool call without running it: interrupted, refused, or seen too often."""

    result: CallResult


class Judge(Fact):
    """A complete reply lies there; `repairable` while a complaint about it may still be sent."""

    text: str
    call_id: str
    repairable: bool


class Nudge(Fact):
    """The turn ended without a reply: remind, once."""

    text: str


class Complain(Fact):
    """Send the one complaint about a reply."""

    text: str
    call_id: str


class Accept(Fact):
    """This reply counts, without the points that fell."""

    text: str
    call_id: str
    fallen: tuple[ClaimFault, ...]


class Finish(Fact):
    """The exchange is over."""

    ending: Ending
    reason: str
    not_before: datetime | None = None


class Wait(Fact):
    """Wait this long, then ask."""

    seconds: float


class Pause(Fact):
    """Leave the exchange open; the item waits until then."""

    not_before: datetime
    reason: str


Move = Ask | RunCall | AnswerCall | Judge | Nudge | Finish


class Held(Fact):
    """How holding an exchange came out; `ending` None: it stays open until `waiting_until`.

    Only REPLIED has a reply; `left` is what an exchange that may edit left in its work tree.
    """

    exchange: Exchange
    ending: Ending | None
    reason: str
    reply_text: str = ""
    fallen: tuple[ClaimFault, ...] = ()
    left: Left | None = None
    waiting_until: datetime | None = None
