"""What a reserve comes to: it is spent, by its cost or whole, and never just lapses."""

from __future__ import annotations

import json
from collections.abc import Iterable

from harness.edges.store.pen import Line, Pen
from harness.facts.money import MicroDollars, Usage

NOTHING = Usage(input=0, cache_read=0, cache_write=0, output=0)

SETTLE = """
UPDATE reserves SET state = 'spent', spent = coalesce(:cost, bound), usage_known = :known,
  input = :input, cache_read = :cache_read, cache_write = :cache_write, output = :output
WHERE id = (SELECT max(id) FROM reserves WHERE exchange = :exchange AND n = :n AND state = 'open')
"""
SETTLE_LOST = """
UPDATE reserves SET state = 'spent', spent = bound
WHERE state = 'open' AND (exchange = :exchange OR owner IN (SELECT value FROM json_each(:dead)))
"""


def settle_reserve(
    pen: Pen, exchange_id: str, n: int, cost: MicroDollars | None, usage: Usage | None
) -> None:
    """Spend the reserve of this request: its cost, or all of it when nobody knows."""
    counted = usage or NOTHING
    values: Line = {"exchange": exchange_id, "n": n, "cost": cost, "known": usage is not None}
    pen.change(SETTLE, values | counted.model_dump())


def settle_lost(pen: Pen, exchange_id: str, dead: Iterable[str]) -> None:
    """Spend whole what dead owners held, and what this exchange asked and never heard.

    An exchange asks one thing at a time: when it asks again, its earlier request is lost.
    """
    pen.change(SETTLE_LOST, {"exchange": exchange_id, "dead": json.dumps(list(dead))})
