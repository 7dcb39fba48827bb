"""Money and tokens: whole micro-dollars, whole tokens."""

from __future__ import annotations

from typing import NewType

from harness.facts.value import Fact

MicroDollars = NewType("MicroDollars", int)


class Usage(Fact):
    """Tokens of one turn; `input` excludes what was read from or written to the cache."""

    input: int
    cache_read: int
    cache_write: int
    output: int

    @property
    def total_input(self) -> int:
        """All input tokens, cached or not."""
        return self.input + self.cache_read + self.cache_write


class Price(Fact):
    """Micro-dollars per million tokens, from `from_tokens` of total input on (a tier)."""

    from_tokens: int
    input: int
    cache_read: int
    cache_write: int
    output: int


class PriceList(Fact):
    """The tiers of one LLM, ascending by `from_tokens`, the first at 0."""

    model: str
    tiers: tuple[Price, ...]


class Caps(Fact):
    """Upper limits in micro-dollars, checked together in one transaction."""

    exchange: int
    item: int
    repo_day: int
    day: int


class Spend(Fact):
    """What is spent and held in reserve where a cap applies, in micro-dollars."""

    exchange: int
    item: int
    repo_day: int
    day: int
