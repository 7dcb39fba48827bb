from __future__ import annotations

from typing import Any

import pytest

from harness.errors import VendorError
from harness.facts.journal import Ending
from harness.rules.budget import cost_of
from tests.runs.exchange.conftest import NOTHING, PRICES, USAGE, World

REASONS: list[Any] = ["unauthorised", "unpaid", "misconfigured"]


@pytest.mark.parametrize("reason", REASONS)
def test_an_agent_that_is_turned_away_leaves_its_exchange_open_and_pays_nothing(
    reason: Any, new_world: type[World]
) -> None:
    world = new_world(new_world.say.fail(reason))

    with pytest.raises(VendorError):
        world.hold()

    exchange = world.store.exchange(next(iter(world.store.stored)))
    assert exchange.result is None
    assert exchange.reason == f"{reason}: it failed"
    assert exchange.spent == 0
    assert world.clock.waited == []


def test_with_a_good_key_it_goes_on_as_if_nothing_had_been(new_world: type[World]) -> None:
    say = new_world.say
    first, last = say.turn(say.shell("ls")), say.turn(say.reply())
    world = new_world(first, *[say.fail("unpaid")] * 10, last)
    for _ in range(10):
        with pytest.raises(VendorError):
            world.hold()

    held = world.hold()

    assert held.ending is Ending.REPLIED
    assert len({one.model_dump_json() for one in world.turns.asked[1:]}) == 1
    assert len(world.bench.ran) == 1
    assert held.exchange.spent == 2 * cost_of(USAGE, PRICES)


def test_failures_before_and_after_count_together(new_world: type[World]) -> None:
    say = new_world.say
    world = new_world(say.fail("overloaded", usage=NOTHING), say.fail("unauthorised"))
    with pytest.raises(VendorError):
        world.hold()
    world.turns.script = [say.fail("overloaded", usage=NOTHING)] * 5

    held = world.hold()
    while held.ending is None:
        assert held.waiting_until is not None
        world.clock.time = held.waiting_until
        held = world.hold()

    assert held.ending is Ending.UNREACHABLE
    assert len(world.turns.asked) == 1 + 1 + 5
