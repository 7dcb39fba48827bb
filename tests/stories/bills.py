"""What requests should have cost, by the vendor's own counting, beside what the store says."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, get_args

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
        assert line.spent <= line.bound
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


def limit(stage: Stage, **limits: float) -> None:
    """These limits and no others."""
    before = stage.config.partition("\n[limits]\n")[0]
    lines = "".join(f"{name} = {amount}\n" for name, amount in limits.items())
    stage.config = f"{before}\n[limits]\n{lines}"


class Money(NamedTuple):
    """What is spent and held under each cap at one moment; keys are exchange, item, repo, day."""

    exchange: dict[object, int]
    item: dict[object, int]
    repo_day: dict[object, int]
    day: dict[object, int]


def watch_caps(stage: Stage) -> Money:
    """The most that was ever spent and held at once under each cap, in the order of the journal.

    A request counts by its bound from `asked` on, by what it came to once something was heard.
    """
    peaks, sums = Money({}, {}, {}, {}), Money({}, {}, {}, {})
    for keys, change in _changes(stage):
        for peak, total, key in zip(peaks, sums, keys, strict=True):
            total[key] = total.get(key, 0) + change
            peak[key] = max(peak.get(key, 0), total[key])
    return peaks


def _changes(stage: Stage) -> Iterator[tuple[tuple[object, ...], int]]:
    store = sqlite3.connect(stage.state / "store.db")
    asked = "SELECT exchange, n, repo, item, day, bound, spent FROM reserves ORDER BY id"
    reserves = {(row[0], row[1]): row[2:] for row in store.execute(asked)}
    heard = "SELECT exchange, n, row FROM journal WHERE row IN ('asked', 'answered', 'failed')"
    rows = store.execute(f"{heard} ORDER BY seq").fetchall()
    store.close()
    for exchange, n, row in rows:
        repo, item, day, bound, spent = reserves[exchange, n]
        keys = (exchange, (repo, item), (repo, day), day)
        yield keys, bound if row == "asked" else spent - bound
