"""What an LLM costs: the operator's own prices, else those of PyPI `genai-prices` (offline)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from harness.errors import ConfigError
from harness.facts.money import Price, PriceList
from harness.facts.settings import PriceSettings
from harness.facts.turns import Provider

if TYPE_CHECKING:
    from genai_prices.types import ModelPrice, TieredPrices

_KEYS = ("input", "cache_read", "cache_write", "output")
_MICRO = 1_000_000


def read_prices(
    model: str, provider: Provider, own: Mapping[str, PriceSettings], at: datetime
) -> PriceList:
    """The prices of this LLM at this time; `own` are dollars per million tokens, by its name.

    ConfigError when nobody knows its price.
    """
    if model in own:
        return _own_prices(model, own[model])
    return _known_prices(model, provider, at)


def _own_prices(model: str, own: PriceSettings) -> PriceList:
    whole = {key: getattr(own, key) for key in _KEYS}
    micro = {
        key: math.ceil((own.input if price is None else price) * _MICRO)
        for key, price in whole.items()
    }
    return PriceList(model=model, tiers=(Price(from_tokens=0, **micro),))


def _known_prices(model: str, provider: Provider, at: datetime) -> PriceList:
    from genai_prices.data_snapshot import get_snapshot

    try:
        _, info = get_snapshot().find_provider_model(model, None, provider, None)
    except LookupError as error:
        raise ConfigError(
            f'no price is known for {model}: name it under [prices."{model}"], input and output in '
            "dollars per million tokens"
        ) from error
    found = info.get_prices(at)
    tiers = tuple(_price(found, start, model) for start in _starts(found))
    return PriceList(model=model, tiers=tiers)


def _starts(found: ModelPrice) -> list[int]:
    """Where tiers start, 0 first; the package's tiers hold above their start, ours from it on."""
    fields = (_field(found, key) for key in _KEYS)
    starts = {tier.start + 1 for field in fields for tier in getattr(field, "tiers", ())}
    return [0, *sorted(starts)]


def _price(found: ModelPrice, start: int, model: str) -> Price:
    input_price, output_price = _at(found, "input", start), _at(found, "output", start)
    if input_price is None or output_price is None:
        raise ConfigError(
            f'the price of {model} is known in part only: name it under [prices."{model}"]'
        )
    read, write = _at(found, "cache_read", start), _at(found, "cache_write", start)
    return Price(
        from_tokens=start,
        input=input_price,
        cache_read=input_price if read is None else read,
        cache_write=input_price if write is None else write,
        output=output_price,
    )


def _field(found: ModelPrice, key: str) -> Decimal | TieredPrices | None:
    value: Decimal | TieredPrices | None = getattr(found, f"{key}_mtok", None)
    return value


def _at(found: ModelPrice, key: str, start: int) -> int | None:
    """Micro-dollars per million tokens of this kind in the tier that starts there."""
    price = _field(found, key)
    if price is None:
        return None
    if isinstance(price, Decimal):
        return math.ceil(price * _MICRO)
    reached = [tier.price for tier in price.tiers if tier.start < start]
    return math.ceil((reached[-1] if reached else price.base) * _MICRO)
