from __future__ import annotations

from typing import Any

from harness.edges.store import SqliteStore


def test_it_is_known_when_an_issue_was_last_decided_on_another_text(
    store: SqliteStore, made: Any
) -> None:
    store.record_decisions(
        [
            made.decision(made_on="old", at=made.noon),
            made.decision(made_on="older", at=made.after(1)),
            made.decision(made_on="new", at=made.after(2)),
            made.decision(issue=13, made_on="old", at=made.after(3)),
        ]
    )

    assert store.decided_otherwise(1, 12, "new") == made.after(1)
    assert store.decided_otherwise(1, 13, "old") is None
    assert store.decided_otherwise(1, 99, "new") is None
