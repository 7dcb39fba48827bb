"""The vendors' clients of one desk."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from harness.doors.turns import Turns
from harness.facts.turns import AgentPin, Conversation, Turn
from harness.rules.hushing import hush
from harness.wiring.house import House

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class HushedTurns:
    """A vendor's client; what it hears holds no secret of ours. Satisfies `doors.turns.Turns`."""

    turns: Turns
    agent: str
    mask: Callable[[str], str]

    def ask(self, conversation: Conversation) -> Turn:
        turn = self.turns.ask(conversation)
        hushed = hush(turn, self.mask)
        if hushed is not turn:
            logger.warning(
                "%s wrote one of the harness's own secrets, which no agent is shown: find out how "
                "it got there, and replace it",
                self.agent,
            )
        return hushed

    def find_model(self, model: str) -> None:
        self.turns.find_model(model)

    def close(self) -> None:
        self.turns.close()

    def input_bound(self, conversation: Conversation) -> int:
        return self.turns.input_bound(conversation)


@dataclass
class Vendors:
    """The vendors' clients of one desk, each made when it is first asked."""

    house: House
    made: dict[AgentPin, Turns] = field(default_factory=dict)

    def turns(self, pin: AgentPin) -> Turns:
        """Asking this agent."""
        if pin not in self.made:
            self.made[pin] = HushedTurns(self.house.turns(pin), pin.agent, self.house.mask_ours)
        return self.made[pin]

    def close(self) -> None:
        """Close all connections."""
        while self.made:
            self.made.popitem()[1].close()
