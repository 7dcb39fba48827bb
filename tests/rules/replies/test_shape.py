from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from harness.facts.exchanges import EXCHANGES
from harness.facts.journal import Brief
from harness.facts.judgement import ShapeFaults
from harness.facts.replies import AnyReply, ReviewReply, SameReply, TriageReply
from harness.rules.shape import answered_handles, read_reply

BriefMaker = Callable[..., Brief]
Json = dict[str, Any]


def complaints(answer: AnyReply | ShapeFaults) -> tuple[str, ...]:
    assert isinstance(answer, ShapeFaults), answer
    return answer.complaints


def test_a_complete_review_is_read(make_brief: BriefMaker, replies: Any) -> None:
    brief = make_brief("review", ("S1",), ("S2",))
    text = replies.review(replies.finding(), rulings=(replies.ruling("S1"),))

    reply = read_reply(brief, text)

    assert isinstance(reply, ReviewReply)
    assert reply.findings[0].title == "mean of nothing crashes"


@pytest.mark.parametrize(
    ("over", "complaint"),
    [
        pytest.param(
            {"start_line": "40"},
            "findings.0.start_line: input should be a valid integer.",
            id="a number in quotes",
        ),
        pytest.param(
            {"start_line": 4.0},
            "findings.0.start_line: input should be a valid integer.",
            id="a float",
        ),
        pytest.param(
            {"start_line": True},
            "findings.0.start_line: input should be a valid integer.",
            id="true as a number",
        ),
        pytest.param(
            {"severity": "High"},
            "findings.0.severity is 'High'; it must be 'blocking', 'non-blocking' or 'nit'.",
            id="no such severity",
        ),
        pytest.param(
            {"severity": "Blocking"},
            "findings.0.severity is 'Blocking'; it must be 'blocking', 'non-blocking' or 'nit'.",
            id="severity in capitals",
        ),
        pytest.param(
            {"in_scope": "true"},
            "findings.0.in_scope: input should be a valid boolean.",
            id="a boolean in quotes",
        ),
        pytest.param(
            {"in_scope": 1},
            "findings.0.in_scope: input should be a valid boolean.",
            id="a number as a boolean",
        ),
        pytest.param(
            {"title": None}, "findings.0.title: input should be a valid string.", id="null"
        ),
        pytest.param({"confidence": 0.9}, "findings.0.confidence is not a field.", id="more"),
        pytest.param(
            {"evidence": {}}, "findings.0.evidence: input should be a valid array.", id="no list"
        ),
    ],
)
def test_types_are_strict_and_the_complaint_names_the_place(
    make_brief: BriefMaker, replies: Any, over: Json, complaint: str
) -> None:
    text = replies.review(replies.finding(**over))

    assert complaints(read_reply(make_brief("review"), text)) == (complaint,)


def test_a_missing_field_is_named(make_brief: BriefMaker) -> None:
    answer = read_reply(make_brief("same"), "{}")

    assert complaints(answer) == ("answers is missing.",)


def test_a_duplicate_key_is_invalid_even_where_both_values_are_equal(
    make_brief: BriefMaker,
) -> None:
    answer = read_reply(make_brief("same"), '{"answers": [], "answers": []}')

    assert complaints(answer) == ("The key 'answers' is there twice in one object.",)


def test_every_required_handle_is_answered_exactly_once(
    make_brief: BriefMaker, replies: Any
) -> None:
    brief = make_brief("respond", ("F1", "F2", "F3"), ("F4",))
    text = replies.response(
        replies.disposition("F1"), replies.disposition("F3"), replies.disposition("F3")
    )

    assert complaints(read_reply(brief, text)) == (
        "F2 was not answered.",
        "F3 was answered 2 times.",
    )


def test_an_optional_handle_may_be_answered_once_and_an_unknown_one_never(
    make_brief: BriefMaker, replies: Any
) -> None:
    brief = make_brief("review", ("S1",), ("S2",))
    rulings = (replies.ruling("S1"), replies.ruling("S2"))

    once = read_reply(brief, replies.review(rulings=rulings))
    twice = read_reply(brief, replies.review(rulings=(*rulings, replies.ruling("S2"))))
    unknown = read_reply(brief, replies.review(rulings=(*rulings, replies.ruling("S9"))))

    assert isinstance(once, ReviewReply)
    assert complaints(twice) == ("S2 was answered 2 times.",)
    assert complaints(unknown) == ("S9 was not asked.",)


def test_a_handle_is_recognised_only_exactly(make_brief: BriefMaker, replies: Any) -> None:
    answer = read_reply(make_brief("respond", ("F1",)), replies.response(replies.disposition("f1")))

    assert complaints(answer) == ("F1 was not answered.", "f1 was not asked.")


def test_the_handles_of_triage_are_issue_numbers(make_brief: BriefMaker, replies: Any) -> None:
    brief = make_brief("triage", ("12", "15"))
    good = {"issues": [replies.opinion(15), replies.opinion(12, depends_on=[15])]}
    bad = {"issues": [replies.opinion(12, depends_on=[12, 99]), replies.opinion(16)]}

    read = read_reply(brief, json.dumps(good))
    faulty = read_reply(brief, json.dumps(bad))

    assert isinstance(read, TriageReply)
    assert answered_handles(read) == ("15", "12")
    assert complaints(faulty) == (
        "15 was not answered.",
        "16 was not asked.",
        "Issue 12 depends on 12, which is itself.",
        "Issue 12 depends on 99, which is not in this list.",
    )


@pytest.mark.parametrize(
    ("same_as", "complaint"),
    [
        ("S1", ""),
        ("", ""),
        ("S3", "same_as of F1 names S3, not one of S1, S2."),
        ("F1", "same_as of F1 names F1, not one of S1, S2."),
        ("none", "same_as of F1 names none, not one of S1, S2."),
    ],
    ids=["a shown point", "a new point", "not shown", "itself", "in words"],
)
def test_the_same_point_is_one_that_was_shown(
    make_brief: BriefMaker, same_as: str, complaint: str
) -> None:
    brief = make_brief("same", ("F1",), known=("S1", "S2"))
    text = json.dumps({"answers": [{"handle": "F1", "reasoning": "r", "same_as": same_as}]})

    answer = read_reply(brief, text)

    if complaint:
        assert complaints(answer) == (complaint,)
    else:
        assert isinstance(answer, SameReply)


def test_another_finding_is_no_known_point(make_brief: BriefMaker) -> None:
    brief = make_brief("same", ("F1", "F2"), known=("S1",))
    answers = [
        {"handle": handle, "reasoning": "r", "same_as": same}
        for handle, same in (("F1", "F2"), ("F2", "S1"))
    ]

    answer = read_reply(brief, json.dumps({"answers": answers}))

    assert complaints(answer) == ("same_as of F1 names F2, not one of S1.",)


def test_without_tools_the_last_of_several_replies_is_the_answer(make_brief: BriefMaker) -> None:
    brief = make_brief("same", ("F1",), known=("S1",))
    one, other = (
        json.dumps({"answers": [{"handle": "F1", "reasoning": "r", "same_as": same}]})
        for same in ("", "S1")
    )

    answer = read_reply(brief, f"{one}\n{other}")

    assert isinstance(answer, SameReply)
    assert answer.answers[0].same_as == "S1"


def test_with_tools_two_replies_in_one_are_no_reply(make_brief: BriefMaker, replies: Any) -> None:
    answer = read_reply(make_brief("review"), replies.review() + replies.review())

    assert "Extra data" in complaints(answer)[0]


def test_a_duplicate_among_follow_ups_is_one_of_the_list(make_brief: BriefMaker) -> None:
    brief = make_brief("screen", ("E1", "E2"))

    def entry(handle: str, of: str) -> Json:
        return {
            "handle": handle,
            "reason": "r",
            "title": "t",
            "duplicate_of_issue": 0,
            "duplicate_of_handle": of,
            "verdict": "duplicate",
        }

    answer = read_reply(brief, json.dumps({"entries": [entry("E1", "E2"), entry("E2", "E2")]}))

    assert complaints(answer) == ("duplicate_of_handle of E2 names E2, not one of E1.",)


def test_many_faults_are_told_in_few_lines(make_brief: BriefMaker, replies: Any) -> None:
    brief = make_brief("respond", tuple(f"F{n}" for n in range(1, 31)))

    told = complaints(read_reply(brief, replies.response()))

    assert len(told) == 13
    assert told[-1] == "And 18 more of the kind."


@pytest.mark.parametrize("kind", sorted(EXCHANGES))
def test_prose_is_no_answer_to_anything(make_brief: BriefMaker, kind: str) -> None:
    answer = read_reply(make_brief(kind), "I found no problems.")

    assert complaints(answer)
