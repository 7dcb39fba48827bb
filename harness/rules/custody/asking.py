"""Asking an agent: anew, again, resumed, waited for or given up; the bounded answer to silence."""

from __future__ import annotations

from collections.abc import Callable

from harness.facts.case import Case, Told
from harness.facts.causes import Cause
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.steps import Escalate, Step, Wait
from harness.rules.custody.views import is_since_person

NO_FAILURE = {Ending.SUPERSEDED, Ending.REPLIED}


def ask(
    case: Case,
    kind: ExchangeKind,
    agent: str,
    round_: int,
    step: Callable[..., Step],
    **extra: str,
) -> Step:
    """Ask, resume, try again, wait or give up: the bounded answer to an agent's silence."""
    where = {} if kind in {ExchangeKind.IMPLEMENT, ExchangeKind.SAME} else {"sha": case.head}
    prior = [t for t in case.told if (t.kind, t.agent, t.round) == (kind, agent, round_)]
    last = prior[-1] if prior else None

    def at(attempt: int) -> Step:
        return step(agent=agent, round=round_, attempt=attempt, **where, **extra)

    if last is None:
        return at(1)
    if last.result is Ending.SUPERSEDED or last.head != _asked_head(case, kind, last):
        return at(last.attempt + 1)
    if last.result is None:
        return (
            at(last.attempt)
            if _is_due(case, last)
            else Wait(reason=last.reason, until=last.not_before)
        )
    if last.result is Ending.REPLIED:
        return at(last.attempt if kind is ExchangeKind.SAME else last.attempt + 1)
    return _unanswered(case, prior, at)


def _asked_head(case: Case, kind: ExchangeKind, last: Told) -> str:
    return last.head if kind in {ExchangeKind.IMPLEMENT, ExchangeKind.SAME} else case.head


def _is_due(case: Case, told: Told) -> bool:
    return told.not_before is None or told.not_before <= case.now


def _unanswered(case: Case, prior: list[Told], at: Callable[[int], Step]) -> Step:
    last = prior[-1]
    if last.result is Ending.OUT_OF_BUDGET and case.item_cap_reached:
        return Escalate(reason=last.reason, cause=Cause.BUDGET)
    if last.run_id == case.run_id or not _is_due(case, last):
        return Wait(
            reason=f"no valid answer from {last.agent}: {last.reason}", until=last.not_before
        )
    failures = [t for t in prior if t.result not in NO_FAILURE and is_since_person(case, t)]
    if len(failures) >= case.loop.max_tries and not _may_be_reached_by_now(case, last):
        return Escalate(
            reason=f"no valid answer from {last.agent} in {len(failures)} tries: {last.reason}",
            cause=Cause.SILENCE,
        )
    return at(last.attempt + 1)


def _may_be_reached_by_now(case: Case, last: Told) -> bool:
    """A person knows that it could not be reached; trying costs nothing while that is so."""
    return case.called_for is Cause.SILENCE and last.result is Ending.UNREACHABLE
