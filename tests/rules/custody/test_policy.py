"""What the harness reads from the base, or CI runs, is passed by a person."""

from __future__ import annotations

from datetime import timedelta
from typing import TypeVar

import pytest

from harness.facts.case import Case
from harness.facts.causes import Cause
from harness.facts.steps import Approve, Escalate
from harness.rules.custody import next_step
from tests.rules.custody.world import World

T = TypeVar("T")


def _first(options: tuple[T, ...]) -> T:
    return options[0]


@pytest.fixture
def reviewed() -> Case:
    """A change that was reviewed without a finding: nothing is left but its end."""
    world = World(_first)
    while not isinstance(next_step(case := world.case()), Approve):
        world.take(next_step(case))
    return case


def test_a_change_of_policy_needs_a_person(reviewed: Case) -> None:
    touching = reviewed.model_copy(update={"protected_paths": ("AGENTS.md", ".harness/check")})

    assert next_step(touching) == Escalate(
        reason="the agents have nothing against it, but a person has to pass "
        "AGENTS.md, .harness/check",
        cause=Cause.POLICY,
    )


@pytest.mark.parametrize("paths", [(), None], ids=["none", "not looked at"])
def test_another_change_does_not(reviewed: Case, paths: tuple[str, ...] | None) -> None:
    other = reviewed.model_copy(update={"protected_paths": paths})

    assert isinstance(next_step(other), Approve)


def test_a_person_who_acted_after_they_were_asked_has_passed_it(reviewed: Case) -> None:
    asked = reviewed.now
    touching = reviewed.model_copy(update={"protected_paths": ("AGENTS.md",)})
    later, earlier = asked + timedelta(minutes=1), asked - timedelta(minutes=1)

    passed = touching.model_copy(update={"policy_asked_at": asked, "last_person_act": later})
    before = touching.model_copy(update={"policy_asked_at": asked, "last_person_act": earlier})
    unasked = touching.model_copy(update={"last_person_act": later})
    kept = touching.model_copy(update={"approved": touching.head})

    assert isinstance(next_step(passed), Approve)
    assert isinstance(next_step(before), Escalate)
    assert isinstance(next_step(unasked), Escalate)
    assert isinstance(next_step(kept), Approve)
