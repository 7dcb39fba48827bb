from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.facts.decisions import Complexity, Decision, Risk
from harness.facts.triage import PrerequisiteState
from harness.rules.triage_order import order_issues, prerequisite_state, waits_for

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def decision(
    issue: int,
    needs: tuple[int, ...] = (),
    complexity: Complexity = "s",
    risk: Risk = "low",
    *,
    declined: bool = False,
) -> Decision:
    return Decision(
        repo_id=7,
        issue=issue,
        verdict="declined" if declined else "scheduled",
        opinions=(),
        complexity=complexity,
        risk=risk,
        depends_on=needs,
        made_on="",
        at=NOW,
    )


def test_cheapest_then_least_risky_then_lowest_number_comes_first() -> None:
    ordering = order_issues(
        [
            decision(1, complexity="l"),
            decision(2, complexity="s", risk="high"),
            decision(4, complexity="s"),
            decision(3, complexity="s"),
        ]
    )

    assert ordering.sequence == (3, 4, 2, 1)


def test_dependencies_come_before_what_is_cheap() -> None:
    ordering = order_issues([decision(1, (9,)), decision(9, complexity="l"), decision(5)])

    assert ordering.sequence == (5, 9, 1)


def test_what_is_not_scheduled_is_not_ordered() -> None:
    ordering = order_issues([decision(1, (2, 77)), decision(2, declined=True)])

    assert ordering.sequence == (1,)


def test_a_cycle_is_named_and_broken_at_its_lowest_number() -> None:
    ordering = order_issues(
        [decision(8, (3,)), decision(3, (5,)), decision(5, (8,)), decision(1, (8,))]
    )

    assert ordering.cycles == ((3, 5, 8),)
    assert ordering.released == ((3, 5),)
    assert ordering.sequence == (3, 8, 1, 5)


def test_an_issue_that_only_waits_for_a_cycle_is_not_part_of_it() -> None:
    ordering = order_issues([decision(1, (4,)), decision(4, (6,)), decision(6, (4,))])

    assert ordering.cycles == ((4, 6),)
    assert ordering.sequence[0] == 4


def test_an_issue_does_not_depend_on_itself() -> None:
    assert order_issues([decision(4, (4,))]).cycles == ()


graphs = st.dictionaries(
    st.integers(1, 12), st.sets(st.integers(1, 12), max_size=4), min_size=1, max_size=12
)


@given(graphs)
def test_every_issue_comes_once_and_after_what_it_still_waits_for(
    graph: dict[int, set[int]],
) -> None:
    decisions = [decision(number, tuple(sorted(needs))) for number, needs in graph.items()]

    ordering = order_issues(decisions)

    place = {number: index for index, number in enumerate(ordering.sequence)}
    assert sorted(ordering.sequence) == sorted(graph)
    for number, needs in graph.items():
        for other in (needs & graph.keys()) - {number}:
            assert place[other] < place[number] or (number, other) in ordering.released


@given(graphs)
def test_every_cycle_that_is_named_is_one(graph: dict[int, set[int]]) -> None:
    decisions = [decision(number, tuple(sorted(needs))) for number, needs in graph.items()]

    for cycle in order_issues(decisions).cycles:
        assert cycle[0] == min(cycle)
        assert all(other in graph[one] for one, other in pairwise((*cycle, cycle[0])))


def test_an_issue_waits_for_what_is_open() -> None:
    waiting = waits_for(decision(5, (1, 2)), {1: "open", 2: "done"})

    assert waiting.numbers == (1,)
    assert waiting.warnings == ()


@pytest.mark.parametrize(
    ("states", "warning"),
    [
        ({2: "declined"}, "#5 was to wait for #2, which was declined; it no longer waits."),
        ({2: "closed"}, "#5 was to wait for #2, closed unmerged; it no longer waits."),
        ({}, "#5 was to wait for #2, which is not known; it does not wait."),
    ],
    ids=["declined", "closed", "unknown"],
)
def test_what_will_not_come_is_not_waited_for_and_said(
    states: dict[int, PrerequisiteState], warning: str
) -> None:
    waiting = waits_for(decision(5, (2,)), states)

    assert waiting.numbers == ()
    assert waiting.warnings == (warning,)


def test_what_a_cycle_gave_up_is_not_waited_for() -> None:
    assert waits_for(decision(3, (5,)), {5: "open"}, released=[(3, 5)]).numbers == ()


@pytest.mark.parametrize(
    ("closed", "reason", "merged", "declined", "state"),
    [
        pytest.param(False, "", False, False, "open", id="open"),
        pytest.param(False, "", False, True, "declined", id="declined and open"),
        pytest.param(False, "", True, False, "done", id="merged, not closed yet"),
        pytest.param(True, "completed", False, False, "done", id="completed by a person"),
        pytest.param(True, "not_planned", False, False, "closed", id="not planned"),
        pytest.param(True, "not_planned", True, True, "done", id="merged after all"),
    ],
)
def test_a_prerequisite_is_done_when_it_is_merged_or_completed(
    *, closed: bool, reason: str, merged: bool, declined: bool, state: str
) -> None:
    told = decision(2, declined=declined)

    assert (
        prerequisite_state(closed=closed, state_reason=reason, merged=merged, decision=told)
        == state
    )
