"""How an outcome becomes an exit code: 3 over 1 over 0, and 2 over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from harness.facts.decisions import ItemReport, Outcome

CLEAN = 0  # done and clean
NEEDS_A_PERSON = 1
CALLERS_MISTAKE = 2  # never the result of an item
TRY_AGAIN = 3  # the world failed, or something is tried again; resumable

EXIT_CODES: Mapping[Outcome, int] = MappingProxyType(
    {
        Outcome.APPROVED: CLEAN,
        Outcome.MERGED: CLEAN,
        Outcome.DECLINED: CLEAN,
        Outcome.ABANDONED: CLEAN,
        Outcome.WAITING_FOR_PREREQUISITE: CLEAN,
        Outcome.CONTESTED: NEEDS_A_PERSON,
        Outcome.PARKED: NEEDS_A_PERSON,
        Outcome.ESCALATED: NEEDS_A_PERSON,
        Outcome.NO_CHANGE: NEEDS_A_PERSON,
        Outcome.UNJUDGED: TRY_AGAIN,
        Outcome.WAITING: TRY_AGAIN,
        Outcome.ERROR: TRY_AGAIN,
    }
)

OVER = frozenset({Outcome.MERGED, Outcome.DECLINED, Outcome.ABANDONED})
"""Outcomes after which nothing of an item is needed any more."""


def exit_code(outcome: Outcome) -> int:
    """The exit code of a run in which this is all that happened."""
    return EXIT_CODES[outcome]


def exit_of_run(reports: Iterable[ItemReport], *, mistaken: bool = False) -> int:
    """The gravest exit code of all items; a run with nothing to do is clean.

    `mistaken`: there is what only the operator can mend, as an agent whose vendor turned it away.
    """
    if mistaken:
        return CALLERS_MISTAKE
    return max((exit_code(report.outcome) for report in reports), default=CLEAN)
