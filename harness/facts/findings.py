"""A claimed defect as the host records it, and the proof that goes with claims."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from harness.facts.places import Anchor
from harness.facts.value import Fact


class Severity(StrEnum):
    """How much a finding weighs; only blocking ones gate."""

    BLOCKING = "blocking"
    NON_BLOCKING = "non-blocking"
    NIT = "nit"


Category = Literal[
    "correctness",
    "security",
    "data",
    "performance",
    "tests",
    "maintainability",
    "architecture",
    "spec",
]


class Evidence(Fact):
    """A quote, a removed line or a command that was run; see `rules/evidence.py`."""

    kind: Literal["quote", "removed", "command"]
    file: str  # the command line for `command`
    line: int
    text: str


class NewIssue(Fact):
    """A defect of its own, written for somebody who picks it up cold."""

    problem: str
    reproduction: str
    impact: str
    expected: str


class Finding(Fact):
    """What one agent claims, at one head, with the handle it was given in that reply (F1, ...)."""

    handle: str
    raised_by: str
    head: str
    anchor: Anchor  # text "" where the finding is general
    title: str
    failure_scenario: str
    detail: str
    suggestion: str
    evidence: tuple[Evidence, ...]
    citations: tuple[str, ...]
    category: Category
    severity: Severity
    in_scope: bool
    issue: NewIssue | None
    fallen: str = ""  # why a claim of it did not check: recorded needs_human instead of open
