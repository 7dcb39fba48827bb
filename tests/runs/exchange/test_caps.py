"""Whatever is answered, fails or is killed: what is spent and held never passes a cap."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from harness.edges.store import SqliteStore
from harness.facts.decisions import Run
from harness.facts.money import Caps, Usage
from harness.rules.budget import day_of

World = Any  # the class that the fixture hands out; conftest modules are not importable by name
RUN = Run(
    id="run",
    command="run",
    dry=False,
    started_at=datetime(2026, 11, 30, 12, tzinfo=UTC),
    ended_at=None,
    exit_code=None,
    reports=(),
)
CAPS = some.builds(
    Caps,
    exchange=some.integers(50_000, 300_000),
    item=some.integers(50_000, 400_000),
    repo_day=some.integers(50_000, 500_000),
    day=some.integers(50_000, 500_000),
)
WHAT = ("call", "reply", "unknown", "told", "turned away", "killed", "tomorrow")
HAPPENS = some.lists(
    some.tuples(
        some.sampled_from(
            ["call", "reply", "unknown", "told", "turned away", "killed", "tomorrow"]
        ),
        some.integers(0, 1_000),  # tokens of input, within what any bound allows
        some.integers(0, 8_000),  # tokens of output
    ),
    max_size=20,
)


@settings(max_examples=50, deadline=None)
@given(caps=CAPS, happens=HAPPENS)
def test_no_cap_is_passed_whatever_becomes_of_the_requests(
    new_world: World,
    tmp_path_factory: pytest.TempPathFactory,
    caps: Caps,
    happens: list[tuple[str, int, int]],
) -> None:
    path = tmp_path_factory.mktemp("caps") / "store.db"
    world = new_world(caps=caps)
    days = set()
    store = SqliteStore.open(path)
    store.start_run(RUN)

    for what, read, written in happens:
        usage = Usage(input=read, cache_read=0, cache_write=0, output=written)
        world.turns.script = _script(new_world.say, what, usage)
        world.turns.die_at = len(world.turns.asked) + len(world.turns.script) + 1
        world.clock.wait(86_400 if what == "tomorrow" else 7_200)
        days.add(day_of(world.clock.now()))

        held = world.hold_once(store)

        if held is None:  # what a dead process held is told by its lock file
            store.close()
            store = SqliteStore.open(path)
        elif held.ending is not None:
            world.brief = world.brief.model_copy(update={"attempt": world.brief.attempt + 1})
        _assert_within(store, days, caps)
    store.close()


def _script(say: Any, what: str, usage: Usage) -> list[Any]:
    """What the next request meets; whatever comes after that is killed."""
    match what:
        case "call":
            return [say.turn(say.shell(f"ls {usage.input}"), usage=usage)]
        case "reply":
            return [say.turn(say.reply(), usage=usage)]
        case "unknown":
            return [say.fail("unreachable", after=7_200)]
        case "told":
            return [say.fail("overloaded", after=7_200, usage=usage)]
        case "turned away":
            return [say.fail("rate_limited", after=7_200)]
    return []


def _assert_within(store: SqliteStore, days: set[str], caps: Caps) -> None:
    for exchange in store.exchanges(7, 12):
        for day in days:
            spent, held = store.spend(7, 12, exchange.id, day)
            assert spent.exchange + held.exchange <= caps.exchange
            assert spent.item + held.item <= caps.item
            assert spent.repo_day + held.repo_day <= caps.repo_day
            assert spent.day + held.day <= caps.day
