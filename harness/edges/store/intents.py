"""Record half: the outbox, an intent before every write, its attempts, what became of it."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Literal

from harness.edges.store.columns import as_json, moment, stamp
from harness.edges.store.family import Family
from harness.edges.store.pen import Row, Value
from harness.errors import StoreError
from harness.facts.intents import Intent, Receipt

INTENTS = """
SELECT i.*, (SELECT count(*) FROM attempts a WHERE a.intent = i.id)
  - (SELECT count(*) FROM turned_away t WHERE t.intent = i.id) AS attempts FROM intents i
"""
WRITES_OF_DAY = """
SELECT coalesce(sum(repo = ? AND item = ?), 0), count(*) FROM intents
WHERE created_at >= ?3 AND created_at < ?3 || 'U' AND state NOT IN ('dropped', 'refused')
"""
FINAL = {"delivered", "dropped", "refused"}


class Intents(Family):
    """The tables intents and attempts."""

    def open_intent(self, intent: Intent) -> Intent:
        question = (intent.repo_id, intent.item, intent.purpose)
        where = "WHERE i.repo = ? AND i.item = ? AND i.purpose = ?"
        with self._records.writing():
            if not self._records.rows(f"{INTENTS} {where}", question):
                self._assert_room(intent)
                why = self._records.mask(intent.why)
                self._records.insert("intents", _row(intent) | {"why": why})
            return _intent(self._records.rows(f"{INTENTS} {where}", question)[0])

    def attempt_intent(self, intent_id: str, at: datetime) -> int:
        with self._records.writing():
            intent = self._intent(intent_id)
            if intent.state != "open":
                raise StoreError(f"intent {intent_id} is {intent.state}: it is not tried again")
            number = self._newest_attempt(intent_id) + 1
            self._records.insert("attempts", {"intent": intent_id, "n": number, "at": stamp(at)})
            return number

    def turn_away(self, intent_id: str) -> None:
        with self._records.writing():
            newest = self._newest_attempt(intent_id)
            self._records.insert("turned_away", {"intent": intent_id, "n": newest})

    def settle_intent(
        self,
        intent_id: str,
        state: Literal["delivered", "dropped", "refused", "stopped"],
        reason: str,
        receipt: Receipt | None,
        at: datetime,
    ) -> Intent:
        with self._records.writing():
            settled = self._intent(intent_id)
            if settled.state == state:
                return settled
            if settled.state in FINAL:
                raise StoreError(f"intent {intent_id} is {settled.state}, it cannot be {state}")
            self._records.change(
                "UPDATE intents SET state = ?, reason = ?, receipt = ?, settled_at = ?"
                " WHERE id = ?",
                (state, self._records.mask(reason), as_json(receipt), stamp(at), intent_id),
            )
            return self._intent(intent_id)

    def open_intents(self, repo_id: int, item: int | None = None) -> tuple[Intent, ...]:
        return self._where(
            "i.state = 'open' AND i.repo = ? AND i.item = coalesce(?, i.item)", repo_id, item
        )

    def intents(self, repo_id: int, item: int) -> tuple[Intent, ...]:
        return self._where("i.repo = ? AND i.item = ?", repo_id, item)

    def intents_of_run(self, run_id: str) -> tuple[Intent, ...]:
        return self._where("i.run = ?", run_id)

    def is_delivered(
        self, repo_id: int, kind: Literal["comment", "reply", "review"], text_id: int
    ) -> bool:
        found = self._records.number(
            "SELECT count(*) FROM intents WHERE repo = ? AND kind = ? AND state = 'delivered'"
            " AND json_extract(receipt, '$.id') = ?",
            (repo_id, kind, text_id),
        )
        return found > 0

    def is_filed(self, repo_id: int, number: int) -> bool:
        found = self._records.number(
            "SELECT count(*) FROM intents WHERE repo = ? AND kind = 'create_issue'"
            " AND state = 'delivered' AND json_extract(receipt, '$.number') = ?",
            (repo_id, number),
        )
        return found > 0

    def writes_since(self, repo_id: int, item: int | None, at: datetime) -> int:
        return self._records.number(
            "SELECT count(*) FROM intents WHERE created_at >= ? AND repo = ?"
            " AND item = coalesce(?, item) AND state NOT IN ('dropped', 'refused')",
            (stamp(at), repo_id, item),
        )

    def _where(self, condition: str, *values: Value) -> tuple[Intent, ...]:
        rows = self._records.rows(f"{INTENTS} WHERE {condition} ORDER BY i.seq", values)
        return tuple(_intent(row) for row in rows)

    def _newest_attempt(self, intent_id: str) -> int:
        """Its number, 0 before the first."""
        question = "SELECT coalesce(max(n), 0) FROM attempts WHERE intent = ?"
        return self._records.number(question, (intent_id,))

    def _intent(self, intent_id: str) -> Intent:
        found = self._where("i.id = ?", intent_id)
        if not found:
            raise StoreError(f"the store knows no intent {intent_id}")
        return found[0]

    def _assert_room(self, intent: Intent) -> None:
        """StoreError when one more write on this day (UTC) would pass a cap."""
        day = stamp(intent.created_at)[:10]
        of_item, of_day = self._records.rows(WRITES_OF_DAY, (intent.repo_id, intent.item, day))[
            0
        ].values()
        if of_item >= self._writes.item_day:
            raise StoreError(
                f"item {intent.item} has had its {of_item} writes of {day} (writes_item_day)"
            )
        if of_day >= self._writes.day:
            raise StoreError(f"all {of_day} writes of {day} are made (writes_day)")


def _row(intent: Intent) -> dict[str, Value]:
    return {
        "id": intent.id,
        "run": intent.run_id,
        "repo": intent.repo_id,
        "item": intent.item,
        "purpose": intent.purpose,
        "kind": intent.write.kind,
        "write": as_json(intent.write),
        "needs": as_json(intent.needs),
        "why": intent.why,
        "nonce": intent.nonce,
        "forge_time": stamp(intent.forge_time),
        "created_at": stamp(intent.created_at),
        "state": intent.state,
        "settled_at": "",
        "reason": intent.reason,
        "receipt": as_json(intent.receipt),
    }


def _intent(row: Row) -> Intent:
    plain = ("id", "item", "purpose", "why", "nonce", "state", "reason", "attempts")
    encoded = ("write", "needs", "receipt")
    return Intent.model_validate(
        {name: row[name] for name in plain}
        | {name: json.loads(row[name]) for name in encoded}
        | {"run_id": row["run"], "repo_id": row["repo"]}
        | {name: moment(row[name]) for name in ("forge_time", "created_at")}
    )
