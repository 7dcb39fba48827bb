from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from harness.rehearsal.clock import RehearsalClock
from harness.rehearsal.github import GithubDouble


def test_waiting_advances_the_rehearsals_own_time_and_returns_at_once(tmp_path: Path) -> None:
    with GithubDouble(tmp_path) as double:
        clock = RehearsalClock(double.url)
        before, real = clock.now(), clock.monotonic()

        clock.wait(3600)

        assert timedelta(hours=1) <= clock.now() - before < timedelta(hours=1, seconds=1)
        assert clock.monotonic() - real < 5


def test_every_look_at_the_clock_is_later_than_the_one_before(tmp_path: Path) -> None:
    with GithubDouble(tmp_path) as double:
        clock = RehearsalClock(double.url)

        assert clock.now() < clock.now() < clock.now()
