"""Key, price and address of each agent, and whether its vendor lets the key ask the model: free."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from urllib.parse import urlsplit

from harness.cli.checkup.looks import Told, look
from harness.errors import VendorError
from harness.facts.looking import Look
from harness.facts.settings import AgentSettings
from harness.facts.turns import AgentPin
from harness.wiring import House
from harness.words.status_lines import dollars
from harness.words.turned_away import remedy

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
    heard, said = _ask_vendor(house, name, agent)
    if heard in {"mend", "failed"}:
        return heard, said
    told = (
        f"{agent.model}, {said}, {dollars(price.input)} in and {dollars(price.output)} out "
        "per million tokens"
    )
    if address.scheme == "http" and address.hostname not in _LOOPBACK:
        return "note", f"{told}; base_url sends the key without encryption"
    return heard, told


def _ask_vendor(house: House, name: str, agent: AgentSettings) -> Told:
    """Whether the key may ask this model; what credit there is, no free request tells."""
    pin = AgentPin(agent=name, provider=agent.provider, model=agent.model, effort=agent.effort)
    with closing(house.turns(pin)) as turns:
        try:
            turns.find_model(agent.model)
        except VendorError as error:
            return _told_no(name, agent, error)
    return "ok", "its key is accepted"


def _told_no(name: str, agent: AgentSettings, error: VendorError) -> Told:
    said = str(error).rstrip(". ")
    todo = remedy(name, error.reason, agent.key_variable)
    match error.reason:
        case "unauthorised":
            return "mend", f"key refused ({said}): {todo}"
        case "unpaid":
            return "mend", f"the account may not be used ({said}): {todo}"
        case "misconfigured" if not agent.base_url or _is_about(agent.model, said):
            return "mend", f"{agent.model} is unknown to this key ({said}): {todo}"
        case "misconfigured" | "unexpected" | "bad_request" if agent.base_url:
            return "note", f"its key is set, base_url does not say which models it has ({said})"
        case "unreachable":
            where = agent.base_url or "its vendor"
            return "failed", f"{where} is not reachable ({said}): see the network, then try again"
        case _:
            return "failed", f"its vendor does not answer now ({said}): try again later"


def _is_about(model: str, said: str) -> bool:
    """Whether an answer names the model, and not only the path that was asked for."""
    return model in said and "/models/" not in said
