from __future__ import annotations

import pytest

from harness.facts.decisions import Outcome
from harness.words.status_lines import commit_status, dollars


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (Outcome.APPROVED, ("success", "Approved by bob after 2 rounds")),
        (Outcome.MERGED, ("success", "Approved by bob after 2 rounds")),
        (Outcome.ESCALATED, ("failure", "Needs a person: why")),
        (Outcome.NO_CHANGE, ("failure", "Needs a person: why")),
        (Outcome.ABANDONED, ("failure", "Not continued: why")),
        (Outcome.ERROR, ("error", "Stopped: why")),
        (Outcome.WAITING, ("pending", "why")),
        (Outcome.UNJUDGED, ("pending", "why")),
    ],
)
def test_a_status_says_how_it_stands(outcome: Outcome, told: tuple[str, str]) -> None:
    assert commit_status(outcome, reviewer="bob", rounds=2, reason="why") == told


def test_work_that_goes_on_is_pending() -> None:
    assert commit_status(None, rounds=1) == ("pending", "In review, round 1")


def test_only_approval_is_success() -> None:
    good = {outcome for outcome in Outcome if commit_status(outcome)[0] == "success"}

    assert good == {Outcome.APPROVED, Outcome.MERGED}


def test_a_description_fits_what_github_takes() -> None:
    assert len(commit_status(Outcome.ESCALATED, reason="word " * 100)[1]) <= 140


@pytest.mark.parametrize(
    ("micro", "told"), [(0, "0.0000 $"), (12_300, "0.0123 $"), (1_234_567_890, "1,234.57 $")]
)
def test_money_is_told_in_dollars(micro: int, told: str) -> None:
    assert dollars(micro) == told
