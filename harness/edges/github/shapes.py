"""What GitHub sends, as far as we need it: the base of all shapes, and who wrote something.

Strict about what is needed (a missing or mistyped key is ForgeError unexpected), tolerant about
the rest: GitHub adds keys at any time. Each shape makes the fact of it.
"""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from harness.edges.github.wire import Answer
from harness.errors import ForgeError
from harness.facts.forge import Author

GHOST = Author(id=0, login="ghost", kind="ghost")


class Shape(BaseModel):
    """A payload of GitHub's."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


S = TypeVar("S", bound=Shape)


def read(shape: type[S], answer: Answer) -> S:
    """One payload. Raises ForgeError unexpected, naming the key that does not fit."""
    try:
        return shape.model_validate_json(answer.text)
    except ValidationError as error:
        raise _strange(shape.__name__, error) from None


def read_list(shape: type[S], answer: Answer) -> list[S]:
    """A list of payloads."""
    try:
        return TypeAdapter(list[shape]).validate_json(answer.text)  # type: ignore[valid-type] # a shape is a type at run time
    except ValidationError as error:
        raise _strange(shape.__name__, error) from None


def _strange(name: str, error: ValidationError) -> ForgeError:
    first = error.errors(include_url=False, include_input=False)[0]
    what = name.removesuffix("Shape").lower()
    if first["type"] == "json_invalid":
        message = f"GitHub answered something that is no JSON where a {what} was asked for"
        return ForgeError(message, reason="unexpected", status=200)
    where = ".".join(str(part) for part in first["loc"])
    message = f"GitHub sent a {what} whose {where}: {first['msg']}"
    return ForgeError(message, reason="unexpected", status=200)


class UserShape(Shape):
    """`simple-user`."""

    id: int
    login: str
    type: str = "User"

    def fact(self) -> Author:
        """A Bot is an App's account."""
        return Author(id=self.id, login=self.login, kind="app" if self.type == "Bot" else "user")


def author(user: UserShape | None) -> Author:
    """Null is a deleted account; so is GitHub's own stand-in for it."""
    if user is None or user.login == "ghost":
        return GHOST
    return user.fact()
