"""What triage decides, and how an item ends."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from harness.facts.value import Fact

Complexity = Literal["s", "m", "l"]
Risk = Literal["low", "medium", "high"]


class Opinion(Fact):
    """What one agent thinks of one issue."""

    agent: str
    issue: int
    reason: str
    depends_on: tuple[int, ...]
    complexity: Complexity
    risk: Risk
    tracker: bool
    worth_doing: bool


class Decision(Fact):
    """What both opinions come to; `made_on` is the hash of what they were formed on."""

    repo_id: int
    issue: int
    verdict: Literal["scheduled", "declined", "contested", "unjudged"]
    opinions: tuple[Opinion, ...]
    complexity: Complexity
    risk: Risk
    depends_on: tuple[int, ...]
    made_on: str
    at: datetime


class Approval(Fact):
    """A person with write access allowed code to be written for this text of an issue."""

    repo_id: int
    item: int
    text_hash: str
    by: str
    at: datetime


class Outcome(StrEnum):
    """How an item stands at the end of a run."""

    APPROVED = "approved"
    MERGED = "merged"
    DECLINED = "declined"
    ABANDONED = "abandoned"
    CONTESTED = "contested"
    PARKED = "parked"
    ESCALATED = "escalated"
    NO_CHANGE = "no_change"
    UNJUDGED = "unjudged"
    WAITING = "waiting"
    WAITING_FOR_PREREQUISITE = "waiting_for_prerequisite"
    ERROR = "error"


class ItemReport(Fact):
    """One line of a run's report."""

    repo: str
    item: int
    title: str
    outcome: Outcome
    reason: str
    pull: int = 0
    not_before: datetime | None = None


class Run(Fact):
    """One call of a command that works, or one tick."""

    id: str
    command: str
    dry: bool
    started_at: datetime
    ended_at: datetime | None
    exit_code: int | None
    reports: tuple[ItemReport, ...]
