from __future__ import annotations

from typing import Any, get_args

import pytest

from harness.facts.decisions import Opinion
from harness.facts.exchanges import REPLY_TYPES
from harness.facts.findings import Evidence, Finding, NewIssue, Severity
from harness.facts.replies import (
    AnyReply,
    CheckinDone,
    CheckinVerdict,
    DispositionReply,
    EvidenceReply,
    FindingReply,
    ImplementationReply,
    IssueOpinion,
    NewIssueReply,
    Reply,
    ReviewReply,
    RulingReply,
    ScreenVerdict,
    VerdictReply,
)

HOSTS_OWN = {"handle", "raised_by", "head", "fallen"}


def all_shapes(shape: type[Reply] = Reply) -> list[type[Reply]]:
    return [
        one
        for child in shape.__subclasses__()
        if child.__module__ == Reply.__module__
        for one in (child, *all_shapes(child))
    ]


@pytest.mark.parametrize("shape", all_shapes(), ids=lambda shape: shape.__name__)
def test_every_field_of_every_shape_is_required_and_described(shape: type[Reply]) -> None:
    fields = shape.model_fields

    assert shape.__doc__
    assert all(field.is_required() for field in fields.values())
    assert all(field.description for field in fields.values())


@pytest.mark.parametrize(
    ("shape", "order"),
    [
        (EvidenceReply, "kind path line text"),
        (IssueOpinion, "issue reason depends_on complexity risk tracker worth_doing"),
        (
            ImplementationReply,
            "problem changes testing notes summary reason not_worth_doing",
        ),
        (
            FindingReply,
            (
                "file start_line end_line evidence failure_scenario title detail suggestion "
                "citations category in_scope issue severity"
            ),
        ),
        (NewIssueReply, "problem reproduction impact expected"),
        (RulingReply, "handle evidence reasoning agrees"),
        (ReviewReply, "findings rulings not_reviewed summary risk next_action verdict"),
        (
            DispositionReply,
            "handle evidence reasoning new_issue_title new_issue_body action",
        ),
        (VerdictReply, "handle evidence reasoning severity agrees"),
        (
            ScreenVerdict,
            "handle reason title duplicate_of_issue duplicate_of_handle verdict",
        ),
        (
            CheckinVerdict,
            "handle request reasoning new_issue_title new_issue_body unambiguous ask",
        ),
        (CheckinDone, "handle summary changed"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_keys_come_as_they_are_to_be_decided(shape: type[Reply], order: str) -> None:
    assert list(shape.model_fields) == order.split()


@pytest.mark.parametrize(
    ("fact", "shape", "renamed"),
    [
        (
            Finding,
            FindingReply,
            {"anchor": {"file", "start_line", "end_line"}},
        ),
        (Evidence, EvidenceReply, {"file": {"path"}}),
        (NewIssue, NewIssueReply, {}),
        (Opinion, IssueOpinion, {"agent": set()}),
    ],
    ids=["finding", "evidence", "new issue", "opinion"],
)
def test_every_field_of_a_fact_that_comes_from_an_agent_is_asked_for(
    fact: Any, shape: type[Reply], renamed: dict[str, set[str]]
) -> None:
    wanted: set[str] = set()
    for name in fact.model_fields:
        wanted |= renamed.get(name, set() if name in HOSTS_OWN else {name})

    assert wanted == set(shape.model_fields)


def test_severities_offered_are_the_severities_recorded() -> None:
    offered = get_args(FindingReply.model_fields["severity"].annotation)

    assert set(offered) == {severity.value for severity in Severity}
    assert offered == get_args(VerdictReply.model_fields["severity"].annotation)


def test_categories_offered_are_the_categories_recorded() -> None:
    offered = FindingReply.model_fields["category"].annotation

    assert get_args(offered) == get_args(Finding.model_fields["category"].annotation)


def test_every_reply_has_a_name() -> None:
    assert set(REPLY_TYPES.values()) == set(get_args(AnyReply))
