"""Lines of a commit message that machines act on: only the configured ones stand.

Nobody is credited or signs by a model's word, and no model skips the checks or decides a release.
A trailer for git, with or without a blank after its colon, is a `Token:` line of the last
paragraph; a name with a hyphen is broken wherever it stands, since others look there too.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_NAMED = re.compile(r"^([ \t]*)([A-Za-z0-9]+(?:-[A-Za-z0-9]+)+)(?=[ \t]*:(?!//))")
_TRAILER = re.compile(r"^([A-Za-z0-9]+)[ \t]*:(?!//)")
_RELEASE = re.compile(r"^([ \t]*)BREAKING[ -]CHANGE(?=[ \t]*:)")
_SKIP = re.compile(
    r"\[(?=(?:skip[\s_-]{1,5}[\w-]{1,20}|[\w-]{1,20}[\s_-]{1,5}skip|no[\s_-]{1,5}ci)"
    r"\s{0,5}\])|\*\*\*(?=NO_CI\*\*\*)",
    re.IGNORECASE,
)
_SKIP_TRAILER = re.compile(r"^([ \t]*skip)-(?=checks[ \t]*:)", re.MULTILINE | re.IGNORECASE)


def break_trailers(text: str, meant: Collection[str]) -> str:
    """The message with every trailer that is not meant turned into plain words."""
    kept = {line.strip().casefold() for line in meant}
    lines = text.split("\n")
    last = _last_paragraph(lines)
    return "\n".join(
        line if line.strip().casefold() in kept else _plain(line, last=n >= last)
        for n, line in enumerate(lines)
    )


def break_skips(text: str) -> str:
    """The text without what makes a CI skip a commit's checks."""
    return _SKIP_TRAILER.sub(r"\1 ", _SKIP.sub(lambda found: f"{found[0]} ", text))


def _last_paragraph(lines: list[str]) -> int:
    """Where it begins; after the end where the title is all there is."""
    said = max((n for n, line in enumerate(lines) if line.strip()), default=0)
    blank = (n for n, line in enumerate(lines) if not line.strip() and n < said)
    return max((n + 1 for n in blank), default=len(lines))


def _plain(line: str, *, last: bool) -> str:
    line = _RELEASE.sub(r"\1Breaking change", line)
    line = _NAMED.sub(lambda found: f"{found[1]}{found[2].replace('-', ' ')}", line)
    return _TRAILER.sub(r"\1 -", line) if last else line
