from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.facts.money import Caps, MicroDollars, Price, PriceList, Spend, Usage
from harness.facts.moves import Ask
from harness.facts.settings import LimitSettings
from harness.facts.turns import AgentPin, Conversation, ReplySchema, Tools
from harness.rules.budget import (
    bound_cost,
    bound_input,
    caps_of,
    cost_of,
    day_of,
    dollars,
    fits_another_day,
    next_day,
    read_partial_usage,
    word_refusal,
)

FLAT = Price(
    from_tokens=0, input=3_000_000, cache_read=300_000, cache_write=3_750_000, output=15_000_000
)
HIGH = Price(
    from_tokens=200_001,
    input=6_000_000,
    cache_read=600_000,
    cache_write=7_500_000,
    output=22_500_000,
)
PRICES = PriceList(model="m", tiers=(FLAT, HIGH))
ZERO = Spend(exchange=0, item=0, repo_day=0, day=0)


def make_ask(counted: int = 0, since: int = 0) -> Ask:
    conversation = Conversation(
        exchange_id="e",
        pin=AgentPin(agent="first", provider="anthropic", model="m", effort="low"),
        system="",
        tools=Tools.READ,
        reply=ReplySchema(name="review", description="", schema_text="{}"),
        messages=(),
        max_tokens=8_000,
    )
    return Ask(conversation=conversation, n=1, counted=counted, since=since)


def test_a_turn_costs_each_kind_of_token_at_its_price_rounded_up() -> None:
    usage = Usage(input=1, cache_read=1_000, cache_write=0, output=10)

    assert cost_of(usage, PRICES) == 453
    assert cost_of(Usage(input=0, cache_read=1, cache_write=0, output=0), PRICES) == 1


def test_a_tier_is_reached_by_all_input_together_and_holds_for_all_tokens() -> None:
    below = Usage(input=0, cache_read=200_000, cache_write=0, output=1)
    above = Usage(input=1, cache_read=200_000, cache_write=0, output=1)

    assert cost_of(below, PRICES) == 60_015
    assert cost_of(above, PRICES) == 120_029


def test_a_bound_takes_new_input_as_written_to_the_cache() -> None:
    assert bound_cost(10_000, 8_000, PRICES) == 10_000 * 3.75 + 8_000 * 15


@given(
    st.integers(0, 500_000),
    st.integers(0, 500_000),
    st.integers(0, 500_000),
    st.integers(0, 64_000),
)
def test_a_bound_is_never_below_the_cost(new: int, read: int, write: int, output: int) -> None:
    usage = Usage(input=new, cache_read=read, cache_write=write, output=output)

    assert bound_cost(usage.total_input, 64_000, PRICES) >= cost_of(usage, PRICES)


def test_the_input_bound_is_the_closer_of_what_was_counted_and_the_bytes() -> None:
    assert bound_input(make_ask(), 50_000) == 50_000
    assert bound_input(make_ask(counted=9_000, since=500), 50_000) == 10_500
    assert bound_input(make_ask(counted=60_000, since=500), 50_000) == 50_000


def test_triage_has_no_cap_per_item() -> None:
    limits = LimitSettings(dollars_item=5, dollars_exchange=2, dollars_repo_day=20)
    overall = LimitSettings(dollars_day=50)

    assert caps_of(limits, overall, 12) == Caps(
        exchange=2_000_000, item=5_000_000, repo_day=20_000_000, day=50_000_000
    )
    assert caps_of(limits, overall, 0).item > 10**18


def test_a_day_is_a_utc_day() -> None:
    late = datetime(2026, 12, 1, 1, tzinfo=timezone(timedelta(hours=2)))

    assert day_of(late) == "2026-11-30"
    assert day_of(datetime(2026, 12, 1, tzinfo=UTC)) == "2026-12-01"


def test_a_new_day_makes_room_where_only_the_day_is_full() -> None:
    caps = Caps(exchange=2_000, item=5_000, repo_day=3_000, day=9_000)
    today = Spend(exchange=500, item=500, repo_day=2_900, day=8_900)

    assert fits_another_day(caps, today, MicroDollars(200))
    assert not fits_another_day(caps, today, MicroDollars(3_001))
    assert not fits_another_day(caps, today, MicroDollars(1_501))
    assert not fits_another_day(
        caps, Spend(exchange=0, item=4_900, repo_day=3_000, day=0), MicroDollars(200)
    )
    late = datetime(2026, 12, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    assert next_day(late) == datetime(2026, 12, 1, tzinfo=UTC)
    assert next_day(datetime(2026, 12, 31, 23, 59, tzinfo=UTC)) == datetime(2027, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("spent", "reserved", "said"),
    [
        (
            Spend(exchange=1_870_000, item=0, repo_day=0, day=0),
            ZERO,
            (
                "the limit of 2.00 $ for one exchange is reached: 1.87 $ spent, "
                "the next request may cost 0.25 $"
            ),
        ),
        (
            Spend(exchange=0, item=4_000_000, repo_day=0, day=0),
            Spend(exchange=0, item=900_000, repo_day=0, day=0),
            (
                "the limit of 5.00 $ for this item is reached: 4.00 $ spent, 0.90 $ held by "
                "running requests, the next request may cost 0.25 $"
            ),
        ),
        (
            Spend(exchange=0, item=0, repo_day=0, day=49_900_000),
            ZERO,
            (
                "the limit of 50.00 $ a day in all is reached: 49.90 $ spent, "
                "the next request may cost 0.25 $"
            ),
        ),
    ],
    ids=["exchange", "held", "day"],
)
def test_a_refusal_names_the_cap_and_the_amounts(spent: Spend, reserved: Spend, said: str) -> None:
    caps = Caps(exchange=2_000_000, item=5_000_000, repo_day=20_000_000, day=50_000_000)

    assert word_refusal(caps, spent, reserved, MicroDollars(250_000)) == said


@pytest.mark.parametrize(
    ("amount", "said"),
    [(0, "0.00 $"), (1_230, "0.00123 $"), (1_230_001, "1.24 $"), (20_000_000, "20.00 $")],
)
def test_amounts_are_never_shown_as_less_than_they_are(amount: int, said: str) -> None:
    assert dollars(amount) == said


def test_what_a_failure_used_is_what_was_told_and_silence_is_unknown() -> None:
    nothing = Usage(input=0, cache_read=0, cache_write=0, output=0)
    told = Usage(input=5, cache_read=0, cache_write=0, output=1)

    assert read_partial_usage("") is None
    assert read_partial_usage("{}") is None
    assert read_partial_usage(nothing.model_dump_json()) == nothing
    assert read_partial_usage(told.model_dump_json()) == told
