"""What an App's installation may not do, and what to do about it or what replaces it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from harness.facts.value import Fact

Level = Literal["read", "write"]


class Lack(Fact):
    """A permission that is missing; `needed` ones stop the work, the others are replaced."""

    needed: bool
    text: str


_NEEDED: tuple[tuple[str, Level, str], ...] = (
    ("contents", "write", "it cannot push branches"),
    ("pull_requests", "write", "it cannot open pull requests"),
    ("issues", "write", "it cannot comment on issues or label them"),
    ("statuses", "write", "it cannot set commit statuses"),
    ("checks", "read", "it cannot see check runs"),
)
_REPLACED: tuple[tuple[str, Level, str], ...] = (
    ("checks", "write", "it cannot make check runs: commit statuses are set instead"),
    ("actions", "read", "it cannot read the logs of red checks: agents see their annotations only"),
    ("workflows", "write", "it cannot push changes to workflow files: they are kept for a person"),
)


def lacks(permissions: Mapping[str, str]) -> tuple[Lack, ...]:
    """What is missing, graver first; names and levels are GitHub's own.

    Source: docs.github.com, "Permissions required for GitHub Apps".
    """
    needed = [
        Lack(needed=True, text=f'{text}: give the App the permission "{name}: {level}"')
        for name, level, text in _NEEDED
        if not _has(permissions, name, level)
    ]
    replaced = [
        Lack(needed=False, text=text)
        for name, level, text in _REPLACED
        if not _has(permissions, name, level)
    ]
    return (*needed, *replaced)


def _has(permissions: Mapping[str, str], name: str, level: Level) -> bool:
    given = permissions.get(name, "")
    return given in {"write", "admin"} or given == level
