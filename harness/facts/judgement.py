"""What is wrong with a reply: shape faults end it, claim faults fell single points."""

from __future__ import annotations

from harness.facts.value import Fact


class ClaimFault(Fact):
    """A claim that does not check.

    `point` is the handle answered, or F1, F2, ... by position for findings; "verdict" for a
    verdict that contradicts its list, "reply" for a flag that contradicts the edits.
    """

    point: str
    what: str


class Judgement(Fact):
    """Shape complaints (any: no reply) and claim faults (each: one point falls after repair)."""

    shape: tuple[str, ...]
    claims: tuple[ClaimFault, ...]


class ShapeFaults(Fact):
    """Why a text is no reply: exact, short sentences, for the one repair turn."""

    complaints: tuple[str, ...]
