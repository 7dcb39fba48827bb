"""The order in which the rules of custody are asked; the first that knows the next step says it."""

from __future__ import annotations

from collections.abc import Callable

from harness.facts.case import Case
from harness.facts.steps import Step
from harness.rules.custody.beginning import begin
from harness.rules.custody.concluding import awaited, conclude, for_objections, for_policy
from harness.rules.custody.converging import reviewed, settled, whole
from harness.rules.custody.heads import checked, clean, forge_red, published, updated
from harness.rules.custody.pending import pending
from harness.rules.custody.stops import ended, stopped


def next_step(case: Case) -> Step:
    """The one step that is next; total, and the same for the same case."""
    for decide in _ORDER:
        step = decide(case)
        if step is not None:
            return step
    return conclude(case)


_ORDER: tuple[Callable[[Case], Step | None], ...] = (
    ended,
    stopped,
    pending,
    begin,
    clean,
    checked,
    published,
    updated,
    forge_red,
    reviewed,
    settled,
    whole,
    awaited,
    for_objections,
    for_policy,
)
