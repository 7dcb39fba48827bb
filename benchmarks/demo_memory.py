"""The demo as a whole: wall time and peak memory of its largest process."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time

from measuring import say

RUNS = 3


def main() -> None:
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "harness", "demo"], check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    say("the demo, doubles included", f"{statistics.median(times):.1f} s")
    say("peak memory of its largest process", f"{peak:.0f} MB")


if __name__ == "__main__":
    main()
