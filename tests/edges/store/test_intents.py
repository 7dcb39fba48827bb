from __future__ import annotations

from typing import Any

import pytest

from harness.edges.store import SqliteStore, WriteCaps
from harness.errors import StoreError
from harness.facts.intents import CreateIssue, Precondition, Push, Receipt


def test_an_intent_comes_back_as_it_was_made(store: SqliteStore, made: Any) -> None:
    intent = made.intent(
        "push:b",
        write=Push(branch="b", sha="s" * 40, expected=""),
        needs=Precondition(pull=13, head="h" * 40, state="open"),
    )

    assert store.open_intent(intent) == intent
    assert store.open_intents(1) == (intent,)


def test_the_same_purpose_on_the_same_item_is_the_same_write(store: SqliteStore, made: Any) -> None:
    first = store.open_intent(made.intent("greet"))

    again = store.open_intent(made.intent("greet", id="other", nonce="f" * 32, why="again"))
    elsewhere = store.open_intent(made.intent("greet", id="13", nonce="e" * 32, item=13))

    assert again == first
    assert elsewhere.id == "13"


def test_attempts_are_counted_before_they_are_made(store: SqliteStore, made: Any) -> None:
    store.open_intent(made.intent("greet"))

    numbers = [store.attempt_intent("intent-greet", made.after(n)) for n in range(2)]

    assert numbers == [1, 2]
    assert store.open_intents(1, 12)[0].attempts == 2


def test_an_attempt_that_was_turned_away_does_not_count(store: SqliteStore, made: Any) -> None:
    store.open_intent(made.intent("greet"))
    store.attempt_intent("intent-greet", made.noon)

    store.turn_away("intent-greet")
    before = store.open_intents(1, 12)[0].attempts
    number = store.attempt_intent("intent-greet", made.after(1))

    assert (before, number) == (0, 2)
    assert store.open_intents(1, 12)[0].attempts == 1


def test_a_delivered_intent_keeps_its_receipt_and_is_over(store: SqliteStore, made: Any) -> None:
    store.open_intent(made.intent("greet"))
    receipt = Receipt(id=7, url="https://x", at=made.noon)

    settled = store.settle_intent("intent-greet", "delivered", "", receipt, made.after(1))
    again = store.settle_intent("intent-greet", "delivered", "twice", None, made.after(9))

    assert (settled.state, settled.receipt) == ("delivered", receipt)
    assert again == settled
    assert store.open_intents(1) == ()
    assert store.intents(1, 12) == store.intents_of_run("run") == (settled,)
    with pytest.raises(StoreError, match="is delivered: it is not tried again"):
        store.attempt_intent("intent-greet", made.noon)


@pytest.mark.parametrize("first", ["delivered", "dropped", "refused"])
def test_what_is_settled_is_not_settled_otherwise(
    store: SqliteStore, made: Any, first: Any
) -> None:
    store.open_intent(made.intent("greet"))
    store.settle_intent("intent-greet", first, "", None, made.noon)

    with pytest.raises(StoreError, match=f"is {first}, it cannot be stopped"):
        store.settle_intent("intent-greet", "stopped", "", None, made.noon)


def test_a_stopped_intent_may_be_settled_when_somebody_has_looked(
    store: SqliteStore, made: Any
) -> None:
    store.open_intent(made.intent("greet"))
    store.settle_intent("intent-greet", "stopped", "who knows", None, made.noon)

    settled = store.settle_intent("intent-greet", "delivered", "seen", Receipt(id=7), made.noon)

    assert (settled.state, settled.reason) == ("delivered", "seen")


def test_open_intents_come_oldest_first_by_item(store: SqliteStore, made: Any) -> None:
    for purpose, fields in [("b", {}), ("a", {}), ("c", {"item": 13}), ("d", {"repo_id": 2})]:
        store.open_intent(made.intent(purpose, **fields))

    assert [one.purpose for one in store.open_intents(1)] == ["b", "a", "c"]
    assert [one.purpose for one in store.open_intents(1, 12)] == ["b", "a"]
    assert [one.purpose for one in store.open_intents(1, 0)] == []


def test_an_unknown_intent_is_named(store: SqliteStore, made: Any) -> None:
    with pytest.raises(StoreError, match="no intent x"):
        store.attempt_intent("x", made.noon)


def test_writes_are_counted_by_item_and_by_repository(store: SqliteStore, made: Any) -> None:
    store.open_intent(made.intent("old", created_at=made.after(-1)))
    store.open_intent(made.intent("new"))
    store.open_intent(made.intent("dropped"))
    store.settle_intent("intent-dropped", "dropped", "moved", None, made.noon)
    store.open_intent(made.intent("next", item=13))

    counts = [store.writes_since(1, item, made.noon) for item in (12, 13, None)]

    assert counts == [1, 1, 2]


@pytest.mark.parametrize(
    ("caps", "item", "message"),
    [
        (WriteCaps(item_day=2, day=9), 12, "item 12 has had its 2 writes of 2026-11-30"),
        (WriteCaps(item_day=2, day=3), 13, "all 3 writes of 2026-11-30 are made"),
    ],
)
def test_a_cap_on_writes_stops_the_next_one_until_tomorrow(
    store: SqliteStore, made: Any, caps: WriteCaps, item: int, message: str
) -> None:
    limited = store.limited(caps)
    limited.open_intent(made.intent("a"))
    limited.open_intent(made.intent("b"))
    limited.open_intent(made.intent("c", item=14))

    with pytest.raises(StoreError, match=message):
        limited.open_intent(made.intent("d", item=item))

    tomorrow = made.intent("d", item=item, created_at=made.after(86_400))
    assert limited.open_intent(tomorrow).state == "open"
    assert limited.open_intent(made.intent("a", id="again", nonce="f" * 32)).id == "intent-a"


def test_a_delivered_text_is_known_by_its_kind_and_id(store: SqliteStore, made: Any) -> None:
    store.open_intent(made.intent("said"))
    before = store.is_delivered(1, "comment", 70)
    store.settle_intent("intent-said", "delivered", "", Receipt(id=70), made.noon)

    assert not before
    assert store.is_delivered(1, "comment", 70)
    assert not store.is_delivered(1, "reply", 70)
    assert not store.is_delivered(1, "comment", 71)
    assert not store.is_delivered(2, "comment", 70)


def test_an_issue_that_was_filed_is_known_by_its_number(store: SqliteStore, made: Any) -> None:
    issue = CreateIssue(title="t", body="b", labels=())
    store.open_intent(made.intent("filed", write=issue))
    store.settle_intent("intent-filed", "delivered", "", Receipt(number=30), made.noon)

    assert store.is_filed(1, 30)
    assert not store.is_filed(1, 12)
