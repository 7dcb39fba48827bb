from __future__ import annotations

from datetime import UTC, datetime, timedelta

from harness.facts.forge import Author, Happening
from harness.rules.leaving import set_since, skipping

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SKIP = "harness: skip"


def set_at(minutes: int, label: str = SKIP, kind: str = "labeled") -> Happening:
    mia = Author(id=9, login="mia", kind="user")
    return Happening(kind=kind, actor=mia, at=NOW + timedelta(minutes=minutes), detail=label)


def test_a_label_is_known_in_any_case() -> None:
    assert skipping(("bug", "Harness: Skip"), (SKIP,)) == {SKIP}
    assert not skipping(("bug",), (SKIP,))


def test_of_naming_an_item_and_setting_the_label_the_later_counts() -> None:
    on = frozenset({SKIP})

    assert not set_since(on, [set_at(-1)], NOW)
    assert set_since(on, [set_at(-1), set_at(1)], NOW)
    assert not set_since(on, [set_at(1, "bug"), set_at(1, kind="unlabeled")], NOW)
