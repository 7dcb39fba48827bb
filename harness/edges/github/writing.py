"""Writing to one repository on GitHub: the writing door for all kinds but those git does itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from harness.edges.github.delivering import Delivering
from harness.edges.github.finding import Finding
from harness.edges.github.preconditions import Preconditions
from harness.edges.github.reading import GithubReading
from harness.edges.github.wire import Wire
from harness.facts.intents import Intent, Receipt


class GithubWriting:
    """Satisfies `doors.writing.Writing`; Push, DeleteBranch and PushLedger raise TypeError.

    It reads without stored answers: what happened is asked of GitHub itself.
    """

    def __init__(self, wire: Wire, repo: str, *, bot: Callable[[], str] | None = None) -> None:
        self._wire = wire
        reading = GithubReading(wire, repo, bot=bot)
        self._delivering = Delivering(wire, repo, reading)
        self._finding = Finding(wire, repo, reading)
        self._preconditions = Preconditions(wire, repo, reading)

    def deliver(self, intent: Intent) -> Receipt:
        return self._delivering.deliver(intent)

    def read_back(self, intent: Intent) -> Receipt | None:
        return self._finding.find(intent)

    def unmet(self, intent: Intent) -> str:
        return self._preconditions.unmet(intent)

    def forge_time(self) -> datetime:
        return self._wire.forge_time()
