"""The result of the repository's own check command at one commit."""

from __future__ import annotations

from typing import Literal

from harness.facts.value import Fact
from harness.facts.workbench import StoppedBy


class Check(Fact):
    """One run of the check; `unchanged` is red on base and head, and nothing shows it is worse.

    `failing` is empty where a red check's failing tests are not known: `unchanged` then only means
    that it ended as on the base.

    state `absent`: no check is configured. `unrunnable`: 126, 127, a signal, time, memory or the
    sandbox: unknown, never green.
    """

    command: str
    sha: str
    state: Literal["green", "unchanged", "red", "unrunnable", "absent"]
    exit: int
    seconds: float
    failing: tuple[str, ...]
    tail: str
    stopped_by: StoppedBy = ""

    @property
    def passes(self) -> bool:
        """Whether review may go on (absent passes, but never merges by itself)."""
        return self.state in {"green", "unchanged", "absent"}

    @property
    def is_in_the_dark(self) -> bool:
        """Whether it is red and nobody knows which tests fail, so that more may than did before."""
        return self.state in {"unchanged", "red"} and not self.failing
