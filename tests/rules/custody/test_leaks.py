"""A secret in what would be pushed: its author is told once, then a person is called."""

from __future__ import annotations

from datetime import timedelta
from typing import TypeVar

import pytest

from harness.facts.case import Case
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.leaks import Leak
from harness.facts.steps import Check, Escalate, FixCheck
from harness.rules.custody import next_step
from tests.rules.custody.world import World

T = TypeVar("T")
IN_FILE = Leak(where="a.py", line=3, ours=False, in_file=True)
IN_MESSAGE = Leak(where="the commit message", line=0, ours=True, in_file=False)


def _first(options: tuple[T, ...]) -> T:
    return options[0]


@pytest.fixture
def committed() -> Case:
    """A change that is committed and not looked at yet."""
    world = World(_first)
    while not isinstance(next_step(case := world.case()), Check):
        world.take(next_step(case))
    return case


def _told(case: Case) -> Case:
    """The author answered what it was told, and left it there."""
    implemented = case.told[-1]
    answer = implemented.model_copy(
        update={
            "id": "fix",
            "kind": ExchangeKind.FIX_CHECK,
            "head": case.head,
            "result": Ending.REPLIED,
            "recorded": True,
            "edited": False,
            "of_leak": True,
            "reason": "a sample",
            "at": case.now,
        }
    )
    return case.model_copy(update={"told": (*case.told, answer), "leaks": (IN_FILE,)})


def test_the_author_is_told_before_anything_else_is_tried(committed: Case) -> None:
    step = next_step(committed.model_copy(update={"leaks": (IN_FILE,)}))

    assert isinstance(step, FixCheck)
    assert step.agent == "ada"


def test_one_who_was_told_is_not_told_again(committed: Case) -> None:
    step = next_step(_told(committed))

    assert isinstance(step, Escalate)
    assert step.reason == (
        "nothing was pushed: a.py:3 (it looks like a token or a key); ada says: a sample"
    )


def test_a_person_who_acted_lets_it_be_told_once_more(committed: Case) -> None:
    told = _told(committed)
    acted = told.model_copy(update={"last_person_act": told.now + timedelta(minutes=1)})

    assert isinstance(next_step(acted), FixCheck)


def test_what_no_author_can_mend_calls_a_person_at_once(committed: Case) -> None:
    step = next_step(committed.model_copy(update={"leaks": (IN_MESSAGE,)}))

    assert isinstance(step, Escalate)
    assert "one of the harness's own secrets" in step.reason


def test_being_told_of_a_secret_costs_no_answer_to_a_red_check(committed: Case) -> None:
    red = committed.base_check
    assert red is not None
    check = red.model_copy(update={"sha": committed.head, "state": "red"})
    loop = committed.loop.model_copy(update={"max_check_fixes": 1})
    told = _told(committed).model_copy(update={"leaks": (), "head_check": check, "loop": loop})
    mended = told.model_copy(
        update={
            "told": (
                *told.told[:-1],
                told.told[-1].model_copy(update={"edited": True, "committed": True}),
            )
        }
    )

    assert isinstance(next_step(mended), FixCheck)
