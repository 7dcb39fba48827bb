from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import pytest

from harness.facts.decisions import Approval
from harness.facts.forge import Author, Issue, Permission
from harness.facts.settings import TriageSettings
from harness.facts.triage import Allowance, LabelEvent
from harness.rules.allowance import may_implement
from harness.rules.triage import text_hash

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
GO = "harness: go"


def issue(body: str = "as written", labels: tuple[str, ...] = ()) -> Issue:
    return Issue(
        id=5,
        number=5,
        title="t",
        body=body,
        author=Author(id=9, login="stranger", kind="user"),
        state="open",
        state_reason="",
        labels=labels,
        assignees=(),
        locked=False,
        is_pull=False,
        created_at=NOW,
        updated_at=NOW,
        url="",
    )


def event(
    *,
    by: str = "mia",
    permission: Permission = Permission.WRITE,
    added: bool = True,
    minutes: int = 0,
    label: str = GO,
) -> LabelEvent:
    at = NOW + timedelta(minutes=minutes)
    return LabelEvent(label=label, added=added, by=by, permission=permission, at=at)


def approval(of: Issue, minutes: int = 0) -> Approval:
    at = NOW + timedelta(minutes=minutes)
    return Approval(repo_id=7, item=5, text_hash=text_hash(of), by="mia", at=at)


def asked(
    one: Issue | None = None,
    permission: Permission = Permission.READ,
    implement: Literal["write-access", "label", "anyone"] = "write-access",
    max_generations: int = 0,
    **more: Any,  # the keyword arguments of the rule
) -> Allowance:
    settings = TriageSettings(implement=implement, max_generations=max_generations)
    return may_implement(one or issue(), permission, settings, repo_id=7, **more)


@pytest.mark.parametrize(
    ("implement", "permission", "allowed"),
    [
        ("write-access", Permission.WRITE, True),
        ("write-access", Permission.ADMIN, True),
        ("write-access", Permission.TRIAGE, False),
        ("write-access", Permission.NONE, False),
        ("label", Permission.ADMIN, False),
        ("anyone", Permission.NONE, True),
    ],
)
def test_code_is_written_for_whom_the_configuration_names(
    implement: Literal["write-access", "label", "anyone"], permission: Permission, allowed: bool
) -> None:
    assert asked(permission=permission, implement=implement).allowed is allowed


def test_an_issue_by_a_stranger_is_parked_with_what_to_do() -> None:
    assert asked().reason == (
        'it is by stranger; somebody with write access has to set the label "harness: go"'
    )


def test_a_label_set_by_a_person_with_write_access_is_an_approval_of_this_text() -> None:
    one = issue(labels=(GO,))

    allowance = asked(one, label_events=[event()])

    assert allowance.allowed
    assert allowance.approval == approval(one)


@pytest.mark.parametrize(
    ("events", "labels"),
    [
        pytest.param([event(permission=Permission.TRIAGE)], (GO,), id="set without write access"),
        pytest.param([], (GO,), id="no event tells who set it"),
        pytest.param([event(label="bug")], ("bug",), id="another label"),
        pytest.param([event()], (), id="it is not there any more"),
        pytest.param([event(), event(added=False, minutes=1)], (), id="taken off"),
        pytest.param(
            [
                event(),
                event(added=False, minutes=1),
                event(by="eve", permission=Permission.TRIAGE, minutes=2),
            ],
            (GO,),
            id="taken off, and set again by somebody without write access",
        ),
    ],
)
def test_a_label_alone_is_no_approval(events: list[LabelEvent], labels: tuple[str, ...]) -> None:
    assert not asked(issue(labels=labels), label_events=events).allowed


def test_an_approved_text_stays_approved() -> None:
    one = issue(labels=(GO,))

    assert asked(one, label_events=[event()], approvals=[approval(one)]).allowed


def test_an_edit_after_approval_parks_it_again() -> None:
    edited = issue("now do something else", labels=(GO,))

    allowance = asked(edited, label_events=[event()], approvals=[approval(issue())])

    assert allowance.reason == "it was edited after mia approved it; approve the new text"


def test_an_edit_between_the_label_and_our_first_look_parks_it() -> None:
    late = NOW + timedelta(minutes=1)

    assert not asked(issue(labels=(GO,)), label_events=[event()], last_edited=late).allowed


def test_setting_the_label_anew_approves_the_edited_text() -> None:
    edited = issue("now do something else", labels=(GO,))
    events = [event(), event(added=False, minutes=5), event(minutes=6)]

    allowance = asked(edited, label_events=events, approvals=[approval(issue())])

    assert allowance.allowed
    assert allowance.approval == approval(edited, minutes=6)


def test_taking_the_label_off_takes_the_approval_back() -> None:
    one = issue()
    events = [event(), event(by="max", added=False, minutes=5)]

    allowance = asked(one, label_events=events, approvals=[approval(one)])

    assert allowance.reason == 'max took the label "harness: go" off'


def test_what_the_operator_names_is_worked_with_the_text_that_it_has() -> None:
    naming = approval(issue()).model_copy(update={"by": "the operator (run r1)"})

    assert asked(naming=naming).approval == naming
    assert asked(naming=naming, generation=3).allowed
    assert asked(naming=naming, approvals=[naming]).allowed


def test_an_edit_while_it_is_worked_parks_what_the_operator_named() -> None:
    naming = approval(issue()).model_copy(update={"by": "the operator (run r1)"})
    edited = issue("now do something else")
    again = approval(edited).model_copy(update={"by": naming.by})

    allowance = asked(edited, naming=again, approvals=[naming])

    assert not allowance.allowed
    assert "edited after the operator (run r1) approved it" in allowance.reason
    next_run = again.model_copy(update={"by": "the operator (run r2)"})
    assert asked(edited, naming=next_run, approvals=[naming]).approval == next_run


@pytest.mark.parametrize(
    ("generation", "most", "allowed"), [(1, 0, False), (1, 1, True), (2, 1, False)]
)
def test_issues_we_filed_ourselves_are_worked_within_their_generations(
    generation: int, most: int, allowed: bool
) -> None:
    allowance = asked(
        permission=Permission.ADMIN,
        implement="anyone",
        generation=generation,
        max_generations=most,
    )

    assert allowance.allowed is allowed


def test_a_person_may_approve_what_we_filed() -> None:
    one = issue(labels=(GO,))

    assert asked(one, generation=1, label_events=[event()]).allowed
