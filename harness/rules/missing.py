"""Findings that say a file is missing, looked up: a diff does not show everything.

Only a plain statement about a file of the head is taken for one; what happens *if* a file is
missing where the code runs, or in what is built from it, is another matter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

_PREPOSITIONS = ("in", "of", "for", "from", "to", "by", "inside", "within", "with")
_NOT_IN = r"(?<![\w/.@+'\"`-])" + "".join(rf"(?<!\b{word} )" for word in _PREPOSITIONS)
_PATH = r"[`'\"]?(?P<path>(?:[\w.@+-]+/)+[\w.@+-]*\w|[\w@+-][\w.@+-]*\.\w+)[`'\"]?"
_THIS = r"(?:this|the)(?: \w+)? file"
_GONE = (
    r"(?:(?:is|was|were|are|has been) (?:still )?"
    r"(?:missing|absent|not (?:there|present|included|committed|added|checked in)"
    r"|never (?:added|committed|created|included)|nowhere)"
    r"|(?:does not|doesn't|did not) exist"
    r"|(?:cannot|can't|could not) be found)"
)
_HERE = (
    r"(?=\s*(?:$|[.,;:!)]|(?:from|in|at|by|to) (?:this |the )?(?:same )?"
    r"(?:commit|change|diff|patch|pull request|PR|repository|repo|branch|tree|checkout|head)\b"
    r"|(?:and|so|but|although|here|anywhere)\b))"
)
_STATEMENTS = (
    re.compile(rf"{_NOT_IN}{_PATH} (?:file )?{_GONE}{_HERE}", re.IGNORECASE),
    re.compile(rf"^missing (?:file|module|fixture):? {_PATH}\W*$", re.IGNORECASE),
)
_OWN = re.compile(rf"\b{_THIS} {_GONE}{_HERE}", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|where|unless|once|until|should|in case|on an?)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def called_missing(file: str, title: str, detail: str, there: Collection[str]) -> str:
    """The path of a file that is `there` and that a finding on `file` calls missing, else ""."""
    said = [title, *_SENTENCE.split(detail.strip())[:1]]
    named = (path for sentence in said for path in _named(sentence, file))
    return next((path for path in named if path in there), "")


def _named(sentence: str, file: str) -> Iterator[str]:
    for statement in _STATEMENTS:
        for match in statement.finditer(sentence):
            if not _CONDITION.search(sentence[: match.start()]):
                yield match["path"].removeprefix("./")
    own = _OWN.search(sentence)
    if file and own and not _CONDITION.search(sentence[: own.start()]):
        yield file
