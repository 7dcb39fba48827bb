"""The same exchange on the real store: what is stored is enough to go on, and money is kept."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from harness.edges.store import SqliteStore
from harness.facts.decisions import Run
from harness.facts.journal import Asked, Ending
from harness.facts.money import Caps
from harness.facts.turns import Tools

World = Any  # the class that the fixture hands out; conftest modules are not importable by name
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore.open(path)
    run = Run(
        id="run",
        command="run",
        dry=False,
        started_at=NOON,
        ended_at=None,
        exit_code=None,
        reports=(),
    )
    store.start_run(run)
    yield store
    store.close()


def test_an_exchange_is_held_to_its_reply_and_told_again(
    new_world: World, store: SqliteStore
) -> None:
    say = new_world.say
    world = new_world(
        say.turn(say.shell("ls")),
        say.fail("overloaded", usage=new_world.usage),
        say.turn(say.reply("{}")),
        say.turn(say.reply()),
        tools=Tools.EDIT,
    )

    held = world.hold(store)
    again = world.hold(store)

    assert held.ending is Ending.REPLIED
    assert held.left is not None
    assert again == held
    assert held.exchange.spent == sum(world.progress.money) + 1_400
    assert len(world.turns.asked) == 4


def test_a_restarted_process_says_the_same_bytes(
    new_world: World, store: SqliteStore, path: Path
) -> None:
    say = new_world.say
    world = new_world(
        say.turn(say.shell("ls")), say.fail("rate_limited", after=7_200), say.turn(say.reply())
    )
    world.hold(store)
    store.close()
    world.clock.wait(7_200)

    reopened = SqliteStore.open(path)
    held = world.hold(reopened)
    reopened.close()

    assert held.ending is Ending.REPLIED
    assert world.turns.asked[1] == world.turns.asked[2]


def test_a_killed_requests_reserve_is_spent_when_it_is_asked_again(
    new_world: World, store: SqliteStore
) -> None:
    world = new_world(new_world.say.turn(new_world.say.reply()))
    world.turns.die_at = 1
    assert world.hold_once(store) is None

    held = world.hold(store)

    lost, _ = (row for row in store.journal(held.exchange.id) if isinstance(row, Asked))
    assert held.exchange.spent == lost.bound + sum(world.progress.money)


def test_the_cap_that_stops_it_is_named_with_its_amounts(
    new_world: World, store: SqliteStore
) -> None:
    say = new_world.say
    script = [say.turn(say.shell(f"ls {n}")) for n in range(60)]
    wide = 10**9
    world = new_world(*script, caps=Caps(exchange=wide, item=100_000, repo_day=wide, day=wide))

    held = world.hold(store)

    assert held.ending is Ending.OUT_OF_BUDGET
    assert held.reason.startswith("the limit of 0.10 $ for this item is reached: 0.0")
    assert held.exchange.spent <= 100_000
    assert store.exchange(held.exchange.id).reason == held.reason


@pytest.mark.parametrize("cap", ["repo_day", "day"])
def test_a_cap_of_the_day_keeps_what_was_paid_and_goes_on_when_the_day_is_over(
    cap: str, new_world: World, store: SqliteStore
) -> None:
    say = new_world.say
    caps = {"exchange": 10**9, "item": 10**9, "repo_day": 10**9, "day": 10**9} | {cap: 101_000}
    script = [say.turn(say.shell(f"ls {n}")) for n in range(20)]
    world = new_world(*script, say.turn(say.reply()), caps=Caps(**caps))

    stopped = world.hold(store)
    paid = stopped.exchange.spent

    assert stopped.ending is None
    assert "is reached: 0.0" in stopped.exchange.reason == stopped.reason
    assert (
        f"{stopped.waiting_until:%d %H:%M}" == f"{world.clock.now() + timedelta(days=1):%d} 00:00"
    )
    assert world.hold(store).exchange.spent == paid > 0
    while stopped.ending is None:
        world.clock.time = stopped.waiting_until
        stopped = world.hold(store)
    assert stopped.ending is Ending.REPLIED
    assert len(world.turns.asked) == 21
