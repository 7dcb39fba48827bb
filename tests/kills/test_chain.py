"""The kill chain: one process after another, each killed at the first row it adds."""

from __future__ import annotations

import pytest

from tests.kills.comparing import Telling, leftovers, tell
from tests.kills.conftest import NewStage
from tests.kills.hook import Kill
from tests.kills.nursery import Ended, Nursery, execute
from tests.kills.points import rows_of
from tests.kills.tales import tell_whole
from tests.stories.stage import Stage

EXECUTED = (40, 80)  # links that are the real command, executed anew and killed from outside
MOST = 400  # links


@pytest.mark.slow
def test_killed_after_every_new_row_the_story_comes_to_the_same_end(
    nursery: Nursery, new_stage: NewStage, calm_whole: Telling
) -> None:
    stage = new_stage(tell_whole())

    links = _chain(nursery, stage)

    told = tell(stage)
    assert told.differs_from(calm_whole) == ""
    assert leftovers(stage, links) == []
    assert len(links) > 0.8 * len(rows_of(stage))  # two threads may add rows at the same moment
    assert {question[1].split()[0] for question in told.repeated()} <= {"triage"}
    assert set(told.repeated().values()) <= {1}


def _chain(nursery: Nursery, stage: Stage) -> list[Ended]:
    """All links; the last one ended by itself, and the real command after it adds nothing."""
    links: list[Ended] = []
    while not links or links[-1].killed:
        if len(links) in EXECUTED:
            there = rows_of(stage)
            links.append(execute(stage, lambda known=there: rows_of(stage) - known))
        else:
            links.append(nursery.run(stage, Kill()))
        assert len(links) < MOST
    links.append(execute(stage))
    assert links[-1].exit == links[-2].exit == 1
    return links
