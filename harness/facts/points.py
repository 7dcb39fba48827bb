"""What custody sees of an entry: a point that gates, waits, is argued about, or is done."""

from __future__ import annotations

from harness.facts.entries import Disposition, State
from harness.facts.findings import Finding, Severity
from harness.facts.places import Place
from harness.facts.value import Fact


class Point(Fact):
    """An entry of one scope with where it stands in the argument.

    `stood_count` counts how often its raiser stood or objected since it was last opened,
    `again_count` re-raises with new evidence; both decide when a person is called.
    """

    entry_id: str
    title: str
    place: Place
    severity: Severity
    in_scope: bool
    state: State
    claim: Disposition | None
    raised_by: str
    claimed_by: str  # "" while nothing is claimed
    head_of_claim: str  # the head the newest claim was made at, "" without one
    stood_count: int
    again_count: int
    finding: Finding
