"""The vendors' clients of one desk."""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.doors.turns import Turns
from harness.facts.turns import AgentPin
from harness.wiring.house import House


@dataclass
class Vendors:
    """The vendors' clients of one desk, each made when it is first asked."""

    house: House
    made: dict[AgentPin, Turns] = field(default_factory=dict)

    def turns(self, pin: AgentPin) -> Turns:
        """Asking this agent."""
        if pin not in self.made:
            self.made[pin] = self.house.turns(pin)
        return self.made[pin]

    def close(self) -> None:
        """Close all connections."""
        while self.made:
            self.made.popitem()[1].close()
