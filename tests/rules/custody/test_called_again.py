"""A person who was called and has acted is not called again before something else was tried."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.facts.entries import State
from harness.facts.settings import LoopSettings
from harness.facts.steps import Abandon, Approve, AwaitChecks, Escalate, Merge, Step, Wait
from harness.rules.custody import next_step
from tests.rules.custody.world import World

MOST_STEPS = 400
MOST_WORDS = 3


@settings(max_examples=2_000, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_whoever_acts_after_being_called_sets_something_going(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - even, so that most stories are long ones
    loop = LoopSettings(
        max_rounds=chance.randint(1, 3), max_check_fixes=chance.randint(1, 2), max_tries=2
    )
    world = World(chance.choice, loop)
    words = 0

    for _ in range(MOST_STEPS):
        step = next_step(world.case())
        match step:
            case Escalate() if _is_about_the_check(step) or words == MOST_WORDS:
                return
            case Approve() | Abandon() | Merge():
                return
            case Escalate():
                words += 1
                _act(world, push=world.is_open and chance.choice((True, False)))
                _something_is_tried(world, step)
            case Wait() | AwaitChecks():
                world.minutes += 10
                world.next_run()
            case _:
                world.take(step)
    raise AssertionError(f"no end after {MOST_STEPS} steps, the last was {step}")


def _act(world: World, *, push: bool) -> None:
    """Speak or push; what only a person could settle is open again, as runs/reopening.py does."""
    world.next_run()
    world.minutes += 1
    if push:
        world.push_by_person()
    world.person_act = world.now
    for name, point in world.points.items():
        if point.state is State.NEEDS_HUMAN:
            anew = {"state": State.OPEN, "claim": None, "claimed_by": "", "stood_count": 0}
            world.points[name] = point.model_copy(update=anew)


def _something_is_tried(world: World, before: Step) -> None:
    now = next_step(world.case())
    assert not isinstance(now, Escalate), f"{before} and then at once {now}"


def _is_about_the_check(step: Escalate) -> bool:
    """That it can run now is looked up when it is run anew, which is not custody's to see."""
    return step.reason.startswith("the check cannot run")
