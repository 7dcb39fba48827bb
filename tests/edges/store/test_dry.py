from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from harness.edges.store import SqliteStore
from harness.facts.journal import Ended, Ending


def record_half(store: SqliteStore) -> list[str]:
    journal_half = ("runs", "exchanges", "journal", "bodies", "reserves", "sqlite_sequence")
    inserts = (f'INSERT INTO "{name}"' for name in journal_half)
    skipped = tuple(inserts)
    return [
        line for line in store._records.database.conn.iterdump() if not line.startswith(skipped)
    ]


def test_a_dry_run_keeps_what_it_paid_and_nothing_else(
    running: SqliteStore, path: Path, made: Any
) -> None:
    running.record_events([made.entry("one")], [], made.refuted("one"))
    before = record_half(running)

    dry = SqliteStore.open_dry(path)
    dry.start_run(made.run(id="dry", dry=True))
    lease = dry.claim("item:1:12", made.noon)
    assert lease
    worker = dry.under(lease)
    exchange = worker.open_exchange("dry", made.brief(), made.noon)
    worker.ask(exchange.id, made.asked(1, 100), made.wide, made.day, made.noon)
    worker.append(exchange.id, made.answered(1, 60), made.noon)
    worker.append(exchange.id, Ended(result=Ending.REPLIED, reason=""), made.noon)
    worker.record_events([], [], [made.event("r", "one", "reopened")])
    worker.open_intent(made.intent("greet"))
    worker.call_person(1, 12, "why", made.noon)

    assert [one.state.value for one in worker.known([(1, "one", "a.py")], "pr:5")] == ["open"]
    assert [intent.purpose for intent in worker.open_intents(1)] == ["greet"]
    assert worker.person_called(1, 12)
    dry.end_run("dry", at=made.noon, exit_code=0, reports=[made.report()])
    dry.close()
    assert record_half(running) == before
    assert running.exchange(exchange.id).spent == 60
    assert running.runs(1)[0].reports == (made.report(),)


def test_a_dry_run_starts_from_what_is_recorded_even_while_others_write(
    running: SqliteStore, path: Path, made: Any
) -> None:
    running.store_etag("before", "e", "")
    dry = SqliteStore.open_dry(path)

    running.store_etag("after", "e", "")

    assert (dry.etag("before"), dry.etag("after")) == (("e", ""), None)
    dry.close()


def test_a_dry_run_and_a_real_one_do_not_work_one_item_at_once(
    running: SqliteStore, path: Path, made: Any
) -> None:
    dry = SqliteStore.open_dry(path)

    lease = dry.claim("item:1:12", made.noon)

    assert lease
    assert running.claim("item:1:12", made.noon) is None
    dry.close()
    assert running.claim("item:1:12", made.noon)


def test_the_copy_of_a_dry_run_is_private_and_goes_with_it(
    running: SqliteStore, path: Path
) -> None:
    dry = SqliteStore.open_dry(path)
    copy = Path(dry._records.path)
    modes = (copy.stat().st_mode & 0o777, copy.parent.stat().st_mode & 0o777)

    dry.close()

    assert modes == (0o600, 0o700)
    assert not os.path.lexists(copy.parent)


def test_the_copy_of_a_dry_run_that_was_killed_goes_with_the_next_start(path: Path) -> None:
    dry = SqliteStore.open_dry(path)
    killed = path.parent / "dry-4999999-7-abc"
    shutil.copytree(Path(dry._records.path).parent, killed)

    SqliteStore.open(path).close()

    assert not killed.exists()
    assert Path(dry._records.path).exists()
    dry.close()


def test_money_of_a_dry_run_counts_against_the_same_caps(
    running: SqliteStore, path: Path, made: Any
) -> None:
    dry = SqliteStore.open_dry(path)
    exchange = running.open_exchange("run", made.brief(), made.noon)
    dry.ask(exchange.id, made.asked(1, 100), made.wide, made.day, made.noon)

    spent, reserved = running.spend(1, 12, exchange.id, made.day)

    assert (spent.day, reserved.day) == (0, 100)
    dry.close()
