"""Closing keywords work only where they are meant.

GitHub closes an issue on `close(s|d)`, `fix(es|ed)`, `resolve(s|d)` before a reference, in a pull
request's body and in commit messages, however it is quoted, negated or marked up
(https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue).
"""

from __future__ import annotations

import re
from collections.abc import Collection

_CLOSES = re.compile(
    r"(?<![A-Za-z0-9])(?P<word>clos(?:e[sd]?)|fix(?:e[sd])?|resolv(?:e[sd]?))"
    r"(?P<between>(?:<[^<>\n]{0,40}>|\[[^\[\]\n]{1,60}\](?=\()|[^\w#<]|_){0,60}?<?)"
    r"(?P<reference>"
    r"(?P<where>(?:[\w.-]+/[\w.-]+)?\#|GH-|"
    r"(?:https?://)?[\w.-]+(?::\d+)?/[\w.-]+/[\w.-]+/(?:issues|pull|pulls|discussions)/)"
    r"(?P<number>\d+))",
    re.IGNORECASE,
)


def break_closing(text: str, meant: Collection[int], put_in: str, *, plain: bool = False) -> str:
    """The text with every closing keyword broken that is not before the `#n` of a meant number.

    In Markdown the keyword is broken, so that the reference stays a link; in plain text the
    reference is, where a space is seen for what it is.
    """

    def broken(found: re.Match[str]) -> str:
        if found["where"] == "#" and int(found["number"]) in meant:
            return found[0]
        word, between, where = found["word"], found["between"], found["where"]
        if plain:
            return f"{word}{between}{where}{put_in}{found['number']}"
        return f"{word[:2]}{put_in}{word[2:]}{between}{found['reference']}"

    return _CLOSES.sub(broken, text)
