from __future__ import annotations

import pytest

from harness.facts.decisions import ItemReport, Outcome
from harness.rules.outcomes import exit_code, exit_of_run


def report(outcome: Outcome) -> ItemReport:
    return ItemReport(repo="o/r", item=1, title="t", outcome=outcome, reason="")


def test_every_outcome_has_an_exit_code() -> None:
    assert {exit_code(outcome) for outcome in Outcome} == {0, 1, 3}


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        pytest.param([], 0, id="nothing to do"),
        pytest.param([Outcome.APPROVED, Outcome.DECLINED], 0, id="all done"),
        pytest.param([Outcome.WAITING_FOR_PREREQUISITE], 0, id="waiting for a prerequisite only"),
        pytest.param([Outcome.APPROVED, Outcome.PARKED], 1, id="one needs a person"),
        pytest.param([Outcome.NO_CHANGE], 1, id="no change"),
        pytest.param([Outcome.ESCALATED, Outcome.WAITING], 3, id="3 over 1"),
        pytest.param([Outcome.UNJUDGED, Outcome.MERGED], 3, id="3 over 0"),
    ],
)
def test_a_run_ends_with_three_over_one_over_zero(outcomes: list[Outcome], code: int) -> None:
    assert exit_of_run(report(outcome) for outcome in outcomes) == code


def test_what_the_operator_has_to_mend_comes_before_everything() -> None:
    assert exit_of_run([report(Outcome.WAITING)], mistaken=True) == 2
