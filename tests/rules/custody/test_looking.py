"""A call is over when the world has mended what it was for, and never before."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.facts.case import Case, Told
from harness.facts.causes import Cause
from harness.facts.checks import Check
from harness.facts.forge import ForgeCheck
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.settings import LoopSettings
from harness.facts.steps import Abandon, Approve, AwaitChecks, Escalate, Implement, Merge, Wait
from harness.rules.custody import asking_again, is_over, may_ask_again, next_step
from tests.rules.custody.world import World

T = TypeVar("T")
MOST_STEPS = 400
LATER = timedelta(days=1)


def _first(options: tuple[T, ...]) -> T:
    return options[0]


@pytest.fixture
def reviewed() -> Case:
    """A change that was reviewed without a finding: nothing is left but its end."""
    world = World(_first)
    while not isinstance(next_step(case := world.case()), Approve):
        world.take(next_step(case))
    return case


def called(case: Case, **there: Any) -> Case:  # any field
    """Custody called a person in this situation, in an earlier run."""
    stuck = case.model_copy(update=there)
    step = next_step(stuck)
    assert isinstance(step, Escalate)
    waits = {"called": True, "called_for": step.cause, "run_id": "later", "now": case.now + LATER}
    return stuck.model_copy(update=waits)


def forge_check(name: str = "ci") -> ForgeCheck:
    return ForgeCheck(name=name, state="pending", required=True, url="", annotations=(), log="")


def unrunnable(sha: str) -> Check:
    return Check(
        command="make test", sha=sha, state="unrunnable", exit=127, seconds=1, failing=(), tail=""
    )


def silent(case: Case, result: Ending) -> tuple[Told, ...]:
    """The agents were asked and gave no valid answer, three times."""
    return tuple(
        Told(
            id=f"x{n}",
            run_id=f"run{n}",
            kind=ExchangeKind.IMPLEMENT,
            agent="ada",
            round=0,
            attempt=n,
            head="",
            base="base",
            result=result,
            reason="no money" if result is Ending.OUT_OF_BUDGET else "overloaded",
            not_before=None,
            at=case.now,
            recorded=False,
        )
        for n in (1, 2, 3)
    )


def nothing_yet(case: Case, result: Ending, **there: Any) -> Case:  # any field
    empty = {"head": "", "commits": (), "pull": None, "pushed": "", "points": ()}
    return case.model_copy(update={**empty, "told": silent(case, result), **there})


STUCK: dict[Cause, dict[str, Any]] = {
    Cause.PENDING: {"forge_checks": (forge_check(), forge_check("lint"))},
    Cause.UNRUNNABLE: {"head_check": unrunnable("sha0")},
    Cause.OBJECTION: {"objections": ("eve",)},
    Cause.BRANCH: {"unaccounted": "somebody else's commits"},
    Cause.POLICY: {"protected_paths": ("AGENTS.md",)},
    Cause.PARKED: {"parked": "it was edited after mia approved it; approve the new text"},
}
MENDED: dict[Cause, dict[str, Any]] = {
    Cause.PENDING: {"forge_checks": ()},
    Cause.UNRUNNABLE: {"head_check": None},
    Cause.OBJECTION: {"objections": ()},
    Cause.BRANCH: {"unaccounted": ""},
    Cause.POLICY: {"protected_paths": ()},
    Cause.PARKED: {"parked": ""},
}
A_LITTLE: dict[Cause, dict[str, Any]] = {
    Cause.PENDING: {"forge_checks": (forge_check(),)},
    Cause.UNRUNNABLE: {"head_check": unrunnable("sha0").model_copy(update={"tail": "pid 4711"})},
    Cause.OBJECTION: {"objections": ("eve", "mia")},
    Cause.BRANCH: {"unaccounted": "other commits"},
    Cause.POLICY: {"protected_paths": ("AGENTS.md", "CONTRIBUTING.md")},
    Cause.PARKED: {"parked": "mia took the label off"},
}


@pytest.mark.parametrize("cause", STUCK)
def test_what_was_waited_for_is_looked_at_again(reviewed: Case, cause: Cause) -> None:
    late = reviewed.model_copy(update={"pushed_at": reviewed.now - LATER})
    waiting = called(late, **STUCK[cause])

    assert waiting.called_for is cause
    assert not is_over(waiting)
    assert not is_over(waiting.model_copy(update=A_LITTLE[cause]))
    assert is_over(waiting.model_copy(update=MENDED[cause]))


@pytest.mark.parametrize(
    ("pull", "case", "why"),
    [
        ({"branch": "feature"}, {}, "was renamed from harness/issue-1 to feature: name it as"),
        ({}, {"pushed": ""}, ", harness/issue-1, is gone: restore it, or close the"),
    ],
    ids=["renamed", "gone"],
)
def test_a_person_is_called_for_an_open_pull_request_whose_branch_is_not_there(
    reviewed: Case, pull: dict[str, str], case: dict[str, str], why: str
) -> None:
    assert reviewed.pull is not None
    lost = {"pull": reviewed.pull.model_copy(update=pull), **case}
    waiting = called(reviewed, **lost)

    step = next_step(reviewed.model_copy(update=lost))
    assert isinstance(step, Escalate)
    assert step.cause is Cause.BRANCH
    assert step.reason.startswith("the branch of pull request #7")
    assert why in step.reason
    assert not is_over(waiting)
    assert is_over(waiting.model_copy(update={"pull": reviewed.pull, "pushed": reviewed.pushed}))


def test_a_conflict_is_over_when_the_base_moved_on_or_has_none_any_more(reviewed: Case) -> None:
    asked = silent(reviewed, Ending.REPLIED)[0].model_copy(
        update={
            "kind": ExchangeKind.UPDATE,
            "head": reviewed.head,
            "base": "moved",
            "recorded": True,
        }
    )
    moved = {"base_tip": "moved", "update_needed": True, "told": (*reviewed.told, asked)}

    waiting = called(reviewed, **moved)

    assert waiting.called_for is Cause.CONFLICT
    assert not is_over(waiting)
    assert is_over(waiting.model_copy(update={"base_tip": "further"}))
    assert is_over(waiting.model_copy(update={"update_needed": False}))


def test_a_cap_that_was_raised_is_over(reviewed: Case) -> None:
    spent = nothing_yet(reviewed, Ending.OUT_OF_BUDGET, item_cap_reached=True)
    roomy = {"item_cap_reached": False, "told": silent(reviewed, Ending.OUT_OF_BUDGET)[:1]}

    waiting = called(spent)

    assert waiting.called_for is Cause.BUDGET
    assert not is_over(waiting)
    assert is_over(waiting.model_copy(update=roomy))


def test_an_agent_that_could_not_be_reached_is_asked_again_with_the_call_left_open(
    reviewed: Case,
) -> None:
    waiting = called(nothing_yet(reviewed, Ending.UNREACHABLE))

    assert not is_over(waiting)
    assert may_ask_again(waiting)
    assert next_step(asking_again(waiting)) == Implement(agent="ada", round=0, attempt=4)


def test_the_silence_is_over_with_an_answer_and_not_with_a_question_that_is_open(
    reviewed: Case,
) -> None:
    waiting = called(nothing_yet(reviewed, Ending.UNREACHABLE))
    asked = waiting.told[-1].model_copy(update={"result": None, "attempt": 4})
    answered = asked.model_copy(update={"result": Ending.REPLIED, "edited": True})

    under_way = waiting.model_copy(update={"told": (*waiting.told, asked)})
    done = waiting.model_copy(update={"told": (*waiting.told, answered)})

    assert (is_over(under_way), may_ask_again(under_way)) == (False, True)
    assert is_over(done)


@pytest.mark.parametrize("result", [Ending.INVALID, Ending.TRUNCATED, Ending.REFUSED])
def test_an_agent_that_answers_and_costs_is_not_asked_again_by_itself(
    reviewed: Case, result: Ending
) -> None:
    waiting = called(nothing_yet(reviewed, result))

    assert not is_over(waiting)
    assert not may_ask_again(waiting)


@pytest.mark.parametrize("until", [timedelta(minutes=5), None], ids=["not due", "this run"])
def test_nobody_is_asked_twice_in_a_run_or_before_the_time(
    reviewed: Case, until: timedelta | None
) -> None:
    waiting = called(nothing_yet(reviewed, Ending.UNREACHABLE))
    last = waiting.told[-1]
    rests = {"not_before": waiting.now + until} if until else {"run_id": waiting.run_id}
    told = (*waiting.told[:-1], last.model_copy(update=rests))

    waiting = waiting.model_copy(update={"told": told})

    assert not is_over(waiting)
    assert not may_ask_again(waiting)


@pytest.mark.parametrize("cause", [Cause.REFUSED, Cause.DOUBT, Cause.NO_CHANGE, Cause.TRIAGE])
def test_what_custody_does_not_see_only_a_person_ends(reviewed: Case, cause: Cause) -> None:
    assert not is_over(reviewed.model_copy(update={"called": True, "called_for": cause}))


@settings(max_examples=500, deadline=None)
@given(data=st.data(), rounds=st.integers(1, 3), fixes=st.integers(0, 2))
def test_while_nothing_has_changed_no_call_is_over(
    data: st.DataObject, rounds: int, fixes: int
) -> None:
    def choose(options: tuple[T, ...]) -> T:
        return options[data.draw(st.integers(0, len(options) - 1))]

    loop = LoopSettings(max_rounds=rounds, max_check_fixes=fixes, max_tries=2)
    world = World(choose, loop)
    for _ in range(MOST_STEPS):
        step = next_step(world.case())
        match step:
            case Escalate():
                world.next_run()
                waits = {"called": True, "called_for": step.cause}
                assert not is_over(world.case().model_copy(update=waits))
                return
            case Approve() | Abandon() | Merge():
                return
            case Wait() | AwaitChecks():
                world.minutes += 10
                world.next_run()
            case _:
                world.take(step)
    raise AssertionError(f"no end after {MOST_STEPS} steps, the last was {step}")
