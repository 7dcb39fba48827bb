"""Anthropic's errors in ours.

Source: https://platform.claude.com/docs/en/api/errors
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.doors.clock import Clock
from harness.edges.told import Json, an_error, said
from harness.edges.vendor import failure, not_before, turned_away
from harness.errors import VendorError, VendorReason
from harness.facts.money import Usage

if TYPE_CHECKING:
    from anthropic import APIStatusError

VENDOR = "Anthropic"

_BY_TYPE: dict[str, VendorReason] = {
    "overloaded_error": "overloaded",
    "api_error": "overloaded",
    "rate_limit_error": "rate_limited",
    "authentication_error": "unauthorised",
    "permission_error": "unauthorised",
    "billing_error": "unpaid",
    "timeout_error": "unreachable",
    "request_too_large": "overflow",
    "not_found_error": "misconfigured",
}
_BY_STATUS: dict[int, VendorReason] = {
    401: "unauthorised",
    402: "unpaid",
    403: "unauthorised",
    404: "misconfigured",
    408: "unreachable",
    413: "overflow",
    422: "bad_request",
    429: "rate_limited",
    504: "unreachable",
}
_SERVER_ERROR = 500


def status_failure(error: APIStatusError, clock: Clock) -> VendorError:
    """An answer with an error status, before anything was streamed."""
    status, words = error.status_code, str(error.api_message or error.message)
    return failure(
        VENDOR,
        f"{status} {words}",
        _status_reason(status, words),
        when=not_before(error.response.headers, clock),
        usage=turned_away(status),
    )


def event_failure(event: Json, usage: Usage | None) -> VendorError:
    """An error event in mid-stream: the status was 200, the vendor gave up later."""
    error = an_error(event.get("error"))
    kind, words = said(error, "type"), said(error, "message")
    reason = _said_reason(words) if kind == "invalid_request_error" else None
    return failure(
        VENDOR,
        f"{kind or 'error'} in mid-stream: {words or 'no words'}",
        reason or _BY_TYPE.get(kind, "overloaded"),
        usage=usage,
    )


def _status_reason(status: int, words: str) -> VendorReason:
    if status == 400:  # noqa: PLR2004 - the one status that says nothing by itself
        return _said_reason(words) or "bad_request"
    if status >= _SERVER_ERROR:
        return _BY_STATUS.get(status, "overloaded")
    return _BY_STATUS.get(status, "unexpected")


def _said_reason(words: str) -> VendorReason | None:
    """What a 400 is about: only its text tells."""
    text = words.lower()
    if "thinking" in text and ("signature" in text or "cannot be modified" in text):
        return "bad_signature"
    if "prompt is too long" in text or "context limit" in text or "context window" in text:
        return "overflow"
    if "credit balance" in text or "usage limits" in text:
        return "unpaid"
    if "organization has been disabled" in text:
        return "unauthorised"
    if "model" in text and ("not supported" in text or "does not support" in text):
        return "misconfigured"
    return None
