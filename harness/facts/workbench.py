"""Commands and what they came to."""

from __future__ import annotations

from typing import Literal

from harness.facts.value import Fact

StoppedBy = Literal["", "time", "memory", "processes", "disk", "output"]
"""The limit that ended a command, "" where none did."""


class Command(Fact):
    """A command to run in the workbench."""

    argv: tuple[str, ...]
    stdin: str = ""
    seconds: float
    network: bool = False


class Ran(Fact):
    """What a command did; `exit` is 128 + signal when it was killed.

    `output` is stdout and stderr interleaved, decoded with replacement, scrubbed of secrets, its
    middle cut at the limit and the cut said in it.
    """

    exit: int
    output: str
    seconds: float
    stopped_by: StoppedBy
