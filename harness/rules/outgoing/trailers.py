"""Lines of a commit message that machines act on: only the configured ones stand.

Nobody is credited or signs by a model's word, and no model skips the checks.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_CREDIT = re.compile(r"^([ \t]*[A-Za-z]+(?:-[A-Za-z]+)*-by)(?=[ \t]*:)", re.MULTILINE)
_SKIP = re.compile(
    r"\[(?=(?:skip[ -]ci|ci[ -]skip|no[ -]ci|skip[ -]actions|actions[ -]skip)\])", re.IGNORECASE
)
_SKIP_TRAILER = re.compile(r"^([ \t]*skip)-(?=checks[ \t]*:)", re.MULTILINE | re.IGNORECASE)


def break_trailers(text: str, meant: Collection[str]) -> str:
    """The message with every credit that is not meant turned into plain words."""
    kept = {line.strip().casefold() for line in meant}
    return "\n".join(_line(line, kept) for line in text.split("\n"))


def break_skips(text: str) -> str:
    """The text without what makes GitHub Actions skip a commit's checks."""
    return _SKIP_TRAILER.sub(r"\1 ", _SKIP.sub("[ ", text))


def _line(line: str, kept: Collection[str]) -> str:
    if line.strip().casefold() in kept:
        return line
    return _CREDIT.sub(lambda found: found[1].replace("-", " "), line)
