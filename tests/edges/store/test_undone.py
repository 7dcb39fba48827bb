from __future__ import annotations

from typing import Any

import pytest

from harness.edges.store import SqliteStore
from harness.errors import StoreError
from harness.facts.matching import Plan
from harness.facts.undoing import Undone


def undone(made: Any, run_id: str, seconds: float = 0) -> Undone:
    return Undone(run_id=run_id, repo_id=1, item=12, by="later", at=made.after(seconds))


def test_a_run_is_undone_on_an_item_once(store: SqliteStore, made: Any) -> None:
    first, other = undone(made, "run", 1), undone(made, "other")
    store.note_undone(first)
    store.note_undone(other)
    store.note_undone(undone(made, "run", 9))

    assert store.undone(1, 12) == (other, first)
    assert store.undone(1, 13) == store.undone(2, 12) == ()


@pytest.mark.parametrize("sql", ["UPDATE undone SET item = 13", "DELETE FROM undone"])
def test_an_undo_stays(store: SqliteStore, made: Any, sql: str) -> None:
    store.note_undone(undone(made, "run"))

    with pytest.raises(StoreError), store._records.writing():
        store._records.change(sql)


def test_the_run_that_recorded_a_reply_last_is_known(store: SqliteStore, made: Any) -> None:
    plan = Plan(entries=(), aliases=(), events=(), met=())
    store.record_reply("x1", 1, 12, plan, (), made.noon, "first")
    store.record_reply("x1", 1, 12, plan, (), made.after(1), "second")
    store.record_reply("x2", 1, 12, plan, (), made.after(2), "second")

    assert store.recorded_by(1, 12) == (("x1", "second"), ("x2", "second"))


def test_the_events_of_a_run_are_found_in_their_order(store: SqliteStore, made: Any) -> None:
    story = made.refuted("one")
    late = made.event("z", "one", "ruled", run_id="another", at=made.after(9))
    store.record_events([made.entry("one")], [], (*story, late))

    found = store.events_of_run(1, story[0].run_id)

    assert [event.id for event in found] == [event.id for event in story]
    assert [event.id for event in store.events_of_run(1, "another")] == ["z"]
    assert store.events_of_run(2, "another") == ()
