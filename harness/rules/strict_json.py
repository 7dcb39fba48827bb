"""JSON without the leniencies of its parsers: no duplicate keys, no NaN, nothing behind the end."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

_LARGEST = 2**31 - 1
_BLANKS = re.compile(r"[ \t\n\r]*")


class StrictJsonError(ValueError):
    """Why a text is not one strict JSON value; `str` is one sentence."""


def load_object(text: str) -> dict[str, Any]:
    """The one JSON object that this text is; StrictJsonError with the exact complaint otherwise."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_int=_bounded,
        )
    except json.JSONDecodeError as error:
        if not text.strip():
            raise StrictJsonError("The reply is empty.") from error
        place = f"line {error.lineno} column {error.colno}"
        raise StrictJsonError(
            f"The reply is not one JSON object: {error.msg} at {place}."
        ) from error
    except RecursionError as error:
        raise StrictJsonError("The reply is nested too deeply.") from error
    if not isinstance(value, dict):
        raise StrictJsonError("The reply is not a JSON object.")
    if "\\u" in text and not _is_unicode(value):
        raise StrictJsonError("The reply holds half of a surrogate pair.")
    return value


def last_json(text: str) -> str:
    """The last of several complete JSON objects that follow each other; any other text unchanged.

    Text before, between or behind them is left for `load_object` to complain about: an answer cut
    short behind a complete one must not be taken for it.
    """
    decoder = json.JSONDecoder()
    at = _blanks(text, 0)
    start = at
    while at < len(text):
        start = at
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return text
        if not isinstance(value, dict):
            return text
        at = _blanks(text, end)
    return text[start:]


def _blanks(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, child in pairs:
        if key in value:
            raise StrictJsonError(f"The key {key[:80]!r} is there twice in one object.")
        value[key] = child
    return value


def _no_constant(name: str) -> NoReturn:
    raise StrictJsonError(f"{name} is not JSON.")


def _bounded(digits: str) -> int:
    """Lines, numbers and exit statuses: nothing below 0, nothing a database would not hold."""
    if len(digits) > len(str(_LARGEST)) or not 0 <= int(digits) <= _LARGEST:
        raise StrictJsonError(f"The integer {digits[:20]} is out of range.")
    return int(digits)


def _is_unicode(value: dict[str, Any]) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
