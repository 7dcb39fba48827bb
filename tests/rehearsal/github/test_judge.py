"""The judge itself must bite."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.rehearsal.github.handling import Request, Response
from tests.rehearsal.github.judge import Judge

REVIEWS = "/repos/o/r/pulls/1/reviews"


def exchange(
    judge: Judge, method: str, path: str, given: Any, status: int, answer: Any, query: str = ""
) -> list[str]:
    body = b"" if given is None else json.dumps(given).encode()
    request = Request(method, path, query, {}, body)
    judge(request, Response(status, (), json.dumps(answer).encode()))
    found, judge.complaints = judge.complaints, []
    return found


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"event": "APPROVED"}, "is not one of"),
        ({"event": "COMMENT", "comments": [{"path": "a", "body": "b", "line": "3"}]}, "integer"),
        (
            {"event": "COMMENT", "comments": [{"path": "a", "line": 3}]},
            "'body' is a required property",
        ),
        ({"event": "COMMENT", "boddy": "x"}, "key boddy is not described"),
        ({"comments": [{"path": "a", "body": "b", "lime": 3}]}, "key lime is not described"),
    ],
    ids=["enum", "type", "missing", "unknown", "unknown-inside"],
)
def test_a_request_that_does_not_fit_is_complained_about(
    given: dict[str, object], complaint: str
) -> None:
    said = exchange(Judge(), "POST", REVIEWS, given, 403, {"message": "no"})

    assert len(said) == 1
    assert complaint in said[0]


@pytest.mark.parametrize(
    ("method", "path", "query", "status", "answer", "complaint"),
    [
        ("GET", "/repos/o/r/nothing", "", 200, {}, "not in the description"),
        ("GET", "/repos/o/r/labels", "colour=red", 200, [], "query colour is not described"),
        ("GET", "/repos/o/r/labels", "", 201, [], "status 201 is not described"),
        ("GET", "/repos/o/r/labels", "", 200, [{"id": "1"}], "GET"),
    ],
    ids=["path", "query", "status", "payload"],
)
def test_an_answer_that_does_not_fit_is_complained_about(
    method: str, path: str, query: str, status: int, answer: object, complaint: str
) -> None:
    said = exchange(Judge(), method, path, None, status, answer, query)

    assert complaint in said[0]


def test_a_graphql_query_that_does_not_fit_is_complained_about() -> None:
    query = {"query": "{ viewer { login nonsense } }"}

    said = exchange(Judge(), "POST", "/graphql", query, 200, {})

    assert said == ["graphql: Cannot query field 'nonsense' on type 'User'."]
