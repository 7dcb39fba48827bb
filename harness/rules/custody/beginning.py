"""From nothing to a head."""

from __future__ import annotations

from harness.facts.case import Case, Told
from harness.facts.causes import Cause
from harness.facts.decisions import Outcome
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.steps import Abandon, CheckBase, Escalate, Implement, Step
from harness.rules.custody.asking import ask
from harness.rules.custody.views import is_since_person, word_unrunnable


def begin(case: Case) -> Step | None:
    """The base is checked, the first agent asked; without edits it ends."""
    if case.head:
        return None
    if case.has_check and case.base_check is None:
        return CheckBase(sha=case.base)
    if case.base_check is not None and case.base_check.state == "unrunnable":
        return Escalate(reason=word_unrunnable("the base", case.base_check), cause=Cause.UNRUNNABLE)
    told = next((t for t in reversed(case.told) if t.kind is ExchangeKind.IMPLEMENT), None)
    if told is not None and told.result is Ending.REPLIED and not _may_ask_again(case, told):
        return _without_edits(told)
    return ask(case, ExchangeKind.IMPLEMENT, case.agents[0], 0, Implement)


def _may_ask_again(case: Case, told: Told) -> bool:
    """It was said what came of it, and a person has acted since."""
    said = told.recorded or bool(told.refused)
    return said and not is_since_person(case, told)


def _without_edits(told: Told) -> Step:
    if told.not_worth_doing:
        return Abandon(outcome=Outcome.DECLINED, reason=told.reason, exchange_id=told.id)
    return Abandon(
        outcome=Outcome.NO_CHANGE, reason=f"{told.agent} changed nothing", exchange_id=told.id
    )
