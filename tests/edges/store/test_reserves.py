from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from harness.edges.store import SqliteStore
from harness.facts.journal import Failed
from harness.facts.money import Caps, MicroDollars, Spend, Usage

WIDE = {"exchange": 10**9, "item": 10**9, "repo_day": 10**9, "day": 10**9}


def failed(n: int, cost: int | None) -> Failed:
    usage = None if cost is None else Usage(input=1, cache_read=0, cache_write=0, output=0)
    paid = None if cost is None else MicroDollars(cost)
    return Failed(n=n, why="overloaded", detail="", usage=usage, not_before=None, cost=paid)


def test_asking_holds_the_bound_and_writes_the_row_at_once(running: SqliteStore, made: Any) -> None:
    exchange = running.open_exchange("run", made.brief(), made.noon)

    verdict = running.ask(exchange.id, made.asked(1, 100), made.wide, made.day, made.noon)

    spent, reserved = running.spend(1, 12, exchange.id, made.day)
    assert verdict == "reserved"
    assert running.journal(exchange.id) == (made.asked(1, 100),)
    assert spent == Spend(exchange=0, item=0, repo_day=0, day=0)
    assert reserved == Spend(exchange=100, item=100, repo_day=100, day=100)


@pytest.mark.parametrize(
    ("row", "cost"),
    [
        pytest.param("answered", 60, id="an answer costs what it costs"),
        pytest.param("unknown usage", 100, id="an answer of unknown usage costs the bound"),
        pytest.param("failed", 25, id="a failure costs what is known of it"),
        pytest.param("failed unknown", 100, id="a failure of unknown usage costs the bound"),
    ],
)
def test_a_reserve_becomes_spent(running: SqliteStore, made: Any, row: str, cost: int) -> None:
    exchange = running.open_exchange("run", made.brief(), made.noon)
    running.ask(exchange.id, made.asked(1, 100), made.wide, made.day, made.noon)
    rows = {
        "answered": made.answered(1, 60),
        "unknown usage": made.answered(1, 60, usage_known=False),
        "failed": failed(1, 25),
        "failed unknown": failed(1, None),
    }

    running.append(exchange.id, rows[row], made.noon)

    spent, reserved = running.spend(1, 12, exchange.id, made.day)
    assert spent == Spend(exchange=cost, item=cost, repo_day=cost, day=cost)
    assert reserved == Spend(exchange=0, item=0, repo_day=0, day=0)
    assert running.exchange(exchange.id).spent == cost
    assert running.presumed(1, made.day) == (cost if "unknown" in row else 0)
    assert running.presumed(0, made.day) == running.presumed(1, made.day)


@pytest.mark.parametrize("cap", WIDE)
def test_what_is_spent_refuses_what_would_pass_a_cap(
    running: SqliteStore, made: Any, cap: str
) -> None:
    exchange = running.open_exchange("run", made.brief(), made.noon)
    caps = Caps.model_validate(WIDE | {cap: 150})
    running.ask(exchange.id, made.asked(1, 100), caps, made.day, made.noon)
    running.append(exchange.id, made.answered(1, 100), made.noon)

    over = running.ask(exchange.id, made.asked(2, 51), caps, made.day, made.noon)
    within = running.ask(exchange.id, made.asked(2, 50), caps, made.day, made.noon)

    assert (over, within) == ("refused", "reserved")


@pytest.mark.parametrize(
    ("cap", "brief"),
    [("item", {"round": 2}), ("repo_day", {"item": 13}), ("day", {"repo_id": 2})],
)
def test_what_others_hold_only_holds(
    running: SqliteStore, made: Any, cap: str, brief: dict[str, int]
) -> None:
    caps = Caps.model_validate(WIDE | {cap: 150})
    first = running.open_exchange("run", made.brief(), made.noon)
    second = running.open_exchange("run", made.brief(**brief), made.noon)
    running.ask(first.id, made.asked(1, 100), caps, made.day, made.noon)

    held = running.ask(second.id, made.asked(1, 100), caps, made.day, made.noon)
    running.append(first.id, made.answered(1, 10), made.noon)
    reserved = running.ask(second.id, made.asked(1, 100), caps, made.day, made.noon)

    assert (held, reserved) == ("held", "reserved")
    assert running.journal(second.id) == (made.asked(1, 100),)


@pytest.mark.parametrize(
    ("cap", "brief", "day"),
    [
        ("exchange", {"round": 2}, "2026-11-30"),
        ("item", {"item": 13}, "2026-11-30"),
        ("item", {"repo_id": 2}, "2026-11-30"),
        ("repo_day", {"repo_id": 2}, "2026-11-30"),
        ("repo_day", {}, "2026-12-01"),
        ("day", {}, "2026-12-01"),
    ],
)
def test_a_cap_counts_only_its_own(
    running: SqliteStore, made: Any, cap: str, brief: dict[str, int], day: str
) -> None:
    caps = Caps.model_validate(WIDE | {cap: 150})
    first = running.open_exchange("run", made.brief(), made.noon)
    second = running.open_exchange("run", made.brief(**brief), made.noon)
    running.ask(first.id, made.asked(1, 100), caps, made.day, made.noon)
    running.append(first.id, made.answered(1, 100), made.noon)

    assert running.ask(second.id, made.asked(2, 100), caps, day, made.noon) == "reserved"


def test_triage_is_no_item_and_never_uses_up_an_items_cap(running: SqliteStore, made: Any) -> None:
    caps = Caps.model_validate(WIDE | {"item": 150})
    first = running.open_exchange("run", made.brief(item=0), made.noon)
    running.ask(first.id, made.asked(1, 100), caps, made.day, made.noon)
    running.append(first.id, made.answered(1, 100), made.noon)

    assert running.ask(first.id, made.asked(2, 100), caps, made.day, made.noon) == "reserved"


def test_what_was_asked_and_never_heard_is_spent_when_it_is_asked_again(
    running: SqliteStore, made: Any
) -> None:
    exchange = running.open_exchange("run", made.brief(), made.noon)
    running.ask(exchange.id, made.asked(1, 100), made.wide, made.day, made.noon)

    running.ask(exchange.id, made.asked(2, 30), made.wide, made.day, made.noon)

    spent, reserved = running.spend(1, 12, exchange.id, made.day)
    assert (spent.exchange, reserved.exchange) == (100, 30)


def test_an_answer_that_comes_too_late_is_not_paid_twice(running: SqliteStore, made: Any) -> None:
    exchange = running.open_exchange("run", made.brief(), made.noon)
    running.ask(exchange.id, made.asked(1, 100), made.wide, made.day, made.noon)
    running.ask(exchange.id, made.asked(2, 30), made.wide, made.day, made.noon)

    running.append(exchange.id, made.answered(1, 70), made.noon)

    spent, reserved = running.spend(1, 12, exchange.id, made.day)
    assert (spent.exchange, reserved.exchange) == (100, 30)


def test_a_reserve_of_a_killed_process_is_spent_whole_and_a_live_ones_is_not(
    running: SqliteStore, path: Path, made: Any, others: Any
) -> None:
    first = running.open_exchange("run", made.brief(), made.noon)
    second = running.open_exchange("run", made.brief(round=2), made.noon)
    process = others.start("ask", path, first.id, 100, 150)
    others.hear(process)
    others.tell(process)
    assert others.hear(process) == "reserved"
    caps = Caps.model_validate(WIDE | {"item": 150})

    while_it_lives = running.ask(second.id, made.asked(1, 100), caps, made.day, made.noon)
    process.kill()
    process.wait(10)
    seen = running.spend(1, 12, first.id, made.day)
    presumed = running.presumed(1, made.day)
    when_it_died = running.ask(second.id, made.asked(1, 100), caps, made.day, made.noon)
    small = running.ask(second.id, made.asked(1, 50), caps, made.day, made.noon)

    assert (while_it_lives, when_it_died, small) == ("held", "refused", "reserved")
    assert [spend.exchange for spend in seen] == [100, 0]
    assert running.exchange(first.id).spent == 100
    assert presumed == 100
    assert running.presumed(1, made.day) == 100


@pytest.mark.slow
def test_parallel_processes_never_pass_a_cap(
    running: SqliteStore, path: Path, made: Any, others: Any
) -> None:
    briefs = [made.brief(round=number) for number in range(6)]
    ids = [running.open_exchange("run", brief, made.noon).id for brief in briefs]
    processes = [others.start("ask", path, one, 100, 350) for one in ids]
    for process in processes:
        others.hear(process)

    for process in processes:
        others.tell(process)
    verdicts = sorted(others.hear(process) for process in processes)

    spent, reserved = running.spend(1, 12, "", made.day)
    assert verdicts == ["held"] * 3 + ["reserved"] * 3
    assert (spent.item, reserved.item) == (0, 300)


ITEMS = count(100)


@settings(max_examples=40, deadline=None)
@given(
    moves=some.lists(
        some.tuples(
            some.sampled_from(["ask", "answer", "fail", "die"]),
            some.integers(0, 2),
            some.integers(0, 120),
        ),
        max_size=25,
    )
)
def test_spend_and_reserves_never_pass_a_cap(
    tmp_path_factory: pytest.TempPathFactory, made: Any, moves: list[tuple[str, int, int]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "caps" / "store.db"
    stores = [SqliteStore.open(path) for _ in range(3)]
    item = next(ITEMS)
    if not stores[0].runs(1):
        stores[0].start_run(made.run())
    caps = Caps(exchange=150, item=300, repo_day=10**9, day=10**9)
    briefs = [made.brief(item=item, round=number) for number in range(3)]
    ids = [stores[0].open_exchange("run", brief, made.noon).id for brief in briefs]
    asked: dict[int, tuple[int, int]] = {}

    for n, (move, who, amount) in enumerate(moves, start=1):
        store, exchange = stores[who], ids[who]
        match move:
            case "ask":
                row = made.asked(n, amount)
                if store.ask(exchange, row, caps, made.day, made.noon) == "reserved":
                    asked[who] = (n, amount)
            case "answer" if who in asked:
                number, bound = asked.pop(who)
                store.append(exchange, made.answered(number, min(amount, bound)), made.noon)
            case "fail" if who in asked:
                store.append(exchange, failed(asked.pop(who)[0], None), made.noon)
            case "die":
                store.close()
                stores[who] = SqliteStore.open(path)
                asked.pop(who, None)
        spends = [stores[0].spend(1, item, one, made.day) for one in ids]
        assert all(s.exchange + r.exchange <= caps.exchange for s, r in spends)
        assert all(s.item + r.item <= caps.item for s, r in spends)

    for store in stores:
        store.close()
