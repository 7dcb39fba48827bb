"""The forge's checks and a base that moved, between the review and the end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal, TypeVar

import pytest

from harness.facts.case import Case, Told
from harness.facts.causes import Cause
from harness.facts.forge import ForgeCheck
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.steps import Approve, AwaitChecks, Commit, Escalate, FixCheck, Update, Wait
from harness.rules.custody import next_step, red_of_forge, review_of_head
from tests.rules.custody.world import World

T = TypeVar("T")
HALF_AN_HOUR = timedelta(minutes=30)


def _first(options: tuple[T, ...]) -> T:
    return options[0]


@pytest.fixture
def reviewed() -> Case:
    """A change that was reviewed without a finding: nothing is left but its end."""
    world = World(_first)
    while not isinstance(next_step(case := world.case()), Approve):
        world.take(next_step(case))
    return case


def check(
    state: Literal["pending", "green", "red", "stopped"], *, required: bool = True
) -> ForgeCheck:
    return ForgeCheck(name="ci", state=state, required=required, url="", annotations=(), log="")


def with_check(
    case: Case, state: Literal["pending", "green", "red", "stopped"], **fields: Any
) -> Case:
    return case.model_copy(update={"forge_checks": (check(state),), **fields})


def updated(case: Case, **fields: Any) -> Case:
    """The author was asked to merge the base that moved, and answered."""
    told = Told(
        id="merge",
        run_id=case.run_id,
        kind=ExchangeKind.UPDATE,
        agent="ada",
        round=1,
        attempt=1,
        head=case.head,
        base="moved",
        result=Ending.REPLIED,
        reason="",
        not_before=None,
        at=case.now,
        recorded=True,
    ).model_copy(update=fields)
    return case.model_copy(
        update={"base_tip": "moved", "update_needed": True, "told": (*case.told, told)}
    )


# -- checks -------------------------------------------------------------------------------------
def test_a_required_check_is_waited_for_from_the_push(reviewed: Case) -> None:
    pushed_at = reviewed.now - timedelta(minutes=10)

    step = next_step(with_check(reviewed, "pending", pushed_at=pushed_at))

    assert step == AwaitChecks(sha=reviewed.head, until=pushed_at + HALF_AN_HOUR)


def test_a_persons_push_is_waited_for_from_its_review(reviewed: Case) -> None:
    review = review_of_head(reviewed)
    assert review is not None

    step = next_step(with_check(reviewed, "pending", pushed_at=None))

    assert step == AwaitChecks(sha=reviewed.head, until=review.at + HALF_AN_HOUR)


def test_at_the_timeout_a_person_is_called_and_their_word_starts_the_time_anew(
    reviewed: Case,
) -> None:
    late = with_check(reviewed, "pending", pushed_at=reviewed.now - HALF_AN_HOUR)
    spoken = late.model_copy(update={"last_person_act": reviewed.now})

    assert next_step(late) == Escalate(
        reason="required checks did not finish: ci", cause=Cause.PENDING
    )
    assert next_step(spoken) == AwaitChecks(sha=reviewed.head, until=reviewed.now + HALF_AN_HOUR)


def test_after_the_approval_nobody_is_called_for_a_check_that_runs_again(reviewed: Case) -> None:
    late = {"pushed_at": reviewed.now - HALF_AN_HOUR, "approved": reviewed.head}

    step = next_step(with_check(reviewed, "pending", **late))

    assert step == Wait(reason="required checks run again: ci", until=None)


def test_a_check_that_ended_without_a_result_is_a_persons_at_once_and_no_authors(
    reviewed: Case,
) -> None:
    stopped = with_check(reviewed, "stopped", pushed_at=reviewed.now)
    approved = stopped.model_copy(update={"approved": reviewed.head})

    assert next_step(stopped) == Escalate(
        reason="required checks ended without a result: ci", cause=Cause.PENDING
    )
    assert not isinstance(next_step(approved), Approve | Escalate)


def test_a_red_check_goes_to_the_author_unless_the_base_has_it_too(reviewed: Case) -> None:
    red = with_check(reviewed, "red")
    on_base = red.model_copy(update={"forge_checks_red_on_base": ("ci",)})

    step = next_step(red)

    assert isinstance(step, FixCheck)
    assert (step.agent, step.sha) == ("ada", reviewed.head)
    assert (red_of_forge(red), red_of_forge(on_base)) == (("ci",), ())
    assert isinstance(next_step(on_base), Approve)


@pytest.mark.parametrize("state", ["pending", "red"])
def test_a_check_that_nobody_requires_is_neither_waited_for_nor_answered(
    reviewed: Case, state: Literal["pending", "red"]
) -> None:
    checks = (check(state, required=False),)

    assert isinstance(next_step(reviewed.model_copy(update={"forge_checks": checks})), Approve)


# -- the base -----------------------------------------------------------------------------------
def test_a_base_that_moved_is_the_authors(reviewed: Case) -> None:
    moved = reviewed.model_copy(update={"base_tip": "moved", "update_needed": True})

    step = next_step(moved)

    assert step == Update(agent="ada", sha=reviewed.head, base="moved", round=1, attempt=1)


def test_a_solved_conflict_is_committed(reviewed: Case) -> None:
    assert next_step(updated(reviewed, edited=True)) == Commit(exchange_id="merge", agent="ada")


def test_markers_are_never_committed_and_a_persons_word_asks_once_more(reviewed: Case) -> None:
    marked = updated(reviewed, edited=True, unsolved=("a.py",))
    after = {"last_person_act": reviewed.now + timedelta(minutes=1)}

    again = next_step(marked.model_copy(update=after))

    assert next_step(marked) == Escalate(
        reason="ada left conflict markers in a.py", cause=Cause.CONFLICT
    )
    assert isinstance(again, Update)
    assert again.attempt == 2


def test_a_conflict_that_was_not_solved_is_a_persons_until_they_act_or_the_base_moves(
    reviewed: Case,
) -> None:
    left = updated(reviewed, reason="not mine to decide")
    after = {"last_person_act": reviewed.now + timedelta(minutes=1)}

    assert next_step(left) == Escalate(
        reason="ada did not solve the conflict with the base: not mine to decide",
        cause=Cause.CONFLICT,
    )
    assert isinstance(next_step(left.model_copy(update=after)), Update)
    assert isinstance(next_step(left.model_copy(update={"base_tip": "further"})), Update)
