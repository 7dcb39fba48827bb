"""Moments of a story at which somebody else acts.

    with before("push", lambda: stage.push({"a.py": "..."})): stage.run()

Before a step: between reading the truth and acting on it, so that the step cannot know. The
harness's own log line tells which step it is. During an exchange: while a model thinks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from harness.rehearsal.models import Act, Question, Said

STEPS = logging.getLogger("harness.runs.custody")
Line = Callable[[Question], Act | Said]


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
    assert watch._left < 0, f"there was no {step}: {watch.steps}"


class Moments:
    """The moments of a script: `during` marks one in it, `at` has somebody act there."""

    def __init__(self) -> None:
        self._deeds: dict[str, Callable[[], object]] = {}

    def during(self, kind: str, line: Line) -> Line:
        """The line, told after whatever is to happen during this kind of exchange."""

        def tell(asked: Question) -> Act | Said:
            deed = self._deeds.pop(kind, None)
            if deed is not None:
                deed()
            return line(asked)

        return tell

    @contextmanager
    def at(self, moment: str, deed: Callable[[], object]) -> Iterator[None]:
        """Within it, `deed` happens at "STEP", "STEP 2" or "during KIND", once."""
        if moment.startswith("during "):
            kind = moment.removeprefix("during ")
            self._deeds[kind] = deed
            yield
            assert kind not in self._deeds, f"nobody was asked for a {kind}"
            return
        step, _, nth = moment.partition(" ")
        with before(step, deed, int(nth or 1)):
            yield
