"""What people do to the issue and the pull request while the agents are at work."""

from __future__ import annotations

from typing import TypeVar

import pytest

from harness.facts.case import Case
from harness.facts.causes import Cause
from harness.facts.decisions import Outcome
from harness.facts.steps import Abandon, Approve, Escalate, Merge, Review
from harness.rules.custody import next_step
from harness.rules.gate import approve_gate, merge_gate
from tests.rules.custody.world import World

T = TypeVar("T")
EDITED = "it was edited after mia approved it; approve the new text"


def _first(options: tuple[T, ...]) -> T:
    return options[0]


def _cases() -> list[Case]:
    """The case before each step of a whole work, the last of them to be approved."""
    world = World(_first)
    cases = [world.case()]
    while not isinstance(step := next_step(cases[-1]), Approve):
        world.take(step)
        cases.append(world.case())
    return cases


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return _cases()


def test_a_text_that_nobody_allowed_stops_every_step(cases: list[Case]) -> None:
    for case in cases:
        parked = case.model_copy(update={"parked": EDITED, "called": True})

        assert next_step(parked) == Escalate(reason=EDITED, cause=Cause.PARKED)
    assert EDITED in approve_gate(parked).reasons


def test_a_label_that_says_to_leave_it_alone_ends_it_at_every_step(cases: list[Case]) -> None:
    why = "its label says to leave it alone"
    for case in cases:
        alone = case.model_copy(update={"left_alone": why, "parked": EDITED, "called": True})

        assert next_step(alone) == Abandon(outcome=Outcome.ABANDONED, reason=why)
    assert why in approve_gate(alone).reasons


def test_the_label_that_calls_a_person_leaves_merging_to_people(cases: list[Case]) -> None:
    wanted = cases[-1].model_copy(update={"person_wanted": True})

    reason = 'the label "harness: needs a person" is on it: merging is left to people'
    assert reason in merge_gate(wanted).reasons
    assert isinstance(next_step(wanted), Approve)


def test_a_pull_request_that_goes_elsewhere_is_not_approved_and_a_person_is_called(
    cases: list[Case],
) -> None:
    done = cases[-1].model_copy(update={"approved": cases[-1].head, "merge_wanted": True})
    assert done.pull is not None
    turned = done.model_copy(update={"pull": done.pull.model_copy(update={"base": "rel"})})

    step = next_step(turned)

    assert isinstance(step, Escalate)
    assert step.cause is Cause.BRANCH
    assert step.reason.startswith("pull request #7 goes into rel now, and the work is for main: ")
    assert step.reason in approve_gate(turned).reasons
    assert isinstance(next_step(done), Merge)


def test_what_was_compared_with_another_base_is_reviewed_anew(cases: list[Case]) -> None:
    rewound = cases[-1].model_copy(update={"base": "earlier"})

    assert isinstance(next_step(rewound.model_copy(update={"has_check": False})), Review)
    assert "no valid review of this head" in approve_gate(rewound).reasons[0]
