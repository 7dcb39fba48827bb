from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.facts.forge import Author, Issue
from harness.facts.settings import TriageSettings
from harness.rules.triage_select import cut_issue, pack_issues, select_issues

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def issue(number: int, **told: Any) -> Issue:  # any field of an issue
    fields: dict[str, Any] = {
        "id": number,
        "number": number,
        "title": "t",
        "body": "b",
        "author": Author(id=1, login="Ada", kind="user"),
        "state": "open",
        "state_reason": "",
        "labels": (),
        "assignees": (),
        "locked": False,
        "is_pull": False,
        "created_at": NOW,
        "updated_at": NOW,
        "url": "",
    }
    return Issue(**fields | told)


def numbers(issues: tuple[Issue, ...]) -> list[int]:
    return [one.number for one in issues]


@pytest.mark.parametrize(
    ("told", "settings", "reason"),
    [
        ({"is_pull": True}, {}, "it is a pull request"),
        ({"state": "closed"}, {}, "it is closed"),
        ({"labels": ("Harness: Skip",)}, {}, 'it is labelled "harness: skip"'),
        ({}, {"labels": ("bug", "easy")}, "it has none of the labels bug, easy"),
        ({}, {"authors": ("bob",)}, "its author Ada is not among [triage] authors"),
        ({}, {"floor": 6}, "it is below the floor #6"),
    ],
    ids=["pull", "closed", "skip", "labels", "authors", "floor"],
)
def test_an_issue_is_left_out_for_a_reason(
    told: dict[str, Any], settings: dict[str, Any], reason: str
) -> None:
    selection = select_issues([issue(5, **told)], TriageSettings(**settings))

    assert selection.chosen == ()
    assert [(left.number, left.reason) for left in selection.left_out] == [(5, reason)]


def test_what_passes_every_filter_is_chosen_lowest_number_first() -> None:
    settings = TriageSettings(labels=("Bug",), authors=("ada",), floor=2)

    selection = select_issues([issue(n, labels=("bug",)) for n in (4, 2, 3)], settings)

    assert numbers(selection.chosen) == [2, 3, 4]
    assert selection.left_out == ()


def test_named_numbers_pass_the_filters_and_nothing_else_is_looked_at() -> None:
    issues = [issue(1), issue(5, labels=("harness: skip",)), issue(6, is_pull=True)]

    selection = select_issues(issues, TriageSettings(floor=10), named=[5, 6, 9])

    assert numbers(selection.chosen) == [5]
    assert [(left.number, left.reason) for left in selection.left_out] == [
        (6, "it is a pull request")
    ]
    assert selection.missing == (9,)


def test_the_limit_counts_only_what_costs_a_question() -> None:
    issues = [issue(number) for number in range(1, 6)]

    selection = select_issues(issues, TriageSettings(limit=2), decided=[1, 2])

    assert numbers(selection.chosen) == [1, 2, 3, 4]
    assert [(left.number, left.reason) for left in selection.left_out] == [
        (5, "the limit of 2 new issues a run is reached; a later run looks at it")
    ]


def test_whole_issues_are_deferred_when_the_budget_is_full() -> None:
    packed = pack_issues([(1, "a" * 60), (2, "b" * 50), (3, "c")], budget=100)

    assert packed.texts == ((1, "a" * 60),)
    assert packed.deferred == (2, 3)


def test_a_single_issue_over_the_budget_is_cut_and_not_deferred_for_ever() -> None:
    packed = pack_issues([(1, "line\n" * 500)], budget=300)

    assert [number for number, _ in packed.texts] == [1]
    assert len(packed.texts[0][1]) <= 300


def test_a_long_issue_is_cut_on_a_line_aloud() -> None:
    text = cut_issue("one\ntwo\n" + "x" * 500, 120)

    assert text == (
        "one\ntwo\n"
        "[The rest of this issue, 501 of 508 characters, is left out here: it is too long.]"
    )


@given(st.text(), st.integers(100, 300))
def test_a_cut_text_is_never_over_its_limit(text: str, limit: int) -> None:
    assert len(cut_issue(text, limit)) <= limit


@given(st.lists(st.text(max_size=200), max_size=8), st.integers(200, 400))
def test_what_is_packed_fits_and_nothing_is_lost(texts: list[str], budget: int) -> None:
    packed = pack_issues(list(enumerate(texts)), budget)

    assert sum(len(text) for _, text in packed.texts) <= budget
    assert [n for n, _ in packed.texts] + list(packed.deferred) == list(range(len(texts)))
