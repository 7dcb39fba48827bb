from __future__ import annotations

from datetime import UTC, datetime

import pytest

from harness.edges.prices import read_prices
from harness.errors import ConfigError
from harness.facts.money import Price
from harness.facts.settings import PriceSettings

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def test_known_prices_come_with_cache_writes() -> None:
    prices = read_prices("claude-opus-4-5", "anthropic", {}, NOW)

    assert prices.tiers == (
        Price(
            from_tokens=0,
            input=5_000_000,
            cache_read=500_000,
            cache_write=6_250_000,
            output=25_000_000,
        ),
    )


def test_a_tier_begins_one_token_above_the_packages_start() -> None:
    prices = read_prices("claude-sonnet-4-5", "anthropic", {}, NOW)

    assert [tier.from_tokens for tier in prices.tiers] == [0, 200_001]
    assert [tier.output for tier in prices.tiers] == [15_000_000, 22_500_000]


def test_writing_to_a_cache_without_a_price_of_its_own_is_input() -> None:
    prices = read_prices("gpt-5.5", "openai", {}, NOW)

    assert all(tier.cache_write == tier.input for tier in prices.tiers)


def test_the_operators_price_comes_first() -> None:
    own = {"gpt-5.5": PriceSettings(input=1.5, output=2.0)}

    assert read_prices("gpt-5.5", "openai", own, NOW).tiers == (
        Price(
            from_tokens=0,
            input=1_500_000,
            cache_read=1_500_000,
            cache_write=1_500_000,
            output=2_000_000,
        ),
    )


def test_a_price_that_nobody_knows_says_what_to_do() -> None:
    says = r'no price is known for llama-at-home: name it under \[prices\."'

    with pytest.raises(ConfigError, match=says):
        read_prices("llama-at-home", "openai", {}, NOW)
