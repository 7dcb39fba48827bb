"""What the status comment of a pull request tells."""

from __future__ import annotations

from typing import Literal

from harness.facts.causes import Cause
from harness.facts.checks import Check
from harness.facts.decisions import Outcome
from harness.facts.entries import Standing
from harness.facts.value import Fact


class ReviewTold(Fact):
    """The newest valid review, as far as people are told of it."""

    agent: str
    head: str
    round: int
    summary: str
    not_reviewed: tuple[str, ...] = ()


class StatusFacts(Fact):
    """Everything the status comment is made of; `outcome` None while the work goes on."""

    number: int
    item: int
    head: str
    outcome: Outcome | None
    reason: str
    review: ReviewTold | None
    check: Check | None
    standings: tuple[Standing, ...]  # of this scope
    forge_red: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()  # entry ids of settled points that were raised again for nothing
    cause: Cause = Cause.ARGUMENT  # what a person is called for, where one is
    patch: str = ""  # where what could not be committed or pushed lies
    sandboxed: bool = True
    notes: tuple[str, ...] = ()  # single sentences that a reader has to know


StatusState = Literal["pending", "success", "failure", "error"]
