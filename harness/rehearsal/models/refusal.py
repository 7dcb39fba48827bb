"""How the double says no: a status and the vendor's kind of error."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError

T = TypeVar("T", bound=BaseModel)


class Refusal(Exception):  # noqa: N818 - an answer, not a failure of the double
    """The vendor would refuse this request."""

    def __init__(self, status: int, kind: str, message: str, *, retry_after: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind  # Anthropic's error type, OpenAI's error code
        self.message = message
        self.retry_after = retry_after


def read_closed(shape: type[T], body: object, kind: str) -> T:
    """The request as a closed model; Refusal 400 naming the field that does not fit."""
    try:
        return shape.model_validate(body)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        deepest = max(faults, key=lambda fault: len(fault["loc"]))  # past the wrong arms of unions
        where = ".".join(str(part) for part in deepest["loc"] if "[" not in str(part))
        raise Refusal(400, kind, f"{where}: {deepest['msg']}") from error
