"""Why a person is called: a closed set, since each is mended in another way."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from harness.facts.value import Fact


class Cause(StrEnum):
    """What a person is called for; words/escalation.py says of each what mends it."""

    ARGUMENT = "argument"  # the agents cannot come to an end about the change
    SILENCE = "silence"  # no valid answer from an agent, too often
    BUDGET = "budget"  # the cap of the item
    UNRUNNABLE = "unrunnable"  # the check cannot run
    RED = "red"  # a check stays red
    PENDING = "pending"  # checks of the forge do not finish
    CONFLICT = "conflict"  # with the base
    POLICY = "policy"  # the change touches what a person has to pass
    OBJECTION = "objection"  # a person asked for changes
    LEAK = "leak"  # the change holds a secret
    UNCOMMITTABLE = "uncommittable"  # an agent left what only a person may commit
    BRANCH = "branch"  # what lies on it is not ours to build on
    REFUSED = "refused"  # the forge did not take a write
    DOUBT = "doubt"  # the forge does not tell whether a write happened
    NO_CHANGE = "no_change"  # the agent left none
    TRIAGE = "triage"  # contested
    PARKED = "parked"  # nobody who may has allowed the text that the issue has now


class Called(Fact):
    """A person was called for an item, and for what; `open` until somebody acted or it is over."""

    reason: str
    at: datetime
    cause: Cause
    head: str  # where the work stood, "" before there was anything
    open: bool
