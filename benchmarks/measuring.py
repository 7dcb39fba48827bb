"""How the scripts measure: several runs, medians, one line a figure."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def median_ms(act: Callable[[], object], *, runs: int = 15, warmup: int = 2) -> float:
    """The median wall time of `act` in milliseconds."""
    for _ in range(warmup):
        act()
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        act()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def say(what: str, figure: str) -> None:
    """One figure."""
    print(f"{what:<58} {figure}", flush=True)
