"""The steps of custody: who acts next on an item, and how."""

from __future__ import annotations

from datetime import datetime

from harness.facts.causes import Cause
from harness.facts.decisions import Outcome
from harness.facts.value import Fact


class Implement(Fact):
    """Ask `agent` to write the change."""

    agent: str
    round: int
    attempt: int


class CheckBase(Fact):
    """Run the check on the base first, so that a red base is known."""

    sha: str


class Commit(Fact):
    """Commit what this exchange left in its work tree."""

    exchange_id: str
    agent: str


class Check(Fact):
    """Run the check on a commit."""

    sha: str


class Push(Fact):
    """Push the head; `expected` is the tip it replaces, "" for a new branch."""

    sha: str
    expected: str


class Open(Fact):
    """Open the pull request."""

    sha: str


class Review(Fact):
    """Ask the agent that did not move HEAD to review it."""

    agent: str
    sha: str
    round: int
    attempt: int


class Close(Fact):
    """The closing pass: the rounds are used up, something landed since the last review."""

    agent: str
    sha: str
    round: int
    attempt: int


class Same(Fact):
    """Ask the raiser whether held findings are settled points in other words."""

    agent: str
    review_id: str
    round: int
    attempt: int


class FixOwn(Fact):
    """The reviewer mends what it found itself."""

    agent: str
    sha: str
    round: int
    attempt: int


class Respond(Fact):
    """The author answers the open blocking findings."""

    agent: str
    sha: str
    round: int
    attempt: int


class FixCheck(Fact):
    """The author answers a red check (or red required checks of the forge)."""

    agent: str
    sha: str
    round: int
    attempt: int


class Rebut(Fact):
    """HEAD did not move: the other agent answers what was claimed."""

    agent: str
    sha: str
    round: int
    attempt: int


class Update(Fact):
    """Merge the base in; a conflict is one exchange of the author."""

    agent: str
    sha: str
    base: str
    round: int
    attempt: int


class AwaitChecks(Fact):
    """The forge's own checks of the head are not all there yet."""

    sha: str
    until: datetime


class Approve(Fact):
    """Say that this head is approved."""

    sha: str


class Merge(Fact):
    """Merge, pinned to the approved head."""

    sha: str


class Escalate(Fact):
    """Call a person, once."""

    reason: str
    cause: Cause
    exchange_id: str = ""  # the exchange whose work tree is kept for them, where one is


class Wait(Fact):
    """Nothing to do before `until` (None: until something changes)."""

    reason: str
    until: datetime | None


class Abandon(Fact):
    """The work on this item ends: declined, changed nothing, closed by a person, done elsewhere."""

    outcome: Outcome
    reason: str
    exchange_id: str = ""  # the reply whose reason is posted, for declined


Step = (
    Implement
    | CheckBase
    | Commit
    | Check
    | Push
    | Open
    | Review
    | Close
    | Same
    | FixOwn
    | Respond
    | FixCheck
    | Rebut
    | Update
    | AwaitChecks
    | Approve
    | Merge
    | Escalate
    | Wait
    | Abandon
)
