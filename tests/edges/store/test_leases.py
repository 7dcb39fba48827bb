from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.edges.store import SqliteStore
from harness.edges.store.locks import Locks
from harness.errors import LeaseLost, StoreError
from harness.facts.forge import Repo
from harness.facts.matching import Plan

KEY = "item:1:12"


def locks_beside(path: Path) -> list[str]:
    return sorted(lock.name for lock in (path.parent / "locks").iterdir())


def test_one_claim_is_given_and_given_again_after_release(
    store: SqliteStore, path: Path, made: Any
) -> None:
    other = SqliteStore.open(path)

    lease = store.claim(KEY, made.noon)
    taken = [other.claim(KEY, made.noon), store.claim(KEY, made.noon)]
    assert lease
    store.release(lease)
    next_ = other.claim(KEY, made.noon)

    assert taken == [None, None]
    assert next_
    assert (lease.epoch, next_.epoch) == (1, 2)
    other.release(next_)
    assert locks_beside(path) == []
    assert store._records.rows("SELECT * FROM held_leases") == []
    other.close()


def test_leases_of_other_items_are_free(store: SqliteStore, made: Any) -> None:
    keys = [KEY, "item:1:13", "triage:1", "label:a/b"]

    assert [lease and lease.key for lease in (store.claim(k, made.noon) for k in keys)] == keys


def test_a_live_process_keeps_its_lease_and_a_killed_one_loses_it(
    store: SqliteStore, path: Path, made: Any, others: Any
) -> None:
    process = others.start("hold", path, KEY)
    assert others.hear(process) == "1"

    while_it_lives = store.claim(KEY, made.noon)
    process.kill()
    process.wait(10)
    when_it_died = store.claim(KEY, made.noon)

    assert while_it_lives is None
    assert when_it_died
    assert when_it_died.epoch == 2


def test_leases_of_the_dead_are_let_go_and_those_of_the_living_are_not(
    store: SqliteStore, path: Path, made: Any, others: Any
) -> None:
    dead = others.start("hold", path, KEY)
    alive = others.start("hold", path, "item:1:13")
    assert (others.hear(dead), others.hear(alive)) == ("1", "1")
    dead.kill()
    dead.wait(10)
    held = store._records.rows("SELECT key FROM held_leases ORDER BY key")

    store.release_dead()

    assert [row["key"] for row in held] == [KEY, "item:1:13"]
    assert store._records.rows("SELECT key FROM held_leases") == [{"key": "item:1:13"}]
    assert store.claim("item:1:13", made.noon) is None
    assert f"{KEY}.lock" not in locks_beside(path)


def test_closing_a_store_lets_go_of_what_it_held(store: SqliteStore, path: Path, made: Any) -> None:
    other = SqliteStore.open(path)
    other.claim(KEY, made.noon)

    other.close()

    assert store.claim(KEY, made.noon)


WRITES: dict[str, Callable[[Any, Any], object]] = {
    "start_run": lambda store, made: store.start_run(made.run(id="new")),
    "open_exchange": lambda store, made: store.open_exchange("run", made.brief(round=9), made.noon),
    "append": lambda store, made: store.append(
        store.exchanges(1, 12)[0].id, made.answered(1, 1), made.noon
    ),
    "ask": lambda store, made: store.ask(
        store.exchanges(1, 12)[0].id, made.asked(1, 1), made.wide, made.day, made.noon
    ),
    "record_events": lambda store, made: store.record_events(
        [made.entry("one")], [], made.refuted("one")
    ),
    "record_reply": lambda store, made: store.record_reply(
        "x", 1, 12, Plan(entries=(), aliases=(), events=(), met=()), (), made.noon
    ),
    "open_intent": lambda store, made: store.open_intent(made.intent("greet")),
    "attempt_intent": lambda store, made: store.attempt_intent("intent-old", made.noon),
    "turn_away": lambda store, made: store.turn_away("intent-old"),
    "settle_intent": lambda store, made: store.settle_intent(
        "intent-old", "dropped", "", None, made.noon
    ),
    "record_decisions": lambda store, made: store.record_decisions([made.decision()]),
    "record_outcome": lambda store, made: store.record_outcome("run", 1, made.report(), made.noon),
    "call_person": lambda store, made: store.call_person(1, 12, "why", made.noon),
    "store_etag": lambda store, made: store.store_etag("u", "e", ""),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_under_a_lost_lease_nothing_is_written(
    running: SqliteStore, path: Path, made: Any, write: Callable[[Any, Any], object]
) -> None:
    running.open_exchange("run", made.brief(), made.noon)
    running.open_intent(made.intent("old"))
    running.attempt_intent("intent-old", made.noon)
    lease = running.claim(KEY, made.noon)
    assert lease
    worker = running.under(lease)
    running.release(lease)
    before = list(running._records.database.conn.iterdump())

    with pytest.raises(LeaseLost, match=KEY):
        write(worker, made)

    assert list(running._records.database.conn.iterdump()) == before


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_under_a_held_lease_everything_is_written(
    running: SqliteStore, path: Path, made: Any, write: Callable[[Any, Any], object]
) -> None:
    running.open_exchange("run", made.brief(), made.noon)
    running.open_intent(made.intent("old"))
    running.attempt_intent("intent-old", made.noon)
    lease = running.claim(KEY, made.noon)
    assert lease
    before = list(running._records.database.conn.iterdump())

    write(running.under(lease), made)

    assert list(running._records.database.conn.iterdump()) != before


def test_a_lease_that_was_taken_over_is_lost_to_its_first_owner(
    store: SqliteStore, path: Path, made: Any
) -> None:
    first = store.claim(KEY, made.noon)
    assert first
    worker = store.under(first)
    other = SqliteStore.open(path)
    store._locks.drop(KEY)  # as the kernel does when the owner's process ends
    second = other.claim(KEY, made.noon)
    assert second

    with pytest.raises(LeaseLost):
        worker.store_etag("u", "e", "")
    worker.release(first)
    other.under(second).store_etag("u", "e", "")

    assert store.etag("u") == ("e", "")
    other.close()


def test_what_is_known_can_be_read_under_a_lost_lease(store: SqliteStore, made: Any) -> None:
    store.note_repo(REPO)
    lease = store.claim(KEY, made.noon)
    assert lease
    worker = store.under(lease)
    store.release(lease)

    assert worker.decisions(1) == ()


REPO = Repo(
    id=1, host="github.com", owner="o", name="r", default_branch="main", private=False,
    archived=False, clone_url="https://github.com/o/r.git", allow_squash=True, allow_merge=True,
    allow_rebase=False,
)  # fmt: skip


def test_whoever_lost_its_lock_file_does_not_remove_the_next_owners(tmp_path: Path) -> None:
    first, second, third = (Locks(tmp_path) for _ in range(3))
    first.take("a")
    (tmp_path / "a.lock").unlink()
    second.take("a")

    first.drop("a")

    assert not third.take("a")


def test_waiting_for_a_lock_ends_in_an_error_that_names_it(tmp_path: Path) -> None:
    first, second = Locks(tmp_path), Locks(tmp_path)
    first.take("opening")

    with pytest.raises(StoreError, match=r"another process has held .*opening\.lock for 0 s"):
        second.wait_for("opening", 0.01)


def test_lock_files_of_dead_owners_are_swept_and_of_live_ones_are_not(tmp_path: Path) -> None:
    live, looking = Locks(tmp_path), Locks(tmp_path)
    live.stand_up()
    (tmp_path / "owner-dead.lock").touch()

    looking.sweep()

    assert looking.lives(live.owner)
    assert not looking.lives("dead")
    assert [lock.name for lock in tmp_path.iterdir()] == [f"owner-{live.owner}.lock"]
