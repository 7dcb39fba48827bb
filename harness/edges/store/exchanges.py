"""Journal half: exchanges, one row per question to an agent, so that nothing is paid twice.

The brief stands in its row, all but its two long texts: those are the body of the journal's first
row, and may be forgotten like every body.
"""

from __future__ import annotations

import json
from datetime import datetime
from uuid import uuid4

from harness.edges.store.columns import as_json, moment, moment_or_none, plain, stamp
from harness.edges.store.family import Family
from harness.edges.store.journal import append_body
from harness.edges.store.pen import Row, Value
from harness.errors import StoreError
from harness.facts.journal import Brief, Exchange

EXCHANGES = """
SELECT x.*, coalesce(b.body, '{"system": "", "prompt": ""}') AS texts,
  (SELECT coalesce(sum(v.spent), 0) FROM reserves v WHERE v.exchange = x.id) AS spent
FROM exchanges x
JOIN journal j ON j.exchange = x.id AND j.row = 'brief'
LEFT JOIN bodies b ON b.seq = j.seq
"""
QUESTION = """repo = :repo AND item = :item AND branch = :branch AND kind = :kind AND agent = :agent
  AND round = :round AND try = :try"""

ASKED = (
    "SELECT item, max(created_at) AS at FROM exchanges WHERE repo = ? AND result = '' GROUP BY item"
)
HELD = """
SELECT at, iif(key GLOB 'item:*', replace(key, rtrim(key, '0123456789'), ''), '0') AS item
FROM held_leases WHERE key GLOB ? OR key = ?
"""


class Exchanges(Family):
    """The table exchanges."""

    def open_exchange(self, run_id: str, brief: Brief, at: datetime) -> Exchange:
        with self._journal.writing():
            question = _question(brief)
            known = self._journal.row(f"{EXCHANGES} WHERE {QUESTION}", question)
            if known:
                return _exchange(known)
            exchange_id = uuid4().hex
            self._journal.insert("exchanges", _row(exchange_id, run_id, brief, at) | question)
            texts = {"system": plain(brief.system), "prompt": plain(brief.prompt)}
            append_body(self._journal, exchange_id, "brief", json.dumps(texts), at)
            return self.exchange(exchange_id)

    def exchange(self, exchange_id: str) -> Exchange:
        row = self._journal.row(f"{EXCHANGES} WHERE x.id = ?", (exchange_id,))
        if row is None:
            raise StoreError(f"the store knows no exchange {exchange_id}")
        return _exchange(row)

    def exchanges(self, repo_id: int, item: int) -> tuple[Exchange, ...]:
        where = "WHERE x.repo = ? AND x.item = ? ORDER BY j.seq"
        rows = self._journal.rows(f"{EXCHANGES} {where}", (repo_id, item))
        return tuple(_exchange(row) for row in rows)

    def unfinished(self, repo_id: int) -> tuple[tuple[int, datetime], ...]:
        asked = self._journal.rows(ASKED, (repo_id,))
        held = self._records.rows(HELD, (f"item:{repo_id}:*", f"triage:{repo_id}"))
        begun: dict[int, datetime] = {}
        for row in (*asked, *held):
            item = int(row["item"])
            begun[item] = max(moment(row["at"]), begun.get(item, moment(row["at"])))
        return tuple(sorted(begun.items()))

    def exchanges_of_run(self, run_id: str) -> tuple[Exchange, ...]:
        rows = self._journal.rows(f"{EXCHANGES} WHERE x.run = ? ORDER BY j.seq", (run_id,))
        return tuple(_exchange(row) for row in rows)

    def find_exchanges(self, id_prefix: str) -> tuple[Exchange, ...]:
        where = "WHERE x.id >= ?1 AND x.id < ?1 || char(1114111) ORDER BY j.seq DESC LIMIT 20"
        rows = self._journal.rows(f"{EXCHANGES} {where}", (id_prefix,))
        return tuple(_exchange(row) for row in rows)


def _question(brief: Brief) -> dict[str, Value]:
    return {
        "repo": brief.repo_id,
        "item": brief.item,
        "branch": brief.branch,
        "kind": brief.kind.value,
        "agent": brief.pin.agent,
        "round": brief.round,
        "try": brief.attempt,
    }


def _row(exchange_id: str, run_id: str, brief: Brief, at: datetime) -> dict[str, Value]:
    return {
        "id": exchange_id,
        "run": run_id,
        "provider": brief.pin.provider,
        "model": brief.pin.model,
        "effort": brief.pin.effort,
        "head": brief.head,
        "base": brief.base,
        "decision": brief.decision,
        "brief": as_json(brief.model_copy(update={"system": "", "prompt": ""})),
        "created_at": stamp(at),
        "ended_at": "",
        "result": "",
        "reason": "",
        "not_before": "",
    }


def _exchange(row: Row) -> Exchange:
    return Exchange.model_validate(
        {
            "id": row["id"],
            "run_id": row["run"],
            "brief": json.loads(row["brief"]) | json.loads(row["texts"]),
            "created_at": moment(row["created_at"]),
            "result": row["result"] or None,
            "reason": row["reason"],
            "not_before": moment_or_none(row["not_before"]),
            "spent": row["spent"],
        }
    )
