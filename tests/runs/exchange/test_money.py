from __future__ import annotations

from typing import Any

from harness.facts.journal import Ending
from harness.facts.money import Caps, Spend, Usage

World = Any  # the class that the fixture hands out; conftest modules are not importable by name


def caps(**changes: int) -> Caps:
    return Caps(**{"exchange": 10**9, "item": 10**9, "repo_day": 10**9, "day": 10**9} | changes)


def test_a_cap_that_is_reached_ends_the_exchange_and_says_which_and_how_much(
    new_world: World,
) -> None:
    say = new_world.say
    script = [say.turn(say.shell(f"ls {n}")) for n in range(50)]
    world = new_world(*script, caps=caps(exchange=110_000))

    held = world.hold()

    assert held.ending is Ending.OUT_OF_BUDGET
    assert held.reason.startswith("the limit of 0.11 $ for one exchange is reached: 0.0")
    assert "the next request may cost 0.0" in held.reason
    assert held.exchange.spent <= 110_000


def test_a_request_that_can_never_fit_is_not_made(new_world: World) -> None:
    world = new_world(caps=caps(day=1_000))

    held = world.hold()

    assert held.ending is Ending.OUT_OF_BUDGET
    assert "0.001 $ a day in all" in held.reason
    assert world.turns.asked == []


def test_money_that_others_hold_is_waited_for_and_then_the_item_waits(new_world: World) -> None:
    world = new_world(new_world.say.turn(new_world.say.reply()), caps=caps(day=200_000))
    world.store.others = Spend(exchange=0, item=0, repo_day=0, day=190_000)

    held = world.hold()

    assert held.ending is None
    assert sum(world.clock.waited) == 120
    assert held.waiting_until > world.clock.now()
    assert "0.19 $ held by running requests" in held.reason
    world.store.others = Spend(exchange=0, item=0, repo_day=0, day=0)
    assert world.hold().ending is Ending.REPLIED


def test_the_bound_follows_what_the_vendor_counted(new_world: World) -> None:
    say = new_world.say
    world = new_world(say.turn(say.shell("ls")), say.turn(say.reply()))
    world.brief = world.brief.model_copy(update={"prompt": "x" * 40_000})

    world.hold()

    bounds = [row.bound for row in world.rows() if row.row == "asked"]
    assert bounds[1] < bounds[0]


def test_cached_input_counts_in_the_next_bound(new_world: World) -> None:
    say = new_world.say
    usage = Usage(input=100, cache_read=20_000, cache_write=0, output=400)
    world = new_world(say.turn(say.shell("ls"), usage=usage), say.turn(say.reply()))
    world.brief = world.brief.model_copy(update={"prompt": "x" * 40_000})

    world.hold()

    _, second = (row.bound for row in world.rows() if row.row == "asked")
    assert 21_500 * 2.5 < second - 8_000 * 10 < 22_000 * 2.5
