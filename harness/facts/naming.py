"""Names in a config: what is one, as pydantic asks it."""

from __future__ import annotations

import re

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def check_variable(name: str) -> str:
    """The name of an environment variable as it is. Raises ValueError when it is none."""
    if not _VARIABLE.fullmatch(name):
        raise ValueError("must be the name of an environment variable")
    return name


def check_given(text: str) -> str:
    """A text as it is. Raises ValueError when it says nothing."""
    if not text.strip():
        raise ValueError("must not be empty")
    return text
