from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from harness.facts.entries import Disposition
from harness.facts.journal import Brief
from harness.facts.sources import FileText, Read, Sources
from harness.facts.trees import Left, Leftover
from harness.rules.judge import judge, wanted

BriefMaker = Callable[..., Brief]
Json = dict[str, Any]

UNCHANGED = Left(tree_sha="t", changed=())
CHANGED = Left(tree_sha="t2", changed=(Leftover(path="a.py", status="modified", refused=""),))
SOURCES = Sources(
    texts=(FileText(side="head", path="a.py", text="def mean(v):\n  return total / count\n"),),
    known_paths=frozenset({"a.py", "gone.py", "logo.png"}),
    head_paths=frozenset({"a.py", "logo.png"}),
    removed=(("gone.py", "x = 1"),),
    left=CHANGED,
    claims=(("S1", Disposition.REFUTED), ("S2", Disposition.FIXED), ("S3", Disposition.FILED)),
)
REMOVED = {"kind": "removed", "path": "gone.py", "line": 0, "text": "x = 1"}
NOWHERE = {"kind": "quote", "path": "a.py", "line": 2, "text": "return 1"}


def faults(brief: Brief, text: str, sources: Sources = SOURCES) -> list[tuple[str, str]]:
    judgement = judge(brief, text, sources)
    assert judgement.shape == ()
    return [(fault.point, fault.what) for fault in judgement.claims]


@pytest.mark.parametrize(
    ("over", "what"),
    [
        pytest.param({}, "", id="proven"),
        pytest.param({"evidence": []}, "A blocking finding needs evidence.", id="no evidence"),
        pytest.param(
            {"failure_scenario": " "},
            "A blocking finding needs a failure_scenario.",
            id="no scenario",
        ),
        pytest.param(
            {"evidence": [NOWHERE]},
            "The quote of a.py:2 does not stand in that file.",
            id="a quote that is nowhere",
        ),
        pytest.param(
            {"evidence": [NOWHERE], "severity": "nit"},
            "The quote of a.py:2 does not stand in that file.",
            id="a false quote of a nit",
        ),
        pytest.param(
            {"file": "b.py"}, "There is no file b.py at the head or in the diff.", id="unknown file"
        ),
        pytest.param({"file": "gone.py", "evidence": [REMOVED]}, "", id="a deleted file"),
        pytest.param({"file": "", "start_line": 0, "end_line": 0}, "", id="a general finding"),
        pytest.param(
            {"evidence": [], "failure_scenario": "", "severity": "nit"}, "", id="a nit needs none"
        ),
        pytest.param(
            {"evidence": [], "failure_scenario": "", "severity": "non-blocking"},
            "",
            id="a lesser finding needs none",
        ),
        pytest.param(
            {"category": "spec"},
            "A finding of category spec needs the id of what it rests on.",
            id="spec without citation",
        ),
        pytest.param(
            {"category": "architecture", "citations": ["S1"]},
            "A finding of category architecture needs the id of what it rests on.",
            id="a handle supports nothing",
        ),
        pytest.param({"category": "architecture", "citations": ["D1"]}, "", id="cited"),
        pytest.param({"citations": ["S4"]}, "", id="a settled point meant again"),
        pytest.param(
            {"citations": ["D9", "S9"]},
            "Nothing that was supplied is called D9, S9.",
            id="cites what was not supplied",
        ),
        pytest.param({"title": " "}, "The finding has no title.", id="no title"),
        pytest.param(
            {"title": "logo.png is missing from the commit"},
            "It says that logo.png is missing, and it is there at the head.",
            id="a file that is there called missing",
        ),
        pytest.param({"title": "gone.py is missing"}, "", id="a deleted file called missing"),
    ],
)
def test_a_finding_falls_with_a_claim_that_does_not_check(
    make_brief: BriefMaker, replies: Any, over: Json, what: str
) -> None:
    brief = make_brief("review", (), ("S1", "S4"), citable=("D1",))
    blocks = over.get("severity", "blocking") == "blocking"
    verdict = "changes_requested" if blocks else "approve"

    found = faults(brief, replies.review(replies.finding(**over), verdict=verdict))

    assert found == ([("F1", what)] if what else [])


def test_findings_are_counted_by_position_and_fall_one_by_one(
    make_brief: BriefMaker, replies: Any
) -> None:
    text = replies.review(
        replies.finding(), replies.finding(evidence=[]), replies.finding(file="b.py")
    )

    assert [point for point, _ in faults(make_brief("review"), text)] == ["F2", "F3"]


def test_paths_that_were_not_looked_up_are_not_held_against_a_finding(
    make_brief: BriefMaker, replies: Any
) -> None:
    blind = SOURCES.model_copy(update={"known_paths": None})

    assert faults(make_brief("review"), replies.review(replies.finding(file="b.py")), blind) == []


@pytest.mark.parametrize(
    ("handle", "over", "what"),
    [
        pytest.param("S1", {}, "", id="refuted, with a quote"),
        pytest.param("S1", {"evidence": []}, "Agreeing needs a quote.", id="refuted, with none"),
        pytest.param(
            "S3", {"evidence": [REMOVED]}, "Agreeing needs a quote.", id="filed, no quote"
        ),
        pytest.param("S2", {"evidence": [REMOVED]}, "", id="fixed, with a removed line"),
        pytest.param(
            "S2",
            {"evidence": []},
            "Agreeing that it is fixed needs evidence from this head.",
            id="fixed, with none",
        ),
        pytest.param(
            "S2",
            {"evidence": [NOWHERE]},
            "The quote of a.py:2 does not stand in that file.",
            id="fixed, with a false quote",
        ),
        pytest.param("S1", {"agrees": False, "evidence": []}, "", id="not agreeing needs none"),
    ],
)
def test_a_ruling_that_agrees_needs_proof(
    make_brief: BriefMaker, replies: Any, handle: str, over: Json, what: str
) -> None:
    brief = make_brief("review", (handle,))
    verdict = "approve" if over.get("agrees", True) else "changes_requested"

    text = replies.review(rulings=(replies.ruling(handle, **over),), verdict=verdict)

    assert faults(brief, text) == ([(handle, what)] if what else [])


@pytest.mark.parametrize(
    ("finding", "ruling", "verdict", "what"),
    [
        pytest.param(
            {},
            None,
            "approve",
            "It says approve, and a finding in scope is blocking.",
            id="approves a blocker",
        ),
        pytest.param({"in_scope": False}, None, "approve", "", id="a blocker out of scope"),
        pytest.param({"in_scope": False}, None, "changes_requested", "", id="either way"),
        pytest.param({"severity": "nit"}, None, "approve", "", id="a nit"),
        pytest.param(
            {"severity": "nit"},
            None,
            "changes_requested",
            "It says changes_requested, and nothing is blocking.",
            id="holds it up for a nit",
        ),
        pytest.param(
            None,
            {"handle": "S1", "agrees": False},
            "approve",
            "It says approve, and a ruling does not agree with what is claimed.",
            id="approves what it does not agree with",
        ),
        pytest.param(
            None, {"handle": "S1", "agrees": False}, "changes_requested", "", id="objects"
        ),
        pytest.param(None, {"handle": "S4", "agrees": False}, "approve", "", id="settled, either"),
        pytest.param(
            None, {"handle": "S4", "agrees": False}, "changes_requested", "", id="settled, again"
        ),
        pytest.param(None, None, "approve", "", id="nothing found"),
        pytest.param(
            None,
            None,
            "changes_requested",
            "It says changes_requested, and nothing is blocking.",
            id="nothing found, and no",
        ),
    ],
)
def test_a_verdict_must_agree_with_its_list(
    make_brief: BriefMaker,
    replies: Any,
    finding: Json | None,
    ruling: Json | None,
    verdict: str,
    what: str,
) -> None:
    handles = ("S1",) if ruling and ruling["handle"] == "S1" else ()
    found = [replies.finding(**finding)] if finding is not None else []
    ruled = (replies.ruling(**ruling),) if ruling else ()

    text = replies.review(*found, rulings=ruled, verdict=verdict)

    assert faults(make_brief("review", handles, ("S4",)), text) == (
        [("verdict", what)] if what else []
    )


@pytest.mark.parametrize(
    ("over", "what"),
    [
        pytest.param({}, [], id="refuted with proof"),
        pytest.param({"evidence": []}, ["Refuting needs evidence."], id="refuted without"),
        pytest.param(
            {"reasoning": ""}, ["It says refuted, and gives no reasoning."], id="no argument"
        ),
        pytest.param(
            {"evidence": [NOWHERE]},
            ["The quote of a.py:2 does not stand in that file."],
            id="refuted with a false quote",
        ),
        pytest.param(
            {"action": "filed"},
            ["Filing needs new_issue_title and new_issue_body."],
            id="filed without an issue",
        ),
        pytest.param(
            {"action": "filed", "new_issue_title": "t"},
            ["Filing needs new_issue_title and new_issue_body."],
            id="filed with a title only",
        ),
        pytest.param(
            {"action": "filed", "new_issue_title": "t", "new_issue_body": "b", "evidence": []},
            ["Filing needs evidence that this change did not cause it."],
            id="filed without proof",
        ),
        pytest.param(
            {"action": "filed", "new_issue_title": "t", "new_issue_body": "b"}, [], id="filed"
        ),
        pytest.param({"action": "fixed", "evidence": [], "reasoning": ""}, [], id="fixed"),
    ],
)
@pytest.mark.parametrize("kind", ["respond", "fix_own"])
def test_a_disposition_that_is_not_proven_is_not_claimed(
    make_brief: BriefMaker, replies: Any, kind: str, over: Json, what: list[str]
) -> None:
    text = replies.response(replies.disposition("F1", **over))

    assert faults(make_brief(kind, ("F1",)), text) == [("F1", one) for one in what]


def test_fixed_with_an_unchanged_tree_and_no_proof_is_not_claimed(
    make_brief: BriefMaker, replies: Any
) -> None:
    brief = make_brief("respond", ("F1",))
    unchanged = SOURCES.model_copy(update={"left": UNCHANGED})
    bare = replies.response(replies.disposition("F1", action="fixed", evidence=[]))
    shown = replies.response(replies.disposition("F1", action="fixed"))

    assert faults(brief, bare, unchanged) == [
        ("F1", "It says fixed, and nothing was changed in the tree.")
    ]
    assert faults(brief, shown, unchanged) == []


@pytest.mark.parametrize(
    ("over", "what"),
    [
        pytest.param({}, "", id="agrees with a quote"),
        pytest.param({"evidence": []}, "Agreeing needs a quote.", id="agrees to be polite"),
        pytest.param({"evidence": [REMOVED]}, "Agreeing needs a quote.", id="no quote"),
        pytest.param({"agrees": False, "evidence": []}, "", id="disagrees"),
    ],
)
def test_agreeing_with_the_other_reviewer_needs_a_quote(
    make_brief: BriefMaker, replies: Any, over: Json, what: str
) -> None:
    verdict = {**replies.ruling("F1"), "severity": "nit", **over}

    found = faults(make_brief("adjudicate", ("F1",)), json.dumps({"verdicts": [verdict]}))

    assert found == ([("F1", what)] if what else [])


@pytest.mark.parametrize(
    ("stands", "evidence", "what"),
    [
        pytest.param(True, [REMOVED], "", id="stands with proof"),
        pytest.param(True, [], "Standing needs evidence.", id="stands on nothing"),
        pytest.param(False, [], "", id="withdraws"),
    ],
)
@pytest.mark.parametrize("claim", [Disposition.REFUTED, Disposition.FILED, None])
def test_standing_needs_proof_and_withdrawing_needs_none(
    make_brief: BriefMaker,
    stands: bool,
    evidence: list[Json],
    what: str,
    claim: Disposition | None,
) -> None:
    found = answered(make_brief, stands, evidence, claim)

    assert found == ([("S1", what)] if what else [])


@pytest.mark.parametrize(
    ("evidence", "what"),
    [
        pytest.param([], "Agreeing that it is fixed needs evidence from this head.", id="nothing"),
        pytest.param([NOWHERE], "The quote of a.py:2 does not stand in that file.", id="nowhere"),
        pytest.param([REMOVED], "", id="the line is gone"),
    ],
)
def test_giving_in_to_a_claimed_fix_confirms_it_and_needs_evidence(
    make_brief: BriefMaker, evidence: list[Json], what: str
) -> None:
    found = answered(make_brief, False, evidence, Disposition.FIXED)

    assert found == ([("S1", what)] if what else [])


def answered(
    make_brief: BriefMaker, stands: bool, evidence: list[Json], claim: Disposition | None
) -> list[tuple[str, str]]:
    """What is wrong with a raiser's answer to this claim about S1."""
    answer = {"handle": "S1", "evidence": evidence, "reasoning": "r", "stands": stands}
    claims = (("S1", claim),) if claim else ()
    sources = SOURCES.model_copy(update={"claims": claims})
    return faults(make_brief("rebut", ("S1",)), json.dumps({"answers": [answer]}), sources)


@pytest.mark.parametrize(
    ("over", "left", "what"),
    [
        pytest.param({}, CHANGED, [], id="done"),
        pytest.param({"not_worth_doing": True, "reason": "it is done"}, UNCHANGED, [], id="not"),
        pytest.param(
            {},
            UNCHANGED,
            ["not_worth_doing is false, and nothing was changed in the tree."],
            id="nothing changed",
        ),
        pytest.param(
            {"reason": "it is done"},
            CHANGED,
            ['It gives a reason not to do it, and not_worth_doing is false; reason must be "".'],
            id="both",
        ),
        pytest.param(
            {"not_worth_doing": True},
            UNCHANGED,
            ["not_worth_doing needs a reason."],
            id="no reason",
        ),
        pytest.param(
            {"not_worth_doing": True, "reason": "it is done"},
            CHANGED,
            ["It says not_worth_doing, and the tree was changed."],
            id="edited all the same",
        ),
    ],
)
def test_flag_reason_and_edits_of_an_implementation_agree(
    make_brief: BriefMaker, replies: Any, over: Json, left: Left, what: list[str]
) -> None:
    sources = SOURCES.model_copy(update={"left": left})

    found = faults(make_brief("implement"), replies.implementation(**over), sources)

    assert found == [("reply", one) for one in what]


def test_a_reviewers_quotes_are_read_at_the_head_only(make_brief: BriefMaker, replies: Any) -> None:
    brief = make_brief("review", ("S1",), citable=("D1",))
    evidence = [replies.quote, REMOVED, {**replies.quote, "path": "D1"}]
    text = replies.review(
        replies.finding(evidence=evidence),
        rulings=(replies.ruling("S1", evidence=[{**replies.quote, "path": "b.py"}]),),
    )

    assert wanted(brief, text) == (
        Read(side="head", path="a.py"),
        Read(side="head", path="b.py"),
    )


def test_a_responders_quotes_may_stand_in_the_tree_as_left(
    make_brief: BriefMaker, replies: Any
) -> None:
    brief = make_brief("respond", ("F1",))
    quote = {**replies.quote, "text": "return fixed"}
    text = replies.response(replies.disposition("F1", evidence=[quote]))
    left = FileText(side="left", path="a.py", text="\nreturn fixed\n")

    assert wanted(brief, text) == (Read(side="head", path="a.py"), Read(side="left", path="a.py"))
    assert faults(brief, text) != []
    assert faults(brief, text, SOURCES.model_copy(update={"texts": (*SOURCES.texts, left)})) == []


def test_what_is_no_reply_needs_no_reading_and_has_no_claims(make_brief: BriefMaker) -> None:
    brief = make_brief("respond", ("F1",))

    judgement = judge(brief, "All fixed!", SOURCES)

    assert wanted(brief, "All fixed!") == ()
    assert judgement.claims == ()
    assert judgement.shape != ()
