"""The journal of an exchange: append-only rows from which the next move follows."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from harness.facts.judgement import ClaimFault
from harness.facts.money import MicroDollars, Usage
from harness.facts.trees import Left
from harness.facts.turns import AgentPin, CallResult, Tools, Turn
from harness.facts.value import Fact


class ExchangeKind(StrEnum):
    """One question to an agent with a strict reply."""

    TRIAGE = "triage"
    IMPLEMENT = "implement"
    REVIEW = "review"
    CLOSE = "close"
    RESPOND = "respond"
    FIX_OWN = "fix_own"
    FIX_CHECK = "fix_check"
    UPDATE = "update"
    REBUT = "rebut"
    SAME = "same"
    ADJUDICATE = "adjudicate"
    SCREEN = "screen"
    CHECKIN = "checkin"
    CHECKIN_CHECK = "checkin_check"
    CHECKIN_FIX = "checkin_fix"


class Ending(StrEnum):
    """How an exchange ended; only `replied` is a valid answer."""

    REPLIED = "replied"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    INVALID = "invalid"
    ENDLESS = "endless"  # tool calls without end, or the same call again and again
    OVERFLOW = "overflow"
    UNREACHABLE = "unreachable"  # overload, rate limit, dead connection: try again not before
    UNUSABLE = "unusable"  # a request the vendor refuses, whoever asks
    OUT_OF_BUDGET = "out_of_budget"
    SUPERSEDED = "superseded"  # head, base or decision moved on while it was asked


class HandleMap(Fact):
    """Which entry, issue or comment each handle stood for in this exchange."""

    handles: tuple[tuple[str, str], ...]

    def target(self, handle: str) -> str:
        """What the handle stands for; KeyError when it was not given."""
        return dict(self.handles)[handle]


class Brief(Fact):
    """What an exchange asks, complete: enough to resume it with identical bytes."""

    kind: ExchangeKind
    repo_id: int
    item: int  # an issue or pull request number; 0 for triage
    round: int
    attempt: int  # 1, 2, ... of the same question (`try` in SQL)
    pin: AgentPin
    head: str
    base: str
    decision: str  # hash of the decision or approved text it stands on; "" where none
    system: str
    prompt: str
    tools: Tools
    reply_name: str
    handles: HandleMap
    required_handles: tuple[str, ...]  # each to be answered exactly once
    optional_handles: tuple[str, ...]  # may be answered (settled points in a review)
    branch: str = ""  # the branch of custody it belongs to; "" for triage
    heard: tuple[str, ...] = ()  # review only: keys of what people said, the text too
    citable: tuple[str, ...]  # ids of documents, rules and criteria that citations may name


class Asked(Fact):
    """A request is about to be sent; its reserve was made in the same transaction."""

    row: Literal["asked"] = "asked"
    n: int
    bound: MicroDollars
    max_tokens: int


class Answered(Fact):
    """A turn as received."""

    row: Literal["answered"] = "answered"
    n: int
    turn: Turn
    cost: MicroDollars


class Failed(Fact):
    """A request that brought no turn."""

    row: Literal["failed"] = "failed"
    n: int
    why: str  # a VendorReason
    detail: str
    usage: Usage | None
    not_before: datetime | None
    cost: MicroDollars | None = None  # of `usage`; None: unknown, the whole bound stays spent

    @property
    def words(self) -> str:
        """What failed, in one line: the reason's name, then what the vendor said."""
        return f"{self.why.replace('_', ' ')}: {self.detail}"


class Started(Fact):
    """A tool call is about to run."""

    row: Literal["started"] = "started"
    call_id: str


class Done(Fact):
    """A tool call has run; `tree` is the tree hash it left (or ran at)."""

    row: Literal["done"] = "done"
    result: CallResult
    command: str  # the command line, "" for view and edits
    seconds: float
    tree: str


class Repaired(Fact):
    """The one complaint about a reply."""

    row: Literal["repair"] = "repair"
    complaint: str
    call_id: str  # "" when the reply was text


class Nudged(Fact):
    """The one reminder to answer through `reply`."""

    row: Literal["nudged"] = "nudged"
    text: str


class Replied(Fact):
    """The reply that counts, as received."""

    row: Literal["replied"] = "replied"
    text: str
    call_id: str
    fallen: tuple[ClaimFault, ...]  # points that did not check, after the one repair
    left: Left | None  # what an exchange that may edit left in its work tree


class Ended(Fact):
    """The exchange is over."""

    row: Literal["ended"] = "ended"
    result: Ending
    reason: str
    not_before: datetime | None = None


JournalRow = Annotated[
    Asked | Answered | Failed | Started | Done | Repaired | Nudged | Replied | Ended,
    Field(discriminator="row"),
]


class Exchange(Fact):
    """An exchange with its brief, as the store keeps it."""

    id: str
    run_id: str
    brief: Brief
    created_at: datetime
    result: Ending | None  # None while it runs
    reason: str
    not_before: datetime | None
    spent: MicroDollars
