"""Key, price and address of each agent; the vendor is not asked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from urllib.parse import urlsplit

from harness.cli.checkup.looks import Told, look
from harness.facts.looking import Look
from harness.facts.settings import AgentSettings
from harness.facts.turns import AgentPin
from harness.wiring import House
from harness.words.status_lines import dollars

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def look_at_agents(house: House) -> Iterator[Look]:
    """Stand-ins too."""
    for name, agent in house.settings.agents.items():
        yield look("agents", name, partial(_agent, house, name, agent))


def _agent(house: House, name: str, agent: AgentSettings) -> Told:
    address = urlsplit(agent.base_url)
    house.check_agent(name, agent)
    pin = AgentPin(agent=name, provider=agent.provider, model=agent.model, effort=agent.effort)
    price = house.prices(pin).tiers[0]
    told = (
        f"{agent.model}, its key is set, {dollars(price.input)} in and {dollars(price.output)} out "
        "per million tokens"
    )
    if address.scheme == "http" and address.hostname not in _LOOPBACK:
        return "note", f"{told}; base_url sends the key without encryption"
    return "ok", told
