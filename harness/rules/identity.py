"""What a finding is known by: its title, folded, and its file.

Two wordings that differ in tags, ticks, case, punctuation or line numbers are one title;
`a < b` and `a > b` are two, since operators are kept.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
import unicodedata
from functools import lru_cache

from harness.facts.entries import EntryKey

OPERATORS = "<>=!&|+-*/%"

_GRADE = (
    r"(?:severity\s*:\s*)?"
    r"(?:non-?blocking|blocking|blocker|critical|severe|major|minor|trivial|nitpick|nit|high|medium"
    r"|moderate|low|important|optional|must[- ]fix|p[0-4]|sev-?[0-5])(?:\s+(?:severity|priority))?"
)
_TAG = re.compile(
    rf"""[\s*_~#>:.,;–—-]*(?:
        \[\s*{_GRADE}\s*\]
      | \(\s*{_GRADE}\s*\)
      | [*_]+\s*{_GRADE}\s*:?\s*[*_]+
      | {_GRADE}\s*(?::|\s[-–—]\s)
    )[\s*_~:.,;–—-]*""",  # noqa: RUF001 - people write dashes
    re.VERBOSE,
)
_PLACES = (
    re.compile(r"((?:[\w.-]*/[\w./-]*\w|[\w./-]*\.[a-z]\w*)):\d+(?:[-:]\d+)?"),  # path:88-91
    re.compile(r"\blines?\s+\d+(?:\s*[-–—]\s*\d+)?\b"),  # noqa: RUF001
    re.compile(r"\bl\s?\d+(?:\s*[-–—]\s*l?\d+)?\b"),  # noqa: RUF001
)
_LINE_SUFFIX = re.compile(r"(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)$")
_OPERATOR_RUN = re.compile(rf"([{re.escape(OPERATORS)}]+)")


@lru_cache(maxsize=4096)
def title_key(title: str) -> str:
    """The title as identity knows it; never empty."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", title).casefold())
    text = _without_places(_without_tags(text)).replace("`", "")
    kept = "".join(char if _is_kept(char) else " " for char in text)
    key = fold_text(_OPERATOR_RUN.sub(r" \1 ", kept))
    return key or "#" + hashlib.sha256(title.encode()).hexdigest()[:32]


def file_key(path: str) -> str:
    """The path from the root of the repository, without line numbers; "" in general."""
    bare = _LINE_SUFFIX.sub("", path)
    if not bare.strip("/ "):
        return ""
    return posixpath.normpath(bare).lstrip("/")


def fingerprint(host: str, slug: str, key: EntryKey, category: str) -> str:
    """The identity for the outside; people see the first 8 characters after `v1:`.

    `slug` is owner/name, `category` the one the entry was first raised under.
    """
    parts = [f"{host}/{slug}", key.title_key, key.file, category]
    if key.ordinal > 1:
        parts.append(str(key.ordinal))
    return "v1:" + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def fold_text(text: str) -> str:
    """The text with every run of whitespace as one blank and none at the ends."""
    return " ".join(text.split())


def core_words(text: str) -> tuple[str, ...]:
    """The words and numbers of a piece of code; brackets and operators are none."""
    return tuple(re.findall(r"\w+", text))


def _without_tags(text: str) -> str:
    while (tag := _TAG.match(text)) and tag.end() < len(text):
        text = text[tag.end() :]
    return text


def _without_places(text: str) -> str:
    path, *numbers = _PLACES
    text = path.sub(r"\1", text)
    for pattern in numbers:
        text = pattern.sub(" ", text)
    return text


def _is_kept(char: str) -> bool:
    category = unicodedata.category(char)
    return char == "_" or char in OPERATORS or category[0] in "LMN" or category == "Sm"
