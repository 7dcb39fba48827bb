"""What a push would bring to the forge, and secrets in it."""

from __future__ import annotations

from harness.facts.value import Fact


class Addition(Fact):
    """A text that the forge does not have yet; `before` is what stood in its place.

    `where` is a path in the repository when `in_file`, else what it is ("the commit message").
    """

    where: str
    text: str
    before: tuple[str, ...] = ()
    in_file: bool = False


class Spotted(Fact):
    """A secret in a text: one of ours to the letter, or something of the shape of one."""

    value: str
    ours: bool


class Leak(Fact):
    """Where a secret stands in what would be pushed, never which; line 0 is no line."""

    where: str
    line: int
    ours: bool
    in_file: bool
