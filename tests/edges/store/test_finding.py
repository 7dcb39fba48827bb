"""What the commands that look ask of the store: by the beginning of an id, or everything."""

from __future__ import annotations

from typing import Any

from harness.edges.store import SqliteStore
from harness.facts.forge import Repo
from harness.facts.journal import Ended, Ending


def make_repo(repo_id: int, name: str) -> Repo:
    return Repo(
        id=repo_id,
        host="github.com",
        owner="o",
        name=name,
        default_branch="main",
        private=False,
        archived=False,
        clone_url=f"https://github.com/o/{name}.git",
        allow_squash=True,
        allow_merge=False,
        allow_rebase=False,
    )


def test_runs_are_found_by_the_beginning_of_their_id_newest_first(
    store: SqliteStore, made: Any
) -> None:
    store.start_run(made.run(id="ab1"))
    store.start_run(made.run(id="ab2", started_at=made.after(1)))
    store.start_run(made.run(id="b%", started_at=made.after(2)))

    assert [run.id for run in store.find_runs("ab")] == ["ab2", "ab1"]
    assert [run.id for run in store.find_runs("ab1")] == ["ab1"]
    assert store.find_runs("%") == ()


def test_exchanges_are_found_by_the_beginning_of_their_id(running: SqliteStore, made: Any) -> None:
    one = running.open_exchange("run", made.brief(), made.noon)
    other = running.open_exchange("run", made.brief(round=2), made.noon)

    assert running.find_exchanges(one.id[:12]) == (one,)
    assert set(running.find_exchanges(one.id[:0])) == {one, other}
    assert running.find_exchanges("not hex") == ()


def test_requests_are_counted_per_exchange_of_a_run(running: SqliteStore, made: Any) -> None:
    asked = running.open_exchange("run", made.brief(), made.noon)
    silent = running.open_exchange("run", made.brief(round=2), made.noon)
    running.ask(asked.id, made.asked(1, 10), made.wide, made.day, made.noon)
    running.append(asked.id, made.answered(1, 10), made.noon)
    running.ask(asked.id, made.asked(2, 10), made.wide, made.day, made.noon)

    assert dict(running.requests("run")) == {asked.id: 2, silent.id: 0}


def test_old_bodies_are_counted_before_they_are_forgotten(running: SqliteStore, made: Any) -> None:
    old = running.open_exchange("run", made.brief(), made.noon)
    new = running.open_exchange("run", made.brief(item=13), made.noon)
    for exchange, seconds in ((old, 0), (new, 100)):
        row = Ended(result=Ending.TRUNCATED, reason="cut off")
        running.append(exchange.id, row, made.after(seconds))

    counted = running.old_bodies(made.after(50))

    assert counted == 2
    assert running.forget_bodies(made.after(50)) == counted
    assert running.old_bodies(made.after(50)) == 0


def test_repositories_are_listed_by_name(store: SqliteStore) -> None:
    store.note_repo(make_repo(1, "zeta"))
    store.note_repo(make_repo(2, "alpha"))

    assert store.repos() == (make_repo(2, "alpha"), make_repo(1, "zeta"))


def test_everybody_who_was_called_and_waits_is_listed(store: SqliteStore, made: Any) -> None:
    store.call_person(1, 14, "disputed", made.noon)
    store.call_person(1, 12, "parked", made.noon)
    store.call_person(1, 13, "over", made.noon)
    store.item_works_again(1, 13)
    store.call_person(2, 15, "elsewhere", made.noon)

    called = store.people_called(1)

    assert called == ((12, "parked", made.noon), (14, "disputed", made.noon))
