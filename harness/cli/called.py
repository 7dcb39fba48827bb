"""One call of the command line, as far as it came."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from harness.facts.settings import Settings
    from harness.wiring import House


@dataclass(frozen=True)
class Call:
    """How a working command was called."""

    command: str
    named: frozenset[int] = frozenset()
    anyway: bool = False
    adopt: bool = False
    dry: bool = False
    json: bool = False
    quiet: bool = False


@dataclass
class Called:
    """Its house, once there is one: whose secrets are masked and whose log is written."""

    house: House | None = None


def enter_house(settings: Settings, environ: Mapping[str, str] | None = None) -> House:
    """The house of this process; should the call break, it is known."""
    from harness.wiring import open_house

    root = logging.getLogger("harness")
    if not root.handlers:
        root.addHandler(logging.NullHandler())  # else warnings go to stderr as they are
    house = open_house(settings, environ)
    context = click.get_current_context(silent=True)
    called = context.find_object(Called) if context else None
    if called is not None:
        called.house = house
    return house
