"""What is paid for and not yet used: committed first, then recorded, oldest first."""

from __future__ import annotations

from typing import assert_never

from harness.facts.case import Case, Told
from harness.facts.causes import Cause
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.steps import (
    Close,
    Commit,
    Escalate,
    FixCheck,
    FixOwn,
    Rebut,
    Respond,
    Review,
    Step,
    Update,
)
from harness.rules.custody.views import is_since_person


def pending(case: Case) -> Step | None:
    """The oldest answer that was not used: committed first, then recorded."""
    for told in case.told:
        if told.result is not Ending.REPLIED:
            continue
        step = _uncommitted(case, told) if _is_uncommitted(told) else _unrecorded(told)
        if step is not None:
            return step
    return None


def _is_uncommitted(told: Told) -> bool:
    return told.edited and not told.committed


def _uncommitted(case: Case, told: Told) -> Step | None:
    """Nothing where HEAD went another way meanwhile: the changes belong to an older head."""
    begins = told.kind is ExchangeKind.IMPLEMENT and not case.head
    if not begins and told.head != case.head:
        return None
    if told.refused:
        return _for_a_person(told) if is_since_person(case, told) else None
    if told.unsolved:
        return _unmerged(told) if is_since_person(case, told) else None
    return Commit(exchange_id=told.id, agent=told.agent)


def _for_a_person(told: Told) -> Step:
    kept = ", ".join(told.refused)
    reason = f"{told.agent} left what only a person may commit: {kept}"
    return Escalate(reason=reason, cause=Cause.UNCOMMITTABLE, exchange_id=told.id)


def _unmerged(told: Told) -> Step:
    return Escalate(
        reason=f"{told.agent} left conflict markers in {', '.join(told.unsolved)}",
        cause=Cause.CONFLICT,
    )


def _unrecorded(told: Told) -> Step | None:
    return None if told.recorded else _again(told)


def _again(told: Told) -> Step | None:
    """The step that asked this, so that its stored answer is read and recorded."""
    spot = {"agent": told.agent, "round": told.round, "attempt": told.attempt}
    match told.kind:
        case ExchangeKind.REVIEW:
            return Review(sha=told.head, **spot)
        case ExchangeKind.CLOSE:
            return Close(sha=told.head, **spot)
        case ExchangeKind.RESPOND:
            return Respond(sha=told.head, **spot)
        case ExchangeKind.FIX_OWN:
            return FixOwn(sha=told.head, **spot)
        case ExchangeKind.FIX_CHECK:
            return FixCheck(sha=told.head, **spot)
        case ExchangeKind.REBUT:
            return Rebut(sha=told.head, **spot)
        case ExchangeKind.UPDATE:
            return Update(sha=told.head, base=told.base, **spot)
        case ExchangeKind.IMPLEMENT | ExchangeKind.SAME | ExchangeKind.TRIAGE:
            return None  # `same` is recorded with its review; the others elsewhere
        case (
            ExchangeKind.ADJUDICATE
            | ExchangeKind.SCREEN
            | ExchangeKind.CHECKIN
            | ExchangeKind.CHECKIN_CHECK
            | ExchangeKind.CHECKIN_FIX
        ):
            return None  # not of custody
        case _:
            assert_never(told.kind)
