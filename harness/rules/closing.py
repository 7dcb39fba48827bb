"""Which issues a text closes when it is merged: GitHub's closing keywords.

Source: GitHub docs, "Linking a pull request to an issue": close(s/d), fix(es/ed), resolve(s/d),
an optional colon, then `#n`. Only numbers of the same repository count here.
"""

from __future__ import annotations

import re

_CLOSING = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?[ \t]+#([1-9][0-9]*)\b", re.IGNORECASE
)


def closes(text: str, number: int) -> bool:
    """Whether this text of a pull request links the issue `number` to be closed."""
    return any(int(found) == number for found in _CLOSING.findall(text))
