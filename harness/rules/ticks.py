"""Runs of backticks, found by length: where a code span ends is asked again and again."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict

_RUN = re.compile(r"`+")


class TickRuns:
    """All runs of one text, read once, so that a text of nothing else costs its length alone."""

    def __init__(self, text: str) -> None:
        self._starts: defaultdict[int, list[int]] = defaultdict(list)
        for run in _RUN.finditer(text):
            self._starts[len(run[0])].append(run.start())

    def next_end(self, length: int, at: int) -> int:
        """Where the next run of just this length that begins at `at` or later ends; 0 for none."""
        starts = self._starts.get(length, [])
        n = bisect_left(starts, at)
        return starts[n] + length if n < len(starts) else 0
