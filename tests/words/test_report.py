from __future__ import annotations

from typing import Any

import pytest

from harness.facts.decisions import ItemReport, Outcome
from harness.words.report import run_report
from tests.words.made import NOW


def item(number: int, outcome: Outcome, **other: Any) -> ItemReport:  # any field
    fields: dict[str, Any] = {"repo": "o/calc", "title": f"Issue {number}", "reason": ""}
    return ItemReport(item=number, outcome=outcome, **fields | other)


def test_a_run_tells_each_item_why_and_what_the_exit_code_means() -> None:
    report = run_report(
        [
            item(12, Outcome.PARKED, reason="it is by stranger"),
            item(1, Outcome.APPROVED, pull=9),
            item(3, Outcome.DECLINED, repo="o/web"),
        ],
        spent=1_234_567,
    )

    assert report == (
        "o/calc\n"
        "  #1   approved  Issue 1 (pull request #9)\n"
        "  #12  parked    Issue 12\n"
        "       it is by stranger\n"
        "\n"
        "o/web\n"
        "  #3  declined  Issue 3\n"
        "\n"
        "3 items: 1 approved, 1 declined, 1 parked. Spent 1.23 $.\n"
        "Exit code 1: something needs a person.\n"
    )


def test_what_waits_says_until_when() -> None:
    report = run_report([item(3, Outcome.WAITING, reason="rate limited", not_before=NOW)], spent=0)

    assert "     rate limited; not before 2026-11-30 12:00 UTC\n" in report
    assert report.endswith("Exit code 3: something is to be tried again; run the same command.\n")


def test_what_is_about_no_item_is_about_all() -> None:
    report = run_report([item(0, Outcome.ERROR, title="", reason="git fetch failed")], spent=0)

    assert report.startswith("o/calc\n  all  error\n       git fetch failed\n")


def test_nothing_to_do_is_said() -> None:
    assert run_report([], spent=0) == (
        "0 items. Spent 0.0000 $.\nExit code 0: done, nothing waits for anybody.\n"
    )


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ({"dry": True}, "Dry run: nothing was written but what it cost.\n"),
        ({"sandboxed": False}, 'No sandbox: [sandbox] kind = "none".\n'),
        (
            {"mistaken": True},
            "key or an account has to be mended first; stderr says which.\n",
        ),
    ],
)
def test_what_a_reader_has_to_know_is_said(told: dict[str, bool], line: str) -> None:
    assert run_report([], spent=0, **told).endswith(line)
