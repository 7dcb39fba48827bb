"""Journal half: reserves, money held before a request, in one transaction with its `asked`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from harness.edges.store.columns import stamp
from harness.edges.store.family import Family
from harness.edges.store.journal import append_row
from harness.edges.store.pen import Line
from harness.edges.store.settling import settle_lost
from harness.errors import StoreError
from harness.facts.journal import Asked
from harness.facts.money import Caps, MicroDollars, Spend, Usage

SUMS = """
SELECT coalesce(sum(spent + iif(state = 'open' AND lost, bound, 0)), 0) AS spent,
  coalesce(sum(iif(state = 'open' AND NOT lost, bound, 0)), 0) AS reserved
FROM (SELECT state, bound, spent, owner IN (SELECT value FROM json_each(:dead)) AS lost
      FROM reserves WHERE {where})
"""
PRESUMED = """
SELECT coalesce(sum(iif(state = 'spent', spent, bound)), 0) AS presumed FROM reserves
WHERE day = :day AND (repo = :repo OR :repo = 0) AND NOT usage_known
  AND (state = 'spent' OR owner IN (SELECT value FROM json_each(:dead)))
"""
WHERE = {
    "exchange": "exchange = :exchange",
    "item": "repo = :repo AND item = :item AND item > 0",
    "repo_day": "day = :day AND repo = :repo",
    "day": "day = :day",
}


class Reserves(Family):
    """The table reserves."""

    def ask(
        self, exchange_id: str, asked: Asked, caps: Caps, day: str, at: datetime
    ) -> Literal["reserved", "held", "refused"]:
        with self._journal.writing():
            place = self._journal.row(
                "SELECT repo, item FROM exchanges WHERE id = ?", (exchange_id,)
            )
            if place is None:
                raise StoreError(f"the store knows no exchange {exchange_id}")
            settle_lost(self._journal, exchange_id, self._dead())
            spent, reserved = self._sums(place["repo"], place["item"], exchange_id, day, ())
            if not _fits(spent, asked.bound, caps):
                return "refused"
            if not _fits(_together(spent, reserved), asked.bound, caps):
                return "held"
            self._reserve(exchange_id, asked, place | {"day": day, "at": stamp(at)})
            append_row(self._journal, exchange_id, asked, at)
            return "reserved"

    def spend(self, repo_id: int, item: int, exchange_id: str, day: str) -> tuple[Spend, Spend]:
        with self._journal.reading():
            return self._sums(repo_id, item, exchange_id, day, self._dead())

    def presumed(self, repo_id: int, day: str) -> MicroDollars:
        with self._journal.reading():
            values: Line = {"repo": repo_id, "day": day, "dead": json.dumps(list(self._dead()))}
            return MicroDollars(self._journal.rows(PRESUMED, values)[0]["presumed"])

    def usage(self, run_id: str) -> tuple[tuple[str, Usage, MicroDollars], ...]:
        rows = self._journal.rows(
            "SELECT exchange, input, cache_read, cache_write, output, spent"
            " FROM exchange_spend WHERE run = ? AND turns > 0 ORDER BY exchange",
            (run_id,),
        )
        return tuple(
            (
                row["exchange"],
                Usage(**{name: row[name] for name in Usage.model_fields}),
                MicroDollars(row["spent"]),
            )
            for row in rows
        )

    def requests(self, run_id: str) -> tuple[tuple[str, int], ...]:
        rows = self._journal.rows(
            "SELECT exchange, turns FROM exchange_spend WHERE run = ? ORDER BY exchange", (run_id,)
        )
        return tuple((row["exchange"], row["turns"]) for row in rows)

    def _reserve(self, exchange_id: str, asked: Asked, place: Line) -> None:
        self._locks.stand_up()
        row: Line = {
            "exchange": exchange_id,
            "n": asked.n,
            "owner": self._locks.owner,
            "bound": asked.bound,
            "state": "open",
            "spent": 0,
            "usage_known": 0,
        }
        unused: Line = dict.fromkeys(Usage.model_fields, 0)
        self._journal.insert("reserves", row | place | unused)

    def _sums(
        self, repo_id: int, item: int, exchange_id: str, day: str, dead: Sequence[str]
    ) -> tuple[Spend, Spend]:
        values: Line = {
            "repo": repo_id,
            "item": item,
            "exchange": exchange_id,
            "day": day,
            "dead": json.dumps(list(dead)),
        }
        found = {
            cap: self._journal.rows(SUMS.format(where=where), values)[0]
            for cap, where in WHERE.items()
        }
        spent = Spend(**{cap: row["spent"] for cap, row in found.items()})
        reserved = Spend(**{cap: row["reserved"] for cap, row in found.items()})
        return spent, reserved

    def _dead(self) -> tuple[str, ...]:
        """Owners of open reserves whose process has gone."""
        rows = self._journal.rows("SELECT DISTINCT owner FROM reserves WHERE state = 'open'")
        return tuple(row["owner"] for row in rows if not self._locks.lives(row["owner"]))


def _fits(used: Spend, bound: int, caps: Caps) -> bool:
    return (
        used.exchange + bound <= caps.exchange
        and used.item + bound <= caps.item
        and used.repo_day + bound <= caps.repo_day
        and used.day + bound <= caps.day
    )


def _together(spent: Spend, reserved: Spend) -> Spend:
    return Spend(
        exchange=spent.exchange + reserved.exchange,
        item=spent.item + reserved.item,
        repo_day=spent.repo_day + reserved.repo_day,
        day=spent.day + reserved.day,
    )
