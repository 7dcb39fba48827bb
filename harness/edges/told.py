"""JSON of a vendor, read so that no shape of it is a surprise: it fits, or it is Unreadable."""

from __future__ import annotations

import json
from math import isinf
from typing import Any, NoReturn

Json = dict[str, Any]  # Any: a vendor's JSON, whose fields are read where they are used


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
