from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from harness.facts.decisions import Complexity, Decision, Opinion, Risk
from harness.facts.forge import Author, Comment, Issue
from harness.facts.settings import TriageSettings
from harness.rules.triage import (
    decline_reasons,
    made_on,
    may_close,
    needs_decision,
    reconcile,
    text_hash,
    to_ask,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SETTINGS = TriageSettings()


def person(number: int = 1) -> Author:
    return Author(id=number, login=f"p{number}", kind="user")


def issue(
    *, title: str = "Crash", body: str = "It crashes.", labels: tuple[str, ...] = ()
) -> Issue:
    return Issue(
        id=100,
        number=5,
        title=title,
        body=body,
        author=person(),
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


def comment(body: str) -> Comment:
    return Comment(
        id=1,
        node_id="",
        where="issue",
        author=person(2),
        body=body,
        created_at=NOW,
        updated_at=NOW,
        url="",
        reply_to=0,
    )


def opinion(
    *,
    agent: str = "ann",
    does: bool = True,
    reason: str = "It is real.",
    complexity: Complexity = "s",
    risk: Risk = "low",
    depends_on: tuple[int, ...] = (),
    tracker: bool = False,
) -> Opinion:
    return Opinion(
        agent=agent,
        issue=5,
        reason=reason,
        depends_on=depends_on,
        complexity=complexity,
        risk=risk,
        tracker=tracker,
        worth_doing=does,
    )


def decided(first: Opinion | None, second: Opinion | None) -> Decision:
    return reconcile(first, second, repo_id=7, issue=5, on="h", at=NOW)


DO, SKIP = opinion(), opinion(does=False)


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        pytest.param(DO, DO, "scheduled", id="both do"),
        pytest.param(SKIP, SKIP, "declined", id="both skip"),
        pytest.param(DO, SKIP, "contested", id="only the first"),
        pytest.param(SKIP, DO, "contested", id="only the second"),
        pytest.param(DO, None, "unjudged", id="second silent"),
        pytest.param(None, SKIP, "unjudged", id="first silent"),
        pytest.param(None, None, "unjudged", id="both silent"),
        pytest.param(DO, opinion(tracker=True), "contested", id="a tracker is never done"),
    ],
)
def test_two_opinions_come_to_one_verdict(
    first: Opinion | None, second: Opinion | None, verdict: str
) -> None:
    assert decided(first, second).verdict == verdict


def test_the_graver_estimate_and_all_dependencies_count() -> None:
    decision = decided(
        opinion(complexity="m", risk="low", depends_on=(3, 5)),
        opinion(complexity="s", risk="high", depends_on=(9, 3)),
    )

    assert (decision.complexity, decision.risk, decision.depends_on) == ("m", "high", (3, 9))


def test_what_nobody_judged_counts_as_the_worst() -> None:
    decision = decided(None, None)

    assert (decision.complexity, decision.risk, decision.opinions) == ("l", "high", ())


@pytest.mark.parametrize(
    ("one", "other", "posted"),
    [
        pytest.param("Fixed in 2.1.", "fixed in 2.1", ["Fixed in 2.1."], id="the same"),
        pytest.param("Fixed.", "Fixed in 2.1.", ["Fixed in 2.1."], id="one says more"),
        pytest.param(
            "Fixed in 2.1.", "No steps given.", ["Fixed in 2.1.", "No steps given."], id="two"
        ),
        pytest.param("", "No steps given.", ["No steps given."], id="one says nothing"),
        pytest.param("fix", "prefix it", ["fix", "prefix it"], id="part of a word"),
    ],
)
def test_both_reasons_are_posted_unless_they_say_the_same(
    one: str, other: str, posted: list[str]
) -> None:
    decision = decided(opinion(does=False, reason=one), opinion(does=False, reason=other))

    assert [reason for _, reason in decline_reasons(decision)] == posted


def test_a_declined_issue_is_closed_only_when_asked_for() -> None:
    declined = decided(SKIP, SKIP)

    assert not may_close(declined, SETTINGS)
    assert may_close(declined, TriageSettings(close_declined=True))


@pytest.mark.parametrize("who", ["first", "second"])
def test_what_either_calls_a_tracker_is_never_closed(who: str) -> None:
    tracker = opinion(does=False, tracker=True)
    pair = (tracker, SKIP) if who == "first" else (SKIP, tracker)

    assert not may_close(decided(*pair), TriageSettings(close_declined=True))


def test_contested_issues_are_never_closed() -> None:
    assert not may_close(decided(DO, SKIP), TriageSettings(close_declined=True))


def test_an_approval_is_pinned_to_title_and_body_only() -> None:
    text = text_hash(issue())

    assert text_hash(issue(labels=("bug",))) == text
    assert text_hash(issue(body="It crashes.\r\n")) == text
    assert text_hash(issue(body="It crashes!")) != text
    assert text_hash(issue(title="Crashes")) != text


def test_a_title_does_not_run_into_a_body() -> None:
    assert text_hash(issue(title="a", body="b c")) != text_hash(issue(title="a b", body="c"))


def test_a_decision_is_made_on_the_thread_too() -> None:
    bare = made_on(issue(), [])

    assert made_on(issue(), [comment("me too")]) != bare
    assert made_on(issue(labels=("harness: needs a person",)), []) == bare


def test_a_decision_stands_until_something_changes() -> None:
    decision = decided(DO, DO)

    assert needs_decision(decision, "h", NOW, SETTINGS, asked=False) == ""


@pytest.mark.parametrize(
    ("decision", "on", "days", "asked"),
    [
        pytest.param(None, "h", 0, False, id="never triaged"),
        pytest.param(decided(DO, DO), "other", 0, False, id="changed"),
        pytest.param(decided(DO, DO), "h", 90, False, id="long ago"),
        pytest.param(decided(DO, SKIP), "h", 0, True, id="asked"),
        pytest.param(decided(DO, None), "h", 0, False, id="unjudged"),
    ],
)
def test_a_decision_is_made_again_for_a_reason(
    decision: Decision | None, on: str, days: int, asked: bool
) -> None:
    later = NOW + timedelta(days=days)

    assert needs_decision(decision, on, later, SETTINGS, asked=asked)


@pytest.mark.parametrize(
    ("first", "second", "on", "asked"),
    [
        (opinion(agent="ann"), None, "same", {"bob"}),
        (None, opinion(agent="bob"), "same", {"ann"}),
        (None, None, "same", {"ann", "bob"}),
        (opinion(agent="ann"), None, "changed", {"ann", "bob"}),
        (opinion(agent="ann"), opinion(agent="bob"), "same", {"ann", "bob"}),
        (opinion(agent="gone"), None, "same", {"ann", "bob"}),
    ],
)
def test_only_whoever_was_silent_about_this_text_is_to_be_asked(
    first: Opinion | None, second: Opinion | None, on: str, asked: set[str]
) -> None:
    decision = reconcile(first, second, repo_id=1, issue=5, on="same", at=NOW)

    assert to_ask(decision, on, ("ann", "bob")) == asked


def test_both_are_to_be_asked_about_what_is_new() -> None:
    assert to_ask(None, "new", ("ann", "bob")) == {"ann", "bob"}
