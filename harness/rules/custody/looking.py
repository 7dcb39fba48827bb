"""Whether what a person was called for is over though nobody acted: the world may have mended."""

from __future__ import annotations

from harness.facts.case import Case
from harness.facts.causes import Cause
from harness.facts.journal import Ending
from harness.facts.steps import (
    Close,
    Escalate,
    FixCheck,
    FixOwn,
    Implement,
    Rebut,
    Respond,
    Review,
    Same,
    Step,
    Update,
    Wait,
)
from harness.rules.custody.order import next_step

NOT_OF_CUSTODY = frozenset({Cause.REFUSED, Cause.DOUBT, Cause.NO_CHANGE, Cause.TRIAGE})
"""What custody does not see in a case: only whoever was called knows that it is over."""


def is_over(case: Case) -> bool:
    """Whether custody would do something by now, where it called a person before."""
    if not case.called or case.called_for is None or case.called_for in NOT_OF_CUSTODY:
        return False
    match next_step(uncalled(case)):
        case Wait():
            return False
        case Escalate(cause=cause):
            return cause is not case.called_for
        case step:
            return case.called_for is not Cause.SILENCE or not _waits_for_an_answer(case, step)


def may_ask_again(case: Case) -> bool:
    """Whether the agent that could not be reached is asked once more, with the call left open."""
    if not case.called or case.called_for is not Cause.SILENCE:
        return False
    return isinstance(next_step(asking_again(case)), _ASKING)


def _waits_for_an_answer(case: Case, step: Step) -> bool:
    """Whether the silence goes on: the newest question is to be asked again or gone on with."""
    answered = bool(case.told) and case.told[-1].result is Ending.REPLIED
    return isinstance(step, _ASKING) and not answered


_ASKING = (Implement, Review, Close, Same, FixOwn, Respond, FixCheck, Rebut, Update)


def uncalled(case: Case) -> Case:
    """The case as if nobody had been called."""
    return case.model_copy(update={"called": False, "called_for": None})


def asking_again(case: Case) -> Case:
    """The same, but it is known what somebody was called for."""
    return case.model_copy(update={"called": False})
