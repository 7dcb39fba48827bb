"""The writing door in two parts: what goes through git, and everything else through the API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from harness.doors.writing import Writing
from harness.edges.git import GitPushing
from harness.facts.intents import DeleteBranch, Intent, Push, PushLedger, Receipt


@dataclass(frozen=True)
class RoutedWriting:
    """Satisfies `doors.writing.Writing`; git tells no time, so the API's Date header counts."""

    api: Writing
    git: GitPushing

    def deliver(self, intent: Intent) -> Receipt:
        """Make the write once, by the part it belongs to."""
        if _is_push(intent):
            receipt = self.git.deliver(intent)
            return receipt.model_copy(update={"at": self.forge_time()})
        return self.api.deliver(intent)

    def read_back(self, intent: Intent) -> Receipt | None:
        """Whether it has taken effect."""
        return self.git.read_back(intent) if _is_push(intent) else self.api.read_back(intent)

    def unmet(self, intent: Intent) -> str:
        """Why it must not be made any more; a push has the API's preconditions too."""
        return (self.git.unmet(intent) if _is_push(intent) else "") or self.api.unmet(intent)

    def forge_time(self) -> datetime:
        """The Date header last seen."""
        return self.api.forge_time()


def _is_push(intent: Intent) -> bool:
    return isinstance(intent.write, Push | DeleteBranch | PushLedger)
