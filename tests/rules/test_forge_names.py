from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.rules import forge_names


@given(st.integers(1, 10**6), st.integers(1, 50))
def test_a_branch_name_holds_its_issue_and_attempt(issue: int, attempt: int) -> None:
    branch = forge_names.branch_name(issue, attempt)

    assert forge_names.item_of_branch(branch) == (issue, attempt)


def test_branches_are_named_as_people_see_them() -> None:
    assert forge_names.branch_name(12) == "harness/issue-12"
    assert forge_names.branch_name(12, 2) == "harness/issue-12-2"


@pytest.mark.parametrize(
    "branch",
    [
        "main",
        "harness/issue-",
        "harness/issue-0",
        "harness/issue-012",
        "harness/issue-12-1",
        "harness/issue-12-02",
        "harness/issue-12\n",
        "harness/issue-12/x",
        "x/harness/issue-12",
        "harness/issue-१२",
    ],
)
def test_another_branch_is_no_item_of_ours(branch: str) -> None:
    assert forge_names.item_of_branch(branch) is None


def test_a_purpose_is_another_one_on_another_occasion() -> None:
    one = forge_names.label_purpose(forge_names.NEEDS_A_PERSON, "head a")
    other = forge_names.label_purpose(forge_names.NEEDS_A_PERSON, "head b")

    assert one != other
    assert one == forge_names.label_purpose(forge_names.NEEDS_A_PERSON, "head a")
