"""What people say is heard before anything is approved, and sets no more going than it must."""

from __future__ import annotations

from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.facts.causes import Cause
from harness.facts.settings import LoopSettings
from harness.facts.steps import (
    Abandon,
    Approve,
    AwaitChecks,
    Close,
    Escalate,
    Merge,
    Review,
    Step,
    Wait,
)
from harness.rules.custody import is_outdated, next_step, review_of_head, unheard
from harness.rules.gate import approve_gate, merge_gate
from tests.rules.custody.world import World

T = TypeVar("T")
MOST_STEPS = 400


def _first(options: tuple[T, ...]) -> T:
    return options[0]


@pytest.fixture
def done() -> World:
    """A change that was reviewed without a finding: nothing is left but its end."""
    world = World(_first)
    _work(world)
    return world


def _work(world: World) -> list[Step]:
    taken: list[Step] = []
    while not isinstance(step := next_step(world.case()), Approve | Escalate):
        world.take(step)
        taken.append(step)
    return [*taken, step]


def test_a_word_after_the_review_is_reviewed_once_and_then_it_is_approved(done: World) -> None:
    done.speak()

    assert [(type(step), getattr(step, "round", 0)) for step in _work(done)] == [
        (Review, 2),
        (Approve, 0),
    ]


def test_the_gate_names_whoever_was_not_heard(done: World) -> None:
    done.speak()

    verdict = approve_gate(done.case())

    assert verdict.reasons == ("the review was not shown what was said by eve",)


def test_a_strangers_word_asks_nobody_anything(done: World) -> None:
    done.speak(may_write=False)

    assert isinstance(next_step(done.case()), Approve)
    assert approve_gate(done.case()).go


def test_what_was_said_before_the_review_was_heard_by_it() -> None:
    world = World(_first)
    world.speak()

    steps = _work(world)

    assert sum(isinstance(step, Review) for step in steps) == 1
    assert isinstance(steps[-1], Approve)


def test_a_word_that_was_changed_is_another_word(done: World) -> None:
    done.speak()
    _work(done)
    done.words[0] = done.words[0].model_copy(update={"key": "pull:0:changed"})

    assert [type(step) for step in _work(done)] == [Review, Approve]


def test_a_text_of_the_issue_that_was_not_shown_is_a_word_too(done: World) -> None:
    done.rewrite()

    case = done.case()
    assert approve_gate(case).reasons == ("the review was shown another text of #1",)
    assert [(type(step), getattr(step, "round", 0)) for step in _work(done)] == [
        (Review, 2),
        (Approve, 0),
    ]
    assert (
        "the text of #1 was changed since a review: merging is left to people"
        in merge_gate(done.case()).reasons
    )


def test_every_new_text_starts_the_rounds_anew() -> None:
    world = World(_first, LoopSettings(max_rounds=1))
    _work(world)

    for _ in range(4):
        world.rewrite()
        assert [type(step) for step in _work(world)] == [Review, Approve]


def test_every_word_starts_the_rounds_anew_and_no_more_than_one_review_each() -> None:
    world = World(_first, LoopSettings(max_rounds=1))
    _work(world)

    for _ in range(4):
        world.speak()
        assert [type(step) for step in _work(world)] == [Review, Approve]


def test_whoever_asked_for_changes_is_called_by_name_after_they_were_heard(done: World) -> None:
    done.speak()
    done.objections = ("eve",)

    steps = _work(done)

    assert isinstance(steps[0], Review)
    assert steps[1:] == [
        Escalate(
            reason="the agents have nothing against it any more, but eve asked for changes",
            cause=Cause.OBJECTION,
        )
    ]
    assert "eve asked for changes" in approve_gate(done.case()).reasons


@settings(max_examples=300, deadline=None)
@given(data=st.data(), rounds=st.integers(1, 3))
def test_nothing_is_approved_over_a_word_and_every_path_still_ends(
    data: st.DataObject, rounds: int
) -> None:
    def choose(options: tuple[T, ...]) -> T:
        return options[data.draw(st.integers(0, len(options) - 1))]

    world = World(choose, LoopSettings(max_rounds=rounds, max_tries=2))
    words = 0
    for _ in range(MOST_STEPS):
        case = world.case()
        step = next_step(case)
        match step:
            case Approve():
                review = review_of_head(case)
                assert review is not None
                assert unheard(case, review) == ()
                assert not is_outdated(case, review)
                if words == 3:
                    return
                world.speak()
                words += 1
            case Escalate() | Abandon() | Merge():
                return
            case Wait() | AwaitChecks():
                world.minutes += 10
                world.next_run()
            case _:
                world.take(step)
        if words < 3 and choose((False,) * 9 + (True,)):
            if choose((True, False)):
                world.speak(may_write=choose((True, False)))
            else:
                world.rewrite()
            words += 1
        if isinstance(step, Review | Close):
            assert _reviews_of_these_words(world) <= rounds + 1
    raise AssertionError(f"no end after {MOST_STEPS} steps, the last was {step}")


def _reviews_of_these_words(world: World) -> int:
    """Reviews since the last word: the rounds, and the closing pass."""
    act = world.person_act
    return sum(
        1
        for one in world.told
        if one.kind in {"review", "close"}
        and one.recorded
        and (act is None or one.at > act)
        and world.text_key in one.heard
    )
