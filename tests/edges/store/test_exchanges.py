from __future__ import annotations

from typing import Any

import pytest

from harness.edges.store import SqliteStore
from harness.errors import StoreError
from harness.facts.journal import (
    Done,
    Ended,
    Ending,
    Failed,
    JournalRow,
    Nudged,
    Repaired,
    Replied,
    Started,
)
from harness.facts.money import Usage
from harness.facts.turns import CallResult


def test_a_run_is_kept_with_its_report(store: SqliteStore, made: Any) -> None:
    store.start_run(made.run())
    store.start_run(made.run(id="later", started_at=made.after(1), dry=True))

    store.end_run("run", at=made.after(9), exit_code=3, reports=[made.report(), made.report(13)])

    reports = (made.report(), made.report(13))
    ended = made.run(ended_at=made.after(9), exit_code=3, reports=reports)
    assert store.runs(9) == (made.run(id="later", started_at=made.after(1), dry=True), ended)
    assert [run.id for run in store.runs(1)] == ["later"]


def test_an_exchange_is_made_once_and_kept_with_its_brief(running: SqliteStore, made: Any) -> None:
    first = running.open_exchange("run", made.brief(), made.noon)

    again = running.open_exchange("run", made.brief(head="moved", prompt="else"), made.after(5))

    assert again == first
    assert (first.brief, first.result, first.spent) == (made.brief(), None, 0)
    assert running.exchange(first.id) == first


@pytest.mark.parametrize(
    "change",
    [
        {"round": 2},
        {"attempt": 2},
        {"kind": "close"},
        {"item": 13},
        {"repo_id": 2},
        {"branch": "harness/issue-12-2"},
        {"pin": {"agent": "bob", "provider": "openai", "model": "m", "effort": "low"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_question_is_another_exchange(
    running: SqliteStore, made: Any, change: dict[str, Any]
) -> None:
    first = running.open_exchange("run", made.brief(), made.noon)

    other = running.open_exchange("run", made.brief(**change), made.noon)

    assert other.id != first.id


def test_an_exchange_of_a_run_that_never_started_is_refused(store: SqliteStore, made: Any) -> None:
    with pytest.raises(StoreError, match="FOREIGN KEY"):
        store.open_exchange("run", made.brief(), made.noon)


def test_exchanges_of_an_item_and_of_a_run_come_oldest_first(
    running: SqliteStore, made: Any
) -> None:
    running.start_run(made.run(id="other"))
    ids = [
        running.open_exchange(run, made.brief(round=round_, item=item), made.noon).id
        for run, round_, item in [("run", 1, 12), ("other", 2, 12), ("run", 1, 13)]
    ]

    assert [one.id for one in running.exchanges(1, 12)] == ids[:2]
    assert [one.id for one in running.exchanges_of_run("run")] == [ids[0], ids[2]]


def test_an_unknown_exchange_is_named(store: SqliteStore) -> None:
    with pytest.raises(StoreError, match="no exchange x"):
        store.exchange("x")


def test_the_journal_gives_back_every_kind_of_row_as_it_was(
    running: SqliteStore, made: Any
) -> None:
    exchange = running.open_exchange("run", made.brief(), made.noon)
    result = CallResult(call_id="c1", tool="shell", output="ok\n", is_error=False, exit=0)
    replied = Replied(text='{"a": 1}', call_id="c2", fallen=(), left=None)
    rows: list[JournalRow] = [
        made.answered(1, 7, content='[{"b":1,"a":"\\ud83d"}]'),
        Started(call_id="c1"),
        Done(result=result, command="true", seconds=0.25, tree="t" * 40),
        Repaired(complaint="no", call_id="c2"),
        Nudged(text="well?"),
        replied,
        Ended(result=Ending.REPLIED, reason=""),
    ]
    running.ask(exchange.id, made.asked(1, 9), made.wide, made.day, made.noon)

    for row in rows:
        running.append(exchange.id, row, made.noon)

    assert running.journal(exchange.id) == (made.asked(1, 9), *rows)
    assert running.reply(exchange.id) == replied


def test_asked_is_not_appended_without_a_reserve(running: SqliteStore, made: Any) -> None:
    exchange = running.open_exchange("run", made.brief(), made.noon)

    with pytest.raises(TypeError):
        running.append(exchange.id, made.asked(1, 9), made.noon)


def test_an_exchange_waits_until_its_failure_says_and_ends_with_its_result(
    running: SqliteStore, made: Any
) -> None:
    exchange = running.open_exchange("run", made.brief(), made.noon)
    failed = Failed(n=1, why="overloaded", detail="529", usage=None, not_before=made.after(60))

    running.append(exchange.id, failed, made.noon)
    waiting = running.exchange(exchange.id)
    running.append(exchange.id, made.answered(2, 0), made.noon)
    going = running.exchange(exchange.id)
    ended = Ended(result=Ending.UNREACHABLE, reason="six times", not_before=made.after(99))
    running.append(exchange.id, ended, made.noon)

    assert (waiting.result, waiting.not_before) == (None, made.after(60))
    assert (going.result, going.not_before) == (None, None)
    over = running.exchange(exchange.id)
    assert (over.result, over.reason, over.not_before) == (
        Ending.UNREACHABLE,
        "six times",
        made.after(99),
    )


def test_a_paid_answer_with_half_a_character_is_kept(running: SqliteStore, made: Any) -> None:
    exchange = running.open_exchange("run", made.brief(), made.noon)

    running.append(exchange.id, made.answered(1, 7, text="half \ud83d, NUL \x00"), made.noon)

    (row,) = running.journal(exchange.id)
    assert row.row == "answered"
    assert row.turn.text == "half \ufffd, NUL \x00"


def test_what_was_said_is_forgotten_once_its_item_rests_and_what_was_spent_is_not(
    running: SqliteStore, made: Any
) -> None:
    ended = Ended(result=Ending.REPLIED, reason="")
    old, other = (running.open_exchange("run", made.brief(item=i), made.noon) for i in (12, 13))
    for one in (old, other):
        running.ask(one.id, made.asked(1, 90), made.wide, made.day, made.noon)
        running.append(one.id, made.answered(1, 70), made.noon)
        running.append(one.id, ended, made.noon)
    running.open_exchange("run", made.brief(item=13, round=2), made.noon)

    gone = running.forget_bodies(made.after(1))

    assert gone == 4
    assert running.journal(old.id) == ()
    assert running.exchange(old.id).brief == made.brief(system="", prompt="")
    assert running.exchange(old.id).spent == 70
    assert len(running.journal(other.id)) == 3
    assert running.forget_bodies(made.after(1)) == 0


def test_a_runs_usage_is_summed_by_exchange(running: SqliteStore, made: Any) -> None:
    exchange = running.open_exchange("run", made.brief(), made.noon)
    running.open_exchange("run", made.brief(round=2), made.noon)
    for n in (1, 2):
        running.ask(exchange.id, made.asked(n, 90), made.wide, made.day, made.noon)
        running.append(exchange.id, made.answered(n, 70), made.noon)

    summed = Usage(input=20, cache_read=40, cache_write=60, output=80)
    assert running.usage("run") == ((exchange.id, summed, 140),)
