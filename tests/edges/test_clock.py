from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from harness.edges.clock import SystemClock


def test_now_is_aware_and_in_utc() -> None:
    before = datetime.now(UTC)

    now = SystemClock().now()

    assert now.utcoffset() == timedelta(0)
    assert before <= now <= datetime.now(UTC)


def test_waiting_takes_the_time_it_says() -> None:
    clock = SystemClock()
    before = clock.monotonic()

    clock.wait(0.02)

    assert clock.monotonic() - before >= 0.02


@pytest.mark.parametrize("seconds", [0, -5])
def test_a_wait_that_is_over_already_returns_at_once(seconds: float) -> None:
    before = time.monotonic()

    SystemClock().wait(seconds)

    assert time.monotonic() - before < 1
