"""OpenAI's errors in ours.

Source: https://developers.openai.com/api/docs/guides/error-codes
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.doors.clock import Clock
from harness.edges.told import Json, an_error, said
from harness.edges.vendor import failure, not_before, turned_away
from harness.errors import VendorError, VendorReason
from harness.facts.money import Usage

if TYPE_CHECKING:
    from openai import APIStatusError

VENDOR = "OpenAI"

_BY_CODE: dict[str, VendorReason] = {
    "context_length_exceeded": "overflow",
    "string_above_max_length": "overflow",
    "insufficient_quota": "unpaid",
    "billing_hard_limit_reached": "unpaid",
    "billing_not_active": "unpaid",
    "rate_limit_exceeded": "rate_limited",
    "server_error": "overloaded",
    "server_is_overloaded": "overloaded",
    "slow_down": "overloaded",
    "invalid_encrypted_content": "bad_signature",
    "invalid_api_key": "unauthorised",
    "model_not_found": "misconfigured",
    "unsupported_value": "misconfigured",
    "unsupported_parameter": "misconfigured",
}
_BY_STATUS: dict[int, VendorReason] = {
    400: "bad_request",
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
    status, words = error.status_code, _words(error)
    fallback: VendorReason = "overloaded" if status >= _SERVER_ERROR else "unexpected"
    return failure(
        VENDOR,
        f"{status} {words}",
        _said_reason(str(error.code or error.type), words) or _BY_STATUS.get(status, fallback),
        when=not_before(error.response.headers, clock),
        usage=turned_away(status),
    )


def event_failure(event: Json) -> VendorError:
    """An error event in mid-stream: the status was 200, the vendor gave up later."""
    error = event.get("error")
    return response_failure(event if error is None else error, None)


def response_failure(error: Any, usage: Usage | None) -> VendorError:  # Any: JSON of any shape
    """The error that a failed response or an error event carries."""
    told = an_error(error)
    code, words = said(told, "code"), said(told, "message")
    reason = _said_reason(code, words) or "overloaded"
    return failure(
        VENDOR, f"{code or 'error'} in mid-stream: {words or 'no words'}", reason, usage=usage
    )


def _words(error: APIStatusError) -> str:
    """The vendor's own words; the SDK's repeat status and body where the body is no error."""
    body = error.body if isinstance(error.body, dict) else {}
    return str(body.get("message") or error.message)


def _said_reason(code: str, words: str) -> VendorReason | None:
    text = words.lower()
    if "encrypted content" in text or "'reasoning' item" in text:
        return "bad_signature"
    if "context window" in text or "context length" in text:
        return "overflow"
    return _BY_CODE.get(code)
