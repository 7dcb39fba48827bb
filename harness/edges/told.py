"""JSON of a vendor, read so that no shape of it is a surprise: it fits, or it is Unreadable."""

from __future__ import annotations

import json
from math import isinf
from typing import Any, NoReturn, TypeVar

Json = dict[str, Any]  # Any: a vendor's JSON, whose fields are read where they are used

T = TypeVar("T")
_KINDS: dict[type, str] = {dict: "object", list: "list", str: "text", int: "whole number"}
_MOST = 100_000_000  # tokens: more than any window holds, and never too much for the store


class Unreadable(ValueError):  # noqa: N818 - it says what it is
    """It is not what the vendor's description says."""


def parse(text: str | bytes) -> Any:  # Any: JSON comes out
    """The JSON value, which can be written again; Unreadable where there is none."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError as error:
        raise Unreadable("JSON that is nested too deep") from error
    except ValueError as error:
        raise Unreadable(f"no JSON: {error}") from error


def _refuse(name: str) -> NoReturn:
    raise Unreadable(f"it holds {name}")  # Python reads NaN, and would send it back


def _finite(digits: str) -> float:
    number = float(digits)
    if isinf(number):
        raise Unreadable("it holds a number that is too large")
    return number


def read(told: Json, key: str, kind: type[T]) -> T:
    """The field, where it is of this kind."""
    value = told.get(key)
    if type(value) is not kind:  # True is no whole number
        raise Unreadable(f"{key} is no {_KINDS[kind]}")
    return value


def read_or(told: Json, key: str, kind: type[T], default: T) -> T:
    """The field, where it is of this kind; the default where there is none."""
    return default if told.get(key) is None else read(told, key, kind)


def said(told: Json, key: str) -> str:
    """The field's text, "" where it is none: for what is only shown or looked up."""
    value = told.get(key)
    return mend(value) if isinstance(value, str) else ""


def an_object(value: Any) -> Json:  # Any: JSON goes in
    """The value, where it is an object."""
    return read({"a value": value}, "a value", dict)


def an_error(value: Any) -> Json:  # Any: JSON goes in
    """What an error says, in whatever shape: never Unreadable, for it is an error in any case."""
    if isinstance(value, dict):
        return value
    return {} if value is None else {"message": str(value)}


def read_tokens(told: Json, key: str, default: int | None = None) -> int:
    """A count of tokens that can be one; the default where none is told."""
    count = read(told, key, int) if default is None else read_or(told, key, int, default)
    if not 0 <= count <= _MOST:
        raise Unreadable(f"{key} is {count}")
    return count


def mend(text: str) -> str:
    """Join surrogate pairs that came in two pieces; what stays single becomes U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def mend_all(value: Any) -> Any:  # Any: JSON goes in and comes out
    """`mend` every string of a JSON value."""
    match value:
        case str():
            return mend(value)
        case list():
            return [mend_all(one) for one in value]
        case dict():
            return {mend(key): mend_all(one) for key, one in value.items()}
        case _:
            return value


def compact(value: Any) -> str:  # Any: JSON goes in
    """JSON text without spaces, keys in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
