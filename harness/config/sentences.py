"""What is wrong with a table, in one sentence that names the key."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

_IN_TOML = {
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "list_type": "must be an array",
    "tuple_type": "must be an array",
}


def sentence(shape: type[BaseModel], error: ValidationError) -> str:
    """The first thing that is wrong."""
    first = error.errors(include_url=False, include_input=False)[0]
    path = [str(part) for part in first["loc"]]
    where = ".".join(path)
    if first["type"] == "extra_forbidden":
        return f'unknown key "{where}"{nearest(path[-1], _keys(shape, path[:-1]))}'
    if first["type"] == "missing":
        return f'the key "{where}" is missing'
    message = _IN_TOML.get(first["type"]) or _plain(first["msg"])
    return f'"{where}" {message}'


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a sentence: what was meant, or what there is."""
    names = [str(name) for name in known]
    close = difflib.get_close_matches(word, names, n=1)
    if close:
        return f'; did you mean "{close[0]}"?'
    return f"; known here: {', '.join(sorted(names))}" if names else ""


def _plain(message: str) -> str:
    told = message.removeprefix("Value error, ").replace("Input should be", "must be")
    return f"{told[0].lower()}{told[1:]}"


def _keys(shape: type[BaseModel], path: list[str]) -> list[str]:
    """The keys that are valid at this place; agents and prices are tables by names of any kind."""
    inner: Any = shape  # Any: what pydantic says of a field
    for part in path:
        if get_origin(inner) is dict:
            inner = get_args(inner)[1]
        else:
            inner = inner.model_fields[part].annotation
    return list(inner.model_fields)
