"""From GitHub's refusals to ForgeError: every status has its own answer.

Sources: docs.github.com, "Rate limits for the REST API", "Best practices", "Troubleshooting".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from harness.edges.waiting import MOST, read_seconds, seconds_asked
from harness.errors import ForgeError, ForgeReason

AT_LEAST = 60.0  # seconds to wait after a secondary limit that names no time
AT_MOST = 3600.0  # seconds that growing waits grow to

_BY_STATUS: dict[int, ForgeReason] = {
    301: "moved",
    302: "moved",
    307: "moved",
    308: "moved",
    400: "unprocessable",
    401: "unauthorised",
    403: "forbidden",
    404: "gone",
    405: "conflict",
    408: "unreachable",
    409: "conflict",
    410: "gone",
    422: "unprocessable",
    451: "gone",
}


def translate(
    what: str, status: int, headers: Mapping[str, str], text: str, *, now: datetime, limited: int
) -> ForgeError:
    """The error for an answer that is none; `limited` counts limits met in a row before this one.

    `headers` have lower-case names; `what` names the request without its query.
    """
    message = read_message(text)
    said = f"GitHub answered {status} to {what}" + (f": {message}" if message else "")
    if is_rate_limit(status, headers, message):
        not_before = wait_until(headers, message, now=now, limited=limited)
        return ForgeError(said, reason="rate_limited", status=status, not_before=not_before)
    return ForgeError(said, reason=_reason(status, message), status=status)


def _reason(status: int, message: str) -> ForgeReason:
    if status in {403, 422} and "lock" in message.casefold():
        return "locked"
    if status >= 500:  # noqa: PLR2004 - the class of server errors
        return "unreachable"
    return _BY_STATUS.get(status, "unexpected")


def read_message(text: str) -> str:
    """GitHub's sentence with what it says of each field, "" when there is none."""
    try:
        said: Any = json.loads(text)
    except ValueError:
        return ""
    if not isinstance(said, dict):
        return ""
    errors = said.get("errors")
    parts = [str(said.get("message", ""))]
    parts += [_detail(error) for error in errors if error] if isinstance(errors, list) else []
    return "; ".join(part for part in parts if part)[:500]


def _detail(error: Any) -> str:
    if not isinstance(error, dict):
        return str(error)
    if error.get("message"):
        return str(error["message"])
    return " ".join(str(error[key]) for key in ("resource", "field", "code") if error.get(key))


def is_rate_limit(status: int, headers: Mapping[str, str], message: str) -> bool:
    """403 and 429 mean many things; these are the signs of a limit."""
    if status == 429:  # noqa: PLR2004 - Too Many Requests
        return True
    told = "rate limit" in message.casefold() or "wait a few minutes" in message.casefold()
    spent = headers.get("x-ratelimit-remaining") == "0"
    return status == 403 and (told or spent or "retry-after" in headers)  # noqa: PLR2004 - Forbidden


def wait_until(
    headers: Mapping[str, str], message: str, *, now: datetime, limited: int
) -> datetime:
    """When to come back: what Retry-After says, else the reset, else a minute, doubling.

    A secondary limit is waited for at least a minute; a reset in the past counts as none.
    """
    growing = min(AT_LEAST * 2**limited, AT_MOST)
    told = seconds_asked(headers.get("retry-after", ""), now)
    primary = headers.get("x-ratelimit-remaining") == "0" and "secondary" not in message.casefold()
    if primary and told is None:
        left = (read_seconds(headers.get("x-ratelimit-reset", "")) or 0.0) - now.timestamp()
        if left > 0:
            return now + timedelta(seconds=min(left, MOST) + 1)
    return now + timedelta(seconds=max(growing, told or 0.0))


def from_graphql(what: str, errors: list[Any]) -> ForgeError:
    """The error for a GraphQL answer, which is 200 whatever went wrong."""
    first = errors[0] if isinstance(errors[0], dict) else {}
    kind, message = str(first.get("type", "")), str(first.get("message", ""))
    reasons: dict[str, ForgeReason] = {
        "NOT_FOUND": "gone",
        "FORBIDDEN": "forbidden",
        "INSUFFICIENT_SCOPES": "forbidden",
        "UNPROCESSABLE": "unprocessable",
    }
    return ForgeError(
        f"GitHub refused {what}: {message[:500]}",
        reason=reasons.get(kind, "unexpected"),
        status=200,
    )
