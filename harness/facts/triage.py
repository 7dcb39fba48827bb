"""What triage rules hand back: a selection, a permission, an order, what is waited for."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from harness.facts.decisions import Approval
from harness.facts.forge import Issue, Permission
from harness.facts.value import Fact


class LeftOut(Fact):
    """An issue that is not looked at, and why, in half a sentence."""

    number: int
    reason: str


class Selection(Fact):
    """Which issues are looked at; `missing` were named and are not there."""

    chosen: tuple[Issue, ...]
    left_out: tuple[LeftOut, ...]
    missing: tuple[int, ...]


class LabelEvent(Fact):
    """Somebody set or took off a label; `permission` is what they may do now."""

    label: str
    added: bool
    by: str
    permission: Permission
    at: datetime


class Allowance(Fact):
    """Whether code may be written; `approval` is to be recorded where it was just given."""

    allowed: bool
    reason: str  # why it is parked, for the report; "" when allowed
    approval: Approval | None = None


class Ordering(Fact):
    """The sequence of scheduled issues; `released` are (issue, dependency) that a cycle gave up."""

    sequence: tuple[int, ...]
    cycles: tuple[tuple[int, ...], ...]  # each beginning at its lowest number
    released: tuple[tuple[int, int], ...]


PrerequisiteState = Literal["open", "done", "declined", "closed"]


class Waiting(Fact):
    """Prerequisites still waited for, and sentences on those that are not any more."""

    numbers: tuple[int, ...]
    warnings: tuple[str, ...]


class Packed(Fact):
    """The texts that fit a prompt, and the numbers that are deferred whole."""

    texts: tuple[tuple[int, str], ...]
    deferred: tuple[int, ...]
