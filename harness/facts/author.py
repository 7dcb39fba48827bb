"""Who commits, as git writes it: `Name <address>`, on one line."""

from __future__ import annotations

import re

_AUTHOR = re.compile(
    r"([^<>\x00-\x1f\x7f-\x9f]*[^<>\s\x00-\x1f\x7f-\x9f]) *<([^<>\s\x00-\x1f\x7f-\x9f]+)>"
)


def read_author(author: str) -> tuple[str, str]:
    """Name and address. Raises ValueError when it is none."""
    read = _AUTHOR.fullmatch(author.strip(" "))
    if not read:
        raise ValueError("must be written as Name <address>, on one line")
    return read[1].strip(), read[2]


def check_author(author: str) -> str:
    """The author as it is. Raises ValueError when it is none."""
    read_author(author)
    return author
