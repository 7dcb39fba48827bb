"""A tree in which a repository's `setup` has run."""

from __future__ import annotations

from typing import Literal

from harness.facts.value import Fact


class Build(Fact):
    """What `setup` left; `key` is the hash of the command, the base and its lock files."""

    repo_id: int
    key: str
    path: str
    state: Literal["ready", "failed"]
    tail: str  # the end of what setup printed
    ended: str = ""  # how a failed one ended
    tries: int = 0  # of a failed one
