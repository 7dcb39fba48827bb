"""A chain of processes, each killed at the first row it adds, until one ends by itself."""

from __future__ import annotations

from collections.abc import Collection

from tests.kills.hook import Kill
from tests.kills.nursery import Ended, Nursery, execute
from tests.kills.points import rows_of
from tests.stories.stage import Stage

MOST = 400  # links


def chain(
    nursery: Nursery, stage: Stage, *words: str, executed: Collection[int] = ()
) -> list[Ended]:
    """All links; those `executed` are the real command, executed anew and killed from outside.

    `words` are another command than `run`.
    """
    links: list[Ended] = []
    while not links or links[-1].killed:
        if len(links) in executed:
            there = rows_of(stage)
            links.append(execute(stage, lambda known=there: rows_of(stage) - known))
        else:
            links.append(nursery.run(stage, Kill(), *words))
        assert len(links) < MOST
    return links
