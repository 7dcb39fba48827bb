"""A job runs once per period, whatever wakes it and whatever people's clocks show.

A trigger only says that something is due; what is claimed is the period in UTC.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from harness.edges.store import SqliteStore

HOUR = timedelta(hours=1)


def _hour_of(due: datetime) -> str:
    return f"{due.astimezone(UTC):%Y-%m-%dT%H}"


def test_a_tick_late_by_90_s_runs_once(store: SqliteStore, path: Path) -> None:
    due = datetime(2026, 11, 30, 12, tzinfo=UTC)
    woken = due + timedelta(seconds=90)
    other = SqliteStore.open(path)

    taken = [
        store.claim_tick("sweep", _hour_of(due), woken),
        store.claim_tick("sweep", _hour_of(due), woken + timedelta(seconds=1)),
        other.claim_tick("sweep", _hour_of(due), woken),
    ]
    other.close()
    again = SqliteStore.open(path)
    after_restart = again.claim_tick("sweep", _hour_of(due), woken)
    following = again.claim_tick("sweep", _hour_of(due + HOUR), due + HOUR)
    again.close()

    assert taken == [True, False, False]
    assert (after_restart, following) == (False, True)


@pytest.mark.parametrize(
    ("change", "before", "after", "shown_twice", "never_shown"),
    [
        (datetime(2026, 10, 25, 1, tzinfo=UTC), 3, 2, {"03"}, set()),
        (datetime(2026, 11, 1, 6, tzinfo=UTC), -4, -5, {"01"}, set()),
        (datetime(2027, 3, 28, 1, tzinfo=UTC), 2, 3, set(), {"03"}),
        (datetime(2027, 3, 14, 7, tzinfo=UTC), -5, -4, set(), {"02"}),
    ],
    ids=["Helsinki autumn", "New York autumn", "Helsinki spring", "New York spring"],
)
def test_on_a_clock_change_night_each_job_runs_exactly_once(
    store: SqliteStore,
    change: datetime,
    before: int,
    after: int,
    shown_twice: set[str],
    never_shown: set[str],
) -> None:
    """A fake clock wakes every ten minutes, as people's clocks jump; offsets as tz database has."""
    wakes = [change + timedelta(minutes=10 * n) for n in range(-24, 24)]
    runs: Counter[str] = Counter()
    shown: Counter[str] = Counter()

    for now in wakes:
        local = now.astimezone(timezone(timedelta(hours=before if now < change else after)))
        shown[f"{local:%H}"] += local.minute == 0
        for job, period in (("sweep", _hour_of(local)), ("report", f"{change:%Y-%m-%d} night")):
            runs[f"{job} {period}"] += store.claim_tick(job, period, local)

    assert {hour for hour, times in shown.items() if times == 2} == shown_twice
    assert never_shown.isdisjoint(shown)
    assert len(runs) == 8 + 1
    assert set(runs.values()) == {1}
