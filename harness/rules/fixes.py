"""Whether reviews keep finding blocking defects in the very lines that fixes wrote."""

from __future__ import annotations

from harness.facts.findings import Severity
from harness.facts.places import Diff
from harness.facts.points import Point
from harness.rules.hunks import added_lines


def rounds_of_blockers_in_fixes(points: tuple[Point, ...], diffs: tuple[Diff, ...]) -> int:
    """How many of the newest reviews in a row raised a blocker inside what was written before them.

    `diffs` go from one reviewed head to the next, oldest first; each ends at a reviewed head.
    """
    rounds = 0
    for diff in reversed(diffs):
        if not any(_stands_in(point, diff) for point in points):
            break
        rounds += 1
    return rounds


def _stands_in(point: Point, diff: Diff) -> bool:
    finding = point.finding
    if (
        point.state.is_settled
        or finding.severity is not Severity.BLOCKING
        or not finding.in_scope
        or finding.head != diff.head
    ):
        return False
    anchor = finding.anchor
    lines = range(anchor.start_line, anchor.end_line + 1)
    return any(line in added_lines(diff, anchor.file) for line in lines)
