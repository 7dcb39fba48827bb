from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from harness.edges.github.trouble import translate
from harness.errors import ForgeReason

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
PRIMARY = "API rate limit exceeded for user ID 1."
SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
)


@pytest.mark.parametrize(
    ("status", "message", "reason"),
    [
        (401, "Bad credentials", "unauthorised"),
        (403, "Resource not accessible by integration", "forbidden"),
        (403, "Unable to create comment because issue is locked.", "locked"),
        (404, "Not Found", "gone"),
        (410, "This issue was deleted", "gone"),
        (301, "Moved Permanently", "moved"),
        (405, "Pull Request is not mergeable", "conflict"),
        (409, "Head branch was modified. Review and try the merge again.", "conflict"),
        (422, "Validation Failed", "unprocessable"),
        (400, "Problems parsing JSON", "unprocessable"),
        (500, "Server Error", "unreachable"),
        (502, "", "unreachable"),
        (418, "I'm a teapot", "unexpected"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_every_status_has_its_reason(status: int, message: str, reason: ForgeReason) -> None:
    error = translate("GET /x", status, {}, json.dumps({"message": message}), now=NOW, limited=0)

    assert (error.reason, error.status, error.not_before) == (reason, status, None)
    assert message in str(error)


@pytest.mark.parametrize(
    ("status", "headers", "message", "limited", "seconds"),
    [
        (403, {"retry-after": "90"}, SECONDARY, 0, 90),
        (403, {"retry-after": "5"}, SECONDARY, 0, 60),
        (403, {}, SECONDARY, 0, 60),
        (403, {}, SECONDARY, 2, 240),
        (403, {}, SECONDARY, 20, 3600),
        (429, {}, "", 0, 60),
        (429, {"retry-after": "7200"}, "", 0, 7200),
        (429, {"retry-after": "Mon, 30 Nov 2026 09:05:00 GMT"}, "", 0, 300),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "+600"}, PRIMARY, 0, 601),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "-600"}, PRIMARY, 0, 60),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon"}, PRIMARY, 0, 60),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "+5"}, SECONDARY, 0, 60),
        (403, {"retry-after": "3000000000"}, SECONDARY, 0, 86_400),
        (403, {"retry-after": "9" * 400}, SECONDARY, 0, 86_400),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "9" * 30}, PRIMARY, 0, 86_401),
    ],
    ids=[
        "secondary-told",
        "secondary-told-too-short",
        "secondary-silent",
        "secondary-grows",
        "secondary-grows-to-an-hour",
        "429-silent",
        "429-two-hours",
        "429-a-date",
        "primary",
        "primary-reset-in-the-past",
        "primary-reset-unreadable",
        "secondary-though-spent",
        "told-years",
        "told-eternity",
        "primary-reset-in-eternity",
    ],
)
def test_a_rate_limit_says_when_to_come_back(
    status: int, headers: dict[str, str], message: str, limited: int, seconds: int
) -> None:
    reset = headers.get("x-ratelimit-reset", "")
    if reset[:1] in {"+", "-"}:
        headers = headers | {"x-ratelimit-reset": str(int(NOW.timestamp()) + int(reset))}

    error = translate(
        "GET /x", status, headers, json.dumps({"message": message}), now=NOW, limited=limited
    )

    assert error.reason == "rate_limited"
    assert error.not_before == NOW + timedelta(seconds=seconds)


def test_the_message_says_what_was_wrong_with_each_field() -> None:
    text = json.dumps(
        {
            "message": "Validation Failed",
            "errors": [
                {"resource": "PullRequest", "code": "custom", "message": "There is one already."},
                {"resource": "PullRequest", "field": "head", "code": "invalid"},
                "Line could not be resolved",
            ],
        }
    )

    error = translate("POST /pulls", 422, {}, text, now=NOW, limited=0)

    assert str(error) == (
        "GitHub answered 422 to POST /pulls: Validation Failed; There is one already.; "
        "PullRequest head invalid; Line could not be resolved"
    )


@pytest.mark.parametrize("text", ["", "<html>", "[]", '{"errors": 3}'], ids=str)
def test_an_answer_that_is_no_github_error_is_translated_too(text: str) -> None:
    error = translate("GET /x", 503, {}, text, now=NOW, limited=0)

    assert (error.reason, str(error)) == ("unreachable", "GitHub answered 503 to GET /x")
