"""How values stand in columns: times as UTC text that sorts, values as JSON, text as UTF-8."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json

LONE_SURROGATES = re.compile("[\ud800-\udfff]")


def stamp(at: datetime) -> str:
    """`YYYY-MM-DDTHH:MM:SS.ffffffZ`; ValueError for a time without a zone."""
    if at.tzinfo is None:
        raise ValueError(f"{at} has no time zone")
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def stamp_or_none(at: datetime | None) -> str:
    """A stamp, "" for none."""
    return "" if at is None else stamp(at)


def moment(text: str) -> datetime:
    """The time of a stamp."""
    return datetime.fromisoformat(text)


def moment_or_none(text: str) -> datetime | None:
    """The time of a stamp, None for ""."""
    return moment(text) if text else None


def plain(text: str) -> str:
    """Text that UTF-8 can hold: lone surrogates, which JSON escapes smuggle in, are replaced."""
    return LONE_SURROGATES.sub("\ufffd", text)


def as_json(value: BaseModel | tuple[BaseModel | str | int, ...] | None) -> str:
    """JSON text of a fact, or of several; a paid answer is never lost to a lone surrogate in it."""
    try:
        return to_json(value).decode()
    except PydanticSerializationError:
        return to_json(_mended(value)).decode()


def _mended(value: object) -> object:
    match value:
        case str():
            return plain(value)
        case BaseModel():
            return _mended(value.model_dump())
        case dict():
            return {key: _mended(item) for key, item in value.items()}
        case tuple() | list():
            return [_mended(item) for item in value]
        case _:
            return value
