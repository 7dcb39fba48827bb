"""Record half: calls to people, watermarks of conversations, ticks of jobs, etags."""

from __future__ import annotations

from datetime import datetime

from harness.edges.store.columns import moment, stamp
from harness.edges.store.family import Family
from harness.edges.store.pen import Line
from harness.facts.causes import Called, Cause
from harness.facts.watermarks import Watermark


class People(Family):
    """The tables calls, watermarks, ticks and etags."""

    def call_person(
        self,
        repo_id: int,
        item: int,
        reason: str,
        at: datetime,
        head: str = "",
        cause: Cause = Cause.ARGUMENT,
    ) -> bool:
        said = self._records.mask(reason)
        row: Line = {"repo": repo_id, "item": item, "reason": said, "at": stamp(at)}
        row |= {"head": head, "cause": cause.value, "open": 1}
        with self._records.writing():
            return self._records.insert("calls", row, known="IGNORE")

    def item_works_again(self, repo_id: int, item: int) -> None:
        with self._records.writing():
            self._records.change(
                "UPDATE calls SET open = 0 WHERE repo = ? AND item = ? AND open = 1",
                (repo_id, item),
            )

    def person_called(self, repo_id: int, item: int) -> Called | None:
        return next((one for one in self.calls(repo_id, item) if one.open), None)

    def calls(self, repo_id: int, item: int) -> tuple[Called, ...]:
        rows = self._records.rows(
            "SELECT reason, at, cause, head, open FROM calls WHERE repo = ? AND item = ?"
            " ORDER BY id",
            (repo_id, item),
        )
        return tuple(
            Called(
                reason=row["reason"],
                at=moment(row["at"]),
                cause=Cause(row["cause"]),
                head=row["head"],
                open=bool(row["open"]),
            )
            for row in rows
        )

    def people_called(self, repo_id: int) -> tuple[tuple[int, str, datetime], ...]:
        rows = self._records.rows(
            "SELECT item, reason, at FROM called WHERE repo = ? ORDER BY item", (repo_id,)
        )
        return tuple((row["item"], row["reason"], moment(row["at"])) for row in rows)

    def watermarks(self, repo_id: int, item: int) -> tuple[Watermark, ...]:
        rows = self._records.rows(
            "SELECT repo AS repo_id, item, conversation, comment, seen_until FROM watermarks"
            " WHERE repo = ? AND item = ? ORDER BY conversation",
            (repo_id, item),
        )
        return tuple(
            Watermark.model_validate(row | {"seen_until": moment(row["seen_until"])})
            for row in rows
        )

    def move_watermark(self, mark: Watermark) -> None:
        row = mark.model_dump(exclude={"repo_id"})
        row |= {"repo": mark.repo_id, "seen_until": stamp(mark.seen_until)}
        with self._records.writing():
            self._records.change(MOVE, row)

    def claim_tick(self, job: str, period: str, at: datetime) -> bool:
        row: Line = {"job": job, "period": period, "owner": self._locks.owner, "at": stamp(at)}
        with self._records.writing():
            return self._records.insert("ticks", row, known="IGNORE")

    def etag(self, url: str) -> tuple[str, str] | None:
        row = self._records.row("SELECT etag, body FROM etags WHERE url = ?", (url,))
        return (row["etag"], row["body"]) if row else None

    def store_etag(self, url: str, etag: str, body: str) -> None:
        with self._records.writing():
            self._records.insert("etags", {"url": url, "etag": etag, "body": body}, known="REPLACE")


MOVE = """
INSERT INTO watermarks (repo, item, conversation, comment, seen_until)
VALUES (:repo, :item, :conversation, :comment, :seen_until)
ON CONFLICT (repo, item, conversation) DO UPDATE
SET comment = max(comment, excluded.comment), seen_until = max(seen_until, excluded.seen_until)
"""
