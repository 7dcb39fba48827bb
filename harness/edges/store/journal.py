"""Journal half: the journal of an exchange, rows only appended, bodies that may be forgotten."""

from __future__ import annotations

from datetime import datetime

from pydantic import TypeAdapter

from harness.edges.store.columns import as_json, stamp, stamp_or_none
from harness.edges.store.family import Family
from harness.edges.store.pen import Line, Pen
from harness.edges.store.settling import settle_reserve
from harness.facts.journal import (
    Answered,
    Asked,
    Done,
    Ended,
    Failed,
    JournalRow,
    Replied,
    Started,
)

ROWS: TypeAdapter[JournalRow] = TypeAdapter(JournalRow)


class JournalRows(Family):
    """The tables journal and bodies."""

    def journal(self, exchange_id: str) -> tuple[JournalRow, ...]:
        rows = self._journal.rows(
            "SELECT b.body FROM journal j JOIN bodies b ON b.seq = j.seq"
            " WHERE j.exchange = ? AND j.row <> 'brief' ORDER BY j.seq",
            (exchange_id,),
        )
        return tuple(ROWS.validate_json(row["body"]) for row in rows)

    def reply(self, exchange_id: str) -> Replied | None:
        row = self._journal.row(
            "SELECT b.body FROM journal j JOIN bodies b ON b.seq = j.seq"
            " WHERE j.exchange = ? AND j.row = 'replied' ORDER BY j.seq DESC LIMIT 1",
            (exchange_id,),
        )
        return Replied.model_validate_json(row["body"]) if row else None

    def append(self, exchange_id: str, row: JournalRow, at: datetime) -> None:
        if isinstance(row, Asked):
            raise TypeError("`asked` is appended by `ask`, with its reserve")
        with self._journal.writing():
            append_row(self._journal, exchange_id, row, at)
            self._follow(exchange_id, row, at)

    def rest(self, exchange_id: str, reason: str) -> None:
        with self._journal.writing():
            self._journal.change(
                "UPDATE exchanges SET reason = ? WHERE id = ? AND result = ''",
                (self._journal.mask(reason), exchange_id),
            )

    def old_bodies(self, before: datetime) -> int:
        return self._journal.number(COUNT_OLD, (stamp(before),))

    def forget_bodies(self, before: datetime) -> int:
        """Forget what was said in exchanges of items whose last exchange ended before then."""
        with self._journal.writing():
            return self._journal.change(FORGET, (stamp(before),))

    def _follow(self, exchange_id: str, row: JournalRow, at: datetime) -> None:
        match row:
            case Answered(n=n, cost=cost, turn=turn):
                known = turn.usage_known
                usage = turn.usage if known else None
                settle_reserve(self._journal, exchange_id, n, cost if known else None, usage)
                self._wait_until(exchange_id, None, "")
            case Failed(n=n, cost=cost, usage=usage, not_before=not_before):
                settle_reserve(self._journal, exchange_id, n, cost, usage)
                self._wait_until(exchange_id, not_before, row.words)
            case Ended():
                self._journal.change(
                    "UPDATE exchanges SET result = ?, reason = ?, not_before = ?, ended_at = ?"
                    " WHERE id = ?",
                    (
                        row.result.value,
                        row.reason,
                        stamp_or_none(row.not_before),
                        stamp(at),
                        exchange_id,
                    ),
                )
            case _:
                pass

    def _wait_until(self, exchange_id: str, not_before: datetime | None, why: str) -> None:
        self._journal.change(
            "UPDATE exchanges SET not_before = ?, reason = ? WHERE id = ?",
            (stamp_or_none(not_before), why, exchange_id),
        )


OLD = """
WHERE seq IN (
  SELECT j.seq FROM exchanges x JOIN journal j ON j.exchange = x.id
  WHERE NOT EXISTS (
    SELECT 1 FROM exchanges o WHERE o.repo = x.repo AND o.item = x.item
      AND (o.result = '' OR o.ended_at >= ?)))
"""
COUNT_OLD = f"SELECT count(*) FROM bodies {OLD}"  # noqa: S608 - our own words
FORGET = f"DELETE FROM bodies {OLD}"  # noqa: S608 - our own words


def append_row(pen: Pen, exchange_id: str, row: JournalRow, at: datetime) -> None:
    """Append a row with its body, in the transaction that is open."""
    number = row.n if isinstance(row, Asked | Answered | Failed) else 0
    append_body(pen, exchange_id, row.row, as_json(row), at, n=number, call=_call(row))


def append_body(
    pen: Pen, exchange_id: str, row: str, body: str, at: datetime, *, n: int = 0, call: str = ""
) -> None:
    """Append a row of this kind with this JSON as its body, in the transaction that is open."""
    line: Line = {"exchange": exchange_id, "row": row, "n": n, "call": call, "at": stamp(at)}
    pen.insert("journal", line)
    pen.insert("bodies", {"seq": pen.number("SELECT last_insert_rowid()"), "body": body})


def _call(row: JournalRow) -> str:
    match row:
        case Started(call_id=call_id):
            return call_id
        case Done(result=result):
            return result.call_id
        case _:
            return ""
