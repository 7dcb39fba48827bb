"""From a head to an open pull request whose checks pass."""

from __future__ import annotations

from harness.facts.case import Case, Told
from harness.facts.causes import Cause
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.steps import Check, CheckBase, Escalate, FixCheck, Open, Push, Step, Update
from harness.rules.custody.asking import ask
from harness.rules.custody.views import (
    EDITS,
    author,
    is_since_person,
    red_of_forge,
    round_of,
    word_unrunnable,
)
from harness.rules.leaks import leak_line


def clean(case: Case) -> Step | None:
    """Nothing is pushed with a secret in it; its author is told once."""
    if not case.leaks:
        return None
    reason = f"nothing was pushed: {'; '.join(leak_line(one) for one in case.leaks)}"
    told = [t for t in case.told if t.of_leak and t.recorded and is_since_person(case, t)]
    if told or not any(leak.in_file for leak in case.leaks):
        said = told[-1].reason if told and not told[-1].edited else ""
        return Escalate(
            reason=f"{reason}; {told[-1].agent} says: {said}" if said else reason,
            cause=Cause.LEAK,
        )
    return ask(case, ExchangeKind.FIX_CHECK, author(case), round_of(case), FixCheck)


def checked(case: Case) -> Step | None:
    """The check has to pass on the head; the base's result says what is new."""
    if not case.has_check:
        return None
    if case.base_check is None:
        return CheckBase(sha=case.base)
    if case.head_check is None:
        return Check(sha=case.head)
    match case.head_check.state:
        case "unrunnable":
            return Escalate(
                reason=word_unrunnable("the head", case.head_check), cause=Cause.UNRUNNABLE
            )
        case "red":
            return _fix_check(case, "the check stays red")
        case _:
            return None


def _fix_check(case: Case, reason: str) -> Step:
    if _check_fixes(case) >= case.loop.max_check_fixes:
        return Escalate(
            reason=f"{reason} after {case.loop.max_check_fixes} attempts to fix it",
            cause=Cause.RED,
        )
    last = case.told[-1] if case.told else None
    if (
        last is not None
        and last.kind is ExchangeKind.FIX_CHECK
        and last.recorded
        and not last.edited
        and is_since_person(case, last)
    ):
        return Escalate(
            reason=f"{reason} and {last.agent} changed nothing: {last.reason}".rstrip(": "),
            cause=Cause.RED,
        )
    return ask(case, ExchangeKind.FIX_CHECK, author(case), round_of(case), FixCheck)


def _check_fixes(case: Case) -> int:
    """Recorded fixes of the check since something else was written or a person acted."""
    fixes = 0
    for told in case.told:
        if told.result is not Ending.REPLIED or told.kind not in EDITS:
            continue
        if told.of_leak:
            continue
        fixes = (
            fixes + 1 if told.kind is ExchangeKind.FIX_CHECK and is_since_person(case, told) else 0
        )
    return fixes


def published(case: Case) -> Step | None:
    """The head is on the forge, in an open pull request."""
    if case.pushed != case.head:
        return Push(sha=case.head, expected=case.pushed)
    if case.pull is None:
        return Open(sha=case.head)
    return None


def updated(case: Case) -> Step | None:
    """A moved base is merged in where it conflicts or must be current."""
    if not case.update_needed:
        return None
    last = next((told for told in reversed(case.told) if told.kind is ExchangeKind.UPDATE), None)
    if last is not None and _left_the_conflict(case, last):
        return Escalate(
            reason=f"{last.agent} did not solve the conflict with the base: {last.reason}",
            cause=Cause.CONFLICT,
        )
    return ask(case, ExchangeKind.UPDATE, author(case), round_of(case), Update, base=case.base_tip)


def _left_the_conflict(case: Case, last: Told) -> bool:
    """Whether it was asked about this very conflict, answered, and merged nothing."""
    asked = (last.head, last.base) == (case.head, case.base_tip)
    return asked and last.recorded and not last.edited and is_since_person(case, last)


def forge_red(case: Case) -> Step | None:
    """A required check that is red here and not on the base goes to the author."""
    red = red_of_forge(case)
    return _fix_check(case, f"required checks stay red: {', '.join(red)}") if red else None
