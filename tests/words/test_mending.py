"""Whoever is called is told what mends it, and not to comment where that mends nothing."""

from __future__ import annotations

import pytest

from harness.facts.causes import Cause
from harness.words.mending import what_to_do

WITHOUT_A_WORD = {Cause.BUDGET, Cause.UNRUNNABLE, Cause.BRANCH}
OPERATORS = {
    Cause.BUDGET: "`dollars_item`",
    Cause.UNRUNNABLE: "`check` or `setup`",
    Cause.LEAK: "`sample_secrets`",
    Cause.UNCOMMITTABLE: "`[protected]`",
}
LOOKED_AT_AGAIN = {
    Cause.PARKED,
    Cause.BUDGET,
    Cause.UNRUNNABLE,
    Cause.PENDING,
    Cause.OBJECTION,
    Cause.BRANCH,
}


@pytest.mark.parametrize("on_issue", [False, True])
@pytest.mark.parametrize("cause", Cause)
def test_every_cause_says_what_to_do(cause: Cause, *, on_issue: bool) -> None:
    told = what_to_do(cause, on_issue=on_issue)

    assert told.startswith("**What to do:** ")
    assert told.endswith(".")
    assert ("Closing the pull request ends it." in told) is not on_issue
    assert not (on_issue and "push a commit" in told)


@pytest.mark.parametrize("cause", Cause)
def test_a_comment_is_asked_for_only_where_it_helps(cause: Cause) -> None:
    told = what_to_do(cause)

    assert ("a comment here does not" in told) is (cause in WITHOUT_A_WORD)
    assert ("looks again by itself" in told) is (cause in LOOKED_AT_AGAIN)


@pytest.mark.parametrize(("cause", "key"), OPERATORS.items())
def test_the_operator_is_named_the_key_of_the_config(cause: Cause, key: str) -> None:
    assert key in what_to_do(cause)
