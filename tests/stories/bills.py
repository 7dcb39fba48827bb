"""What requests should have cost, by the vendor's own counting, beside what the store says."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import get_args

from harness.edges.prices import read_prices
from harness.facts.money import PriceList, Usage
from harness.rehearsal.models import Dead, GivesUp, Overflow, Silent
from harness.rehearsal.models.desk import Recorded
from harness.rules.budget import cost_of
from tests.stories.stage import Stage

CUT_OFF = Dead | GivesUp | Overflow | Silent
"""In mid-stream: Anthropic has told the input by then, OpenAI nothing at all."""


@dataclass(frozen=True)
class Line:
    """One request as the store paid it."""

    bound: int
    spent: int
    known: bool
    usage: Usage


def read_bill(stage: Stage) -> list[Line]:
    """The reserves, one vendor's after the other's, in the order they were made; none is open."""
    columns = ", ".join(Usage.model_fields)
    store = sqlite3.connect(stage.state / "store.db")
    query = (
        f"SELECT v.state, v.bound, spent, usage_known, {columns} FROM reserves v JOIN exchanges x"  # noqa: S608 - our own columns
    )
    query += " ON x.id = v.exchange ORDER BY x.provider, v.id"
    rows = store.execute(query).fetchall()
    store.close()
    assert {row[0] for row in rows} <= {"spent"}
    return [
        Line(
            row[1],
            row[2],
            bool(row[3]),
            Usage(**dict(zip(Usage.model_fields, row[4:], strict=True))),
        )
        for row in rows
    ]


def owe(stage: Stage) -> int:
    """Micro-dollars that the vendors count, checked request by request against the store."""
    bill = read_bill(stage)
    requests = sorted(stage.models.requests, key=lambda one: one.provider)
    for asked, line in zip(requests, bill, strict=True):
        _check(asked, line, _prices(stage, asked))
    return sum(line.spent for line in bill)


def _check(asked: Recorded, line: Line, prices: PriceList) -> None:
    if asked.status in {408, 504}:
        assert line == Line(line.bound, line.bound, False, _usage(0, 0, 0, 0))
        return
    if asked.status != 200:
        assert line == Line(line.bound, 0, True, _usage(0, 0, 0, 0))
        return
    assert asked.used is not None
    whole = _usage(
        asked.used.input, asked.used.cache_read, asked.used.cache_write, asked.used.output
    )
    if not isinstance(asked.fault, get_args(CUT_OFF)):
        assert line == Line(line.bound, cost_of(whole, prices), True, whole)
    elif asked.provider == "openai":
        assert line == Line(line.bound, line.bound, False, _usage(0, 0, 0, 0))
    else:
        assert line.known
        assert line.usage.total_input == whole.total_input
        assert line.usage.output <= whole.output
        assert line.spent == cost_of(line.usage, prices)


def _prices(stage: Stage, asked: Recorded) -> PriceList:
    return read_prices(str(asked.body["model"]), asked.provider, {}, stage.house().clock.now())


def _usage(plain: int, read: int, write: int, output: int) -> Usage:
    return Usage(input=plain, cache_read=read, cache_write=write, output=output)
