"""What a route hands back: an answer, or a refusal in GitHub's own words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]  # a payload, built to be sent
DOCS = "https://docs.github.com/rest"


@dataclass
class Answer:
    """Status, payload (None for no content) and extra headers; `text` instead of JSON."""

    status: int
    payload: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    text: str | None = None


@dataclass
class Listing:
    """Rows of a list answer before they are cut into pages and shown.

    `stamp` tells when a row came to be (a lagging list leaves young ones out); `wrap` is the key
    of GitHub's lists that are objects.
    """

    rows: Sequence[Any]
    show: Callable[[Any], Json]
    stamp: Callable[[Any], Any] | None = None
    wrap: str = ""


class Refusal(Exception):  # noqa: N818 - it is an answer, not a fault
    """GitHub says no."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        errors: list[Any] | None = None,
        headers: dict[str, str] | None = None,
        url: str = "",
    ) -> None:
        super().__init__(message)
        self.status = status
        self.payload: Json = {"message": message, "documentation_url": DOCS}
        if status not in {409, 422}:
            self.payload["status"] = str(status)
        if errors is not None:
            self.payload["errors"] = errors
        if url:
            self.payload["url"] = url
        self.headers = headers or {}


def not_found(message: str = "Not Found") -> Refusal:
    """404: there is none, or you may not know of it."""
    return Refusal(404, message)


def forbidden(message: str = "Resource not accessible by personal access token") -> Refusal:
    """403 without a rate limit."""
    return Refusal(403, message)


def invalid(resource: str, code: str, field_name: str, message: str = "") -> Refusal:
    """422 with one structured error (`missing`, `missing_field`, `invalid`, `custom`, ...)."""
    error: Json = {"resource": resource, "code": code, "field": field_name}
    if message:
        error["message"] = message
    return Refusal(422, "Validation Failed", errors=[error])


def unprocessable(message: str) -> Refusal:
    """422 as the review endpoints give it: errors are plain sentences."""
    return Refusal(422, "Unprocessable Entity", errors=[message])
