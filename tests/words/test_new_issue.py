from __future__ import annotations

from harness.facts.findings import NewIssue
from harness.words.new_issue import filed_body, issue_body, issue_title


def test_an_issue_can_be_picked_up_cold() -> None:
    issue = NewIssue(
        problem="`mul` loses the sign.",
        reproduction="1. `mul(-1, 2)`\n2. Actual result: 2",
        impact="Wrong totals.",
        expected="`mul(-1, 2)` is -2.",
    )

    assert issue_body(issue, pull=9, fingerprint="v1:0123456789abcdef") == (
        "### Problem\n\n`mul` loses the sign.\n\n"
        "### Reproduction\n\n1. `mul(-1, 2)`\n2. Actual result: 2\n\n"
        "### Impact\n\nWrong totals.\n\n"
        "### Expected behaviour\n\n`mul(-1, 2)` is -2.\n\n"
        "Found while reviewing #9, which did not cause it (ledger entry 01234567)."
    )


def test_a_body_that_an_agent_wrote_whole_cannot_hide_where_it_comes_from() -> None:
    assert filed_body("```\nx", pull=9, fingerprint="v1:0123456789abcdef") == (
        "```\nx\n```\n\nFound while reviewing #9, which did not cause it (ledger entry 01234567)."
    )


def test_a_title_is_one_line() -> None:
    assert issue_title("`mul` loses\nthe sign") == "`mul` loses the sign"
