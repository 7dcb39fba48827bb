from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from harness.facts.case import Case, PullView, Told, Word
from harness.facts.checks import Check
from harness.facts.entries import Disposition, State
from harness.facts.findings import Finding, Severity
from harness.facts.forge import ForgeCheck
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.places import Anchor, Place
from harness.facts.points import Point
from harness.facts.settings import LoopSettings
from harness.facts.trees import CommitRow
from harness.rules.gate import approve_gate, merge_gate

NOW = datetime(2026, 11, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)
OPENED = NOW - HOUR
HEAD = "b" * 40


def told(**other: Any) -> Told:  # any field
    fields: dict[str, Any] = {
        "id": "x2",
        "run_id": "r",
        "kind": ExchangeKind.REVIEW,
        "agent": "bob",
        "round": 1,
        "attempt": 1,
        "head": HEAD,
        "base": "a" * 40,
        "result": Ending.REPLIED,
        "reason": "",
        "not_before": None,
        "at": NOW,
        "recorded": True,
    }
    return Told(**fields | other)


def check(state: str = "green", sha: str = HEAD) -> Check:
    fields: dict[str, Any] = {"state": state}
    return Check(command="make test", sha=sha, exit=0, seconds=1.0, failing=(), tail="", **fields)


def pull(**other: Any) -> PullView:  # any field
    fields: dict[str, Any] = {
        "number": 9,
        "state": "open",
        "branch": "harness/issue-5",
        "head": HEAD,
        "draft": False,
        "mergeable": True,
        "conflicts": False,
        "behind": False,
        "closed_by_us": False,
        "opened_at": OPENED,
    }
    return PullView(**fields | other)


def word(**other: Any) -> Word:  # any field
    fields: dict[str, Any] = {
        "key": "issue:1:x",
        "by": "mia",
        "at": NOW,
        "may_write": True,
        "place": "pull",
    }
    return Word(**fields | other)


def heard(*words: Word) -> dict[str, Any]:
    """These words, and a review that was shown them."""
    return {"words": words, "told": (told(heard=tuple(one.key for one in words)),)}


def forge_check(state: str, *, required: bool = True) -> ForgeCheck:
    fields: dict[str, Any] = {"state": state}
    return ForgeCheck(name="ci", required=required, url="", annotations=(), log="", **fields)


def point(
    state: State,
    *,
    severity: Severity = Severity.BLOCKING,
    in_scope: bool = True,
    claim: Disposition | None = None,
) -> Point:
    finding = Finding(
        handle="F1",
        raised_by="bob",
        head=HEAD,
        anchor=Anchor(file="a.py", start_line=1, end_line=1, commit=HEAD, text="x"),
        title="It divides by zero",
        failure_scenario="",
        detail="",
        suggestion="",
        evidence=(),
        citations=(),
        category="correctness",
        severity=severity,
        in_scope=in_scope,
        issue=None,
    )
    return Point(
        entry_id="e",
        title=finding.title,
        place=Place(file="a.py", start_line=1, end_line=1),
        severity=severity,
        in_scope=in_scope,
        state=state,
        claim=claim,
        raised_by="bob",
        claimed_by="",
        head_of_claim="",
        stood_count=0,
        again_count=0,
        finding=finding,
    )


def case(**other: Any) -> Case:  # any field
    row = CommitRow(
        repo_id=7,
        sha=HEAD,
        parent="a" * 40,
        item=5,
        branch="harness/issue-5",
        agent="ann",
        exchange_id="x1",
        at=NOW,
    )
    fields: dict[str, Any] = {
        "now": NOW,
        "run_id": "r",
        "item": 5,
        "item_open": True,
        "agents": ("ann", "bob"),
        "loop": LoopSettings(auto_merge=True),
        "branch": "harness/issue-5",
        "base": "a" * 40,
        "base_tip": "a" * 40,
        "commits": (row,),
        "moved_by_person": False,
        "head": HEAD,
        "pushed": HEAD,
        "unaccounted": "",
        "pull": pull(),
        "has_check": True,
        "base_check": None,
        "head_check": check(),
        "forge_checks": (),
        "forge_checks_red_on_base": (),
        "pushed_at": NOW,
        "told": (told(),),
        "points": (),
        "last_person_act": None,
        "called": False,
        "update_needed": False,
        "merge_wanted": False,
        "approved": HEAD,
        "rounds_of_blockers_in_fixes": 0,
        "item_cap_reached": False,
        "method_allowed": True,
        "protected_paths": (),
        "objections": (),
    }
    return Case(**fields | other)


def test_what_is_known_and_good_goes() -> None:
    assert approve_gate(case()).go
    assert merge_gate(case()).go


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"pull": None}, "there is no pull request"),
        ({"pull": pull(state="closed")}, "the pull request is closed"),
        ({"item_open": False}, "#5 is closed"),
        ({"unaccounted": "commits of nobody"}, "commits of nobody"),
        (
            {"pull": pull(head="c" * 40)},
            "the pull request's head is not the head that was reviewed",
        ),
        (
            {"pushed": "c" * 40},
            "the branch on the forge is not at the head that was reviewed",
        ),
        ({"told": ()}, "no valid review of this head by the agent that did not move it"),
        (
            {"told": (told(agent="ann"),)},
            "no valid review of this head by the agent that did not move it",
        ),
        (
            {"told": (told(head="c" * 40),)},
            "no valid review of this head by the agent that did not move it",
        ),
        (
            {"told": (told(result=Ending.TRUNCATED, recorded=False),)},
            "no valid review of this head by the agent that did not move it",
        ),
        (
            {"told": (told(held=("F1",)),)},
            "1 finding may be a settled point; its raiser has not said",
        ),
        ({"told": (told(not_reviewed=("b.py",)),)}, "the review left out b.py"),
        ({"objections": ("mia", "bo")}, "mia, bo asked for changes"),
        ({"words": (word(),)}, "the review was not shown what was said by mia"),
        ({"points": (point(State.OPEN),)}, "open: It divides by zero"),
        (
            {"points": (point(State.CLAIMED, claim=Disposition.REFUTED),)},
            "claimed: It divides by zero",
        ),
        ({"points": (point(State.DISPUTED),)}, "disputed: It divides by zero"),
        ({"points": (point(State.NEEDS_HUMAN),)}, "needs human: It divides by zero"),
        ({"called": True}, "a person was called and has not acted since"),
        ({"head_check": None}, "the check has not run on this head"),
        ({"head_check": check(sha="c" * 40)}, "the check has not run on this head"),
        ({"head_check": check("red")}, "the check is red"),
        ({"head_check": check("unrunnable")}, "the check is unrunnable"),
        ({"forge_checks": (forge_check("red"),)}, "the required check ci is red"),
        ({"forge_checks": (forge_check("pending"),)}, "the required check ci is not done"),
        (
            {"forge_checks": (forge_check("stopped"),)},
            "the required check ci ended without a result",
        ),
    ],
)
def test_nothing_is_approved_with_a_reason_against_it(other: dict[str, Any], reason: str) -> None:
    verdict = approve_gate(case(**other))

    assert not verdict.go
    assert reason in verdict.reasons
    assert not merge_gate(case(**other)).go


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"has_check": False, "head_check": None}, id="no check is configured"),
        pytest.param({"head_check": check("unchanged")}, id="red on the base too"),
        pytest.param({"head_check": check("absent")}, id="absent"),
        pytest.param(
            {"forge_checks": (forge_check("red"),), "forge_checks_red_on_base": ("ci",)},
            id="the forge's check is red on the base too",
        ),
        pytest.param({"pull": pull(draft=True)}, id="draft"),
        pytest.param({"pull": pull(mergeable=None)}, id="mergeable is not known"),
        pytest.param({"pull": pull(mergeable=False)}, id="not mergeable"),
        pytest.param({"pull": pull(conflicts=True)}, id="conflicts"),
        pytest.param({"loop": LoopSettings()}, id="auto_merge is off"),
        pytest.param({"method_allowed": False}, id="the method is not allowed"),
        pytest.param({"method_allowed": None}, id="the method is not known"),
        pytest.param({"approved": ""}, id="not approved yet"),
        pytest.param({"approved": "c" * 40}, id="another head was approved"),
        pytest.param({"protected_paths": (".github/workflows/ci.yml",)}, id="a protected path"),
        pytest.param({"protected_paths": None}, id="paths not looked at"),
        pytest.param({"objections": None}, id="objections not looked at"),
        pytest.param({"update_needed": True}, id="the base has to be taken in"),
        pytest.param(heard(word()), id="somebody spoke on it"),
        pytest.param(heard(word(may_write=False)), id="a stranger spoke on it"),
        pytest.param(heard(word(place="issue")), id="somebody spoke on its issue since"),
    ],
)
def test_what_may_be_approved_is_not_always_merged(other: dict[str, Any]) -> None:
    assert approve_gate(case(**other)).go
    assert not merge_gate(case(**other)).go


@pytest.mark.parametrize(
    "before",
    [word(place="issue", at=OPENED - HOUR), word(place="issue", may_write=False)],
    ids=["before it was opened", "a stranger on the issue"],
)
def test_other_words_on_the_issue_leave_it_to_merge(before: Word) -> None:
    assert merge_gate(case(**heard(before))).go


@pytest.mark.parametrize(
    "harmless",
    [
        point(State.REFUTED),
        point(State.FIXED),
        point(State.FILED),
        point(State.WITHDRAWN),
        point(State.SUPPRESSED),
        point(State.OPEN, severity=Severity.NIT),
        point(State.OPEN, severity=Severity.NON_BLOCKING),
        point(State.OPEN, in_scope=False),
    ],
    ids=lambda one: f"{one.state}-{one.severity}-{one.in_scope}",
)
def test_only_unsettled_blocking_points_in_scope_gate(harmless: Point) -> None:
    assert merge_gate(case(points=(harmless,))).go


def test_a_check_of_the_forge_that_nobody_requires_does_not_gate() -> None:
    assert merge_gate(case(forge_checks=(forge_check("red", required=False),))).go
