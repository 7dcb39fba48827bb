"""Whatever agents answer and people do, custody keeps its word."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.facts.case import Case
from harness.facts.entries import State
from harness.facts.journal import Ending
from harness.facts.settings import LoopSettings
from harness.facts.steps import (
    Abandon,
    Approve,
    AwaitChecks,
    Close,
    Commit,
    Escalate,
    Merge,
    Push,
    Review,
    Step,
    Wait,
)
from harness.rules.custody import blockers, next_step, review_of_head
from harness.rules.gate import approve_gate
from tests.rules.custody.world import World

T = TypeVar("T")
MOST_STEPS = 400


@settings(max_examples=300, deadline=None)
@given(data=st.data(), rounds=st.integers(1, 4), fixes=st.integers(0, 2), checked=st.booleans())
def test_every_path_ends_and_no_invariant_breaks_on_the_way(
    data: st.DataObject, rounds: int, fixes: int, checked: bool
) -> None:
    def choose(options: tuple[T, ...]) -> T:
        return options[data.draw(st.integers(0, len(options) - 1))]

    loop = LoopSettings(max_rounds=rounds, max_check_fixes=fixes, max_tries=2)
    world = World(choose, loop, has_check=checked)
    pushes = 0

    for _ in range(MOST_STEPS):
        case = world.case()
        step = next_step(case)
        _hold_invariants(world, case, step)
        match step:
            case Approve() | Escalate() | Abandon() | Merge():
                return
            case Wait() | AwaitChecks():
                world.minutes += 10
                world.next_run()
            case _:
                world.take(step)
        if world.is_open and pushes < 2 and choose((False,) * 9 + (True,)):
            world.push_by_person()
            pushes += 1
    raise AssertionError(f"no end after {MOST_STEPS} steps, the last was {step}")


def _hold_invariants(world: World, case: Case, step: Step) -> None:
    if isinstance(step, Review | Close):
        _nobody_reviews_their_own_last_move(case, step)
        _rounds_hold(world, case, step)
    if isinstance(step, Approve):
        _approval_is_earned(case)
    if isinstance(step, Commit):
        assert any(t.id == step.exchange_id and t.result is Ending.REPLIED for t in case.told)
    if isinstance(step, Push):
        assert step.sha == case.head
        assert step.expected == case.pushed


def _nobody_reviews_their_own_last_move(case: Case, step: Review | Close) -> None:
    mover = next((row.agent for row in case.commits if row.agent), case.agents[0])
    assert step.agent != mover


def _rounds_hold(world: World, case: Case, step: Review | Close) -> None:
    since = [
        one
        for one in case.told
        if one.kind in {"review", "close"}
        and one.recorded
        and (world.person_act is None or one.at > world.person_act)
    ]
    assert len(since) <= case.loop.max_rounds
    if isinstance(step, Review) and not any(
        one.id.startswith("review") and not one.recorded for one in case.told
    ):
        assert len(since) < case.loop.max_rounds


def _approval_is_earned(case: Case) -> None:
    review = review_of_head(case)
    assert review is not None
    assert review.result is Ending.REPLIED
    assert not review.held
    assert not review.not_reviewed
    assert blockers(case) == ()
    assert case.pushed == case.head
    assert case.head_check is None or case.head_check.passes
    assert approve_gate(case).go
    open_states = {State.OPEN, State.CLAIMED, State.DISPUTED, State.NEEDS_HUMAN}
    gating = [p for p in case.points if p.severity == "blocking" and p.in_scope]
    assert not [p for p in gating if p.state in open_states]


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_the_same_case_has_the_same_next_step(data: st.DataObject) -> None:
    def choose(options: tuple[T, ...]) -> T:
        return options[data.draw(st.integers(0, len(options) - 1))]

    world = World(choose)
    for _ in range(12):
        case = world.case()
        step = next_step(case)
        assert next_step(case) == step
        if isinstance(step, Approve | Escalate | Abandon | Wait | AwaitChecks | Merge):
            return
        world.take(step)
