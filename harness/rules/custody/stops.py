"""What ends the work on an item, and what stops it until a person acts."""

from __future__ import annotations

from harness.facts.case import Case
from harness.facts.causes import Cause
from harness.facts.decisions import Outcome
from harness.facts.steps import Abandon, Escalate, Step
from harness.rules.points import is_for_person


def ended(case: Case) -> Step | None:
    """It is merged, closed, done already, or to be left alone."""
    if case.pull is not None and case.pull.state == "merged":
        return Abandon(outcome=Outcome.MERGED, reason="its pull request is merged")
    if case.pull is not None and case.pull.state == "closed":
        who = "by the harness" if case.pull.closed_by_us else "by a person"
        return Abandon(
            outcome=Outcome.ABANDONED, reason=f"pull request #{case.pull.number} was closed {who}"
        )
    if not case.item_open:
        return Abandon(outcome=Outcome.ABANDONED, reason="it was closed")
    if case.left_alone:
        return Abandon(outcome=Outcome.ABANDONED, reason=case.left_alone)
    if case.pull is None and case.branch_deleted:
        return Abandon(outcome=Outcome.ABANDONED, reason="its branch was deleted by a person")
    if case.pull is None and case.head and case.head == case.base:
        return Abandon(outcome=Outcome.ABANDONED, reason="its change is in the base already")
    return None


def stopped(case: Case) -> Step | None:
    """Only a person can go on from here."""
    if case.parked:
        return Escalate(reason=case.parked, cause=Cause.PARKED)
    if case.unaccounted:
        return Escalate(reason=case.unaccounted, cause=Cause.BRANCH)
    if case.called:
        return Escalate(
            reason="a person was called and has not acted since",
            cause=case.called_for or Cause.ARGUMENT,
        )
    moved = elsewhere(case) or _lost_branch(case)
    if moved:
        return Escalate(reason=moved, cause=Cause.BRANCH)
    waiting = [point.title for point in case.points if is_for_person(point)]
    if waiting:
        return Escalate(
            reason=f"the agents could not settle: {'; '.join(waiting)}", cause=Cause.ARGUMENT
        )
    if case.rounds_of_blockers_in_fixes >= 2:  # noqa: PLR2004 - design 7: two rounds
        return Escalate(
            reason="two rounds in a row found blocking defects in what the fixes wrote",
            cause=Cause.ARGUMENT,
        )
    return None


def elsewhere(case: Case) -> str:
    """Which branch an open pull request goes into that the work is not for, "" where none."""
    if case.pull is None or case.pull.state != "open" or case.pull.base == case.base_ref:
        return ""
    return (
        f"pull request #{case.pull.number} goes into {case.pull.base} now, and the work is for "
        f"{case.base_ref}: turn it back, merge it by hand, or close it"
    )


def _lost_branch(case: Case) -> str:
    """Why nothing can be pushed to an open pull request, "" where something can."""
    if case.pull is None or case.pull.state != "open":
        return ""
    of = f"the branch of pull request #{case.pull.number}"
    if case.pull.branch != case.branch:
        return (
            f"{of} was renamed from {case.branch} to {case.pull.branch}: "
            "name it as before, or close the pull request"
        )
    if not case.pushed:
        return f"{of}, {case.branch}, is gone: restore it, or close the pull request"
    return ""
