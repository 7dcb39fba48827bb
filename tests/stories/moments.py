"""Moments of a story at which somebody else acts: between reading the truth and taking a step.

    at(stage, "push", lambda: stage.push({CART: "..."}))

The step before which it happens is told by the harness's own log line; the truth was read before
that line, so that each deed is one the step cannot know of.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

STEPS = logging.getLogger("harness.runs.custody")


class _Watch(logging.Handler):
    """Acts once, right before the `nth` step of this name."""

    def __init__(self, step: str, nth: int, deed: Callable[[], object]) -> None:
        super().__init__(logging.INFO)
        self._step = step
        self._left = nth
        self._deed = deed
        self.steps: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """One line per step: repository, item, round, name, agent, head."""
        assert isinstance(record.args, tuple)
        name = str(record.args[3])
        self.steps.append(name)
        self._left -= name == self._step
        if self._left == 0:
            self._left = -1
            self._deed()


@contextmanager
def before(step: str, deed: Callable[[], object], nth: int = 1) -> Iterator[list[str]]:
    """Within it, `deed` happens before the `nth` step of this name; yields the steps as taken."""
    watch = _Watch(step, nth, deed)
    STEPS.addHandler(watch)
    try:
        yield watch.steps
    finally:
        STEPS.removeHandler(watch)
