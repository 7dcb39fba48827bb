"""Money over kills, restarts, two processes and new days, held against a model that only adds."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from harness.edges.store import SqliteStore
from harness.facts.journal import Failed
from harness.facts.money import Caps, MicroDollars, Usage
from harness.rules.budget import day_of, fits_another_day, word_refusal
from tests.edges.store.conftest import NOON, Made

CAPS = Caps(exchange=150, item=300, repo_day=400, day=500)
MADE = Made()
USED = Usage(input=1, cache_read=0, cache_write=0, output=0)
PROCESSES, EXCHANGES = some.integers(0, 1), some.integers(0, 7)
MONEY = some.integers(0, 160)


@dataclass
class Held:
    """A request that is under way."""

    process: int
    n: int
    day: str
    bound: int


class Spending(RuleBasedStateMachine):
    """Two processes on one store, two repositories, two items in each, two exchanges on each."""

    @initialize()
    def begin(self) -> None:
        self.root = Path(tempfile.mkdtemp())
        self.stores = [SqliteStore.open(self.root / "store.db") for _ in range(2)]
        self.stores[0].start_run(MADE.run())
        self.now, self.n = NOON, 0
        self.places = [(1 + x // 4, x // 2 % 2, x) for x in range(8)]  # repo, item (0: triage), x
        self.ids = [
            self.stores[0]
            .open_exchange("run", MADE.brief(repo_id=repo, item=item, round=x), NOON)
            .id
            for repo, item, x in self.places
        ]
        self.held: dict[int, Held] = {}
        self.spent: Counter[tuple[int, str]] = Counter()

    def teardown(self) -> None:
        for store in self.stores:
            store.close()
        shutil.rmtree(self.root)

    @rule(process=PROCESSES, x=EXCHANGES, bound=MONEY)
    def ask(self, process: int, x: int, bound: int) -> None:
        if x in self.held and self.held[x].process != process:
            return  # the lease of its item keeps the other process away
        self.n += 1
        day = day_of(self.now)
        lost = self.held.pop(x, None)
        if lost:  # it asks again, so nothing was heard of what it asked before
            self.spent[x, lost.day] += lost.bound
        spent, used = self._used(x, day), self._used(x, day, held=True)
        row = MADE.asked(self.n, bound)

        verdict = self.stores[process].ask(self.ids[x], row, CAPS, day, self.now)

        if verdict == "reserved":
            self.held[x] = Held(process, self.n, day, bound)
        fits = all(spent[cap] + bound <= limit for cap, limit in CAPS)
        room = all(used[cap] + bound <= limit for cap, limit in CAPS)
        assert verdict == ("reserved" if room else "held" if fits else "refused")
        if verdict != "reserved":
            self._is_told(x, day, bound)

    @precondition(lambda self: self.held)
    @rule(pick=EXCHANGES, cost=MONEY, known=some.booleans())
    def answer(self, pick: int, cost: int, *, known: bool) -> None:
        x, held = self._take(pick)
        paid = min(cost, held.bound) if known else held.bound
        self.spent[x, held.day] += paid
        row = MADE.answered(held.n, paid, usage_known=known)
        self.stores[held.process].append(self.ids[x], row, self.now)

    @precondition(lambda self: self.held)
    @rule(pick=EXCHANGES, cost=some.one_of(some.none(), MONEY))
    def fail(self, pick: int, cost: int | None) -> None:
        x, held = self._take(pick)
        paid = held.bound if cost is None else min(cost, held.bound)
        self.spent[x, held.day] += paid
        row = Failed(
            n=held.n,
            why="overloaded",
            detail="",
            usage=None if cost is None else USED,
            not_before=None,
            cost=None if cost is None else MicroDollars(paid),
        )
        self.stores[held.process].append(self.ids[x], row, self.now)

    @precondition(lambda self: self.held)
    @rule(process=PROCESSES)
    def kill(self, process: int) -> None:
        """The kernel lets go of its locks; what it held is spent whole, on the day it was held."""
        self.stores[process].close()
        for x in [x for x, held in self.held.items() if held.process == process]:
            held = self.held.pop(x)
            self.spent[x, held.day] += held.bound
        self.stores[process] = SqliteStore.open(self.root / "store.db")

    @rule()
    def new_day(self) -> None:
        self.now += timedelta(days=1)

    @invariant()
    def it_adds_up_and_no_cap_is_passed(self) -> None:
        day = day_of(self.now)
        for x, (repo, item, _) in enumerate(self.places):
            spent, reserved = self.stores[x % 2].spend(repo, item, self.ids[x], day)
            told = {cap: getattr(spent, cap) + getattr(reserved, cap) for cap, _ in CAPS}
            assert dict(spent) == self._used(x, day)
            assert told == self._used(x, day, held=True)
            assert all(told[cap] <= limit for cap, limit in CAPS)

    def _take(self, pick: int) -> tuple[int, Held]:
        """One of the requests that are under way."""
        x = sorted(self.held)[pick % len(self.held)]
        return x, self.held.pop(x)

    def _used(self, x: int, day: str, *, held: bool = False) -> dict[str, int]:
        """What counts towards each cap of this exchange: what is spent, or what is held too."""
        lines = [(one, when, paid) for (one, when), paid in self.spent.items()]
        if held:
            lines += [(one, request.day, request.bound) for one, request in self.held.items()]
        repo, item, _ = self.places[x]
        return {
            "exchange": sum(paid for one, _, paid in lines if one == x),
            "item": sum(
                paid for one, _, paid in lines if item and self.places[one][:2] == (repo, item)
            ),
            "repo_day": sum(
                paid for one, when, paid in lines if self.places[one][0] == repo and when == day
            ),
            "day": sum(paid for _, when, paid in lines if when == day),
        }

    def _is_told(self, x: int, day: str, bound: int) -> None:
        """Which cap, how much is spent, and whether another day makes room."""
        repo, item, _ = self.places[x]
        spent, reserved = self.stores[0].spend(repo, item, self.ids[x], day)
        told = word_refusal(CAPS, spent, reserved, MicroDollars(bound))
        assert "is reached" in told
        assert " spent" in told
        if fits_another_day(CAPS, spent, MicroDollars(bound)):
            assert "a day" in told or "held by running requests" in told


TestSpending = Spending.TestCase
TestSpending.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)
