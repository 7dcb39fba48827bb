"""The kill chain: one process after another, each killed at the first row it adds."""

from __future__ import annotations

import pytest

from tests.kills.chains import chain
from tests.kills.comparing import Telling, leftovers, tell
from tests.kills.conftest import NewStage
from tests.kills.nursery import Nursery, execute
from tests.kills.points import rows_of
from tests.kills.tales import tell_short

EXECUTED = (30, 60)  # links that are the real command, executed anew and killed from outside


@pytest.mark.slow
def test_killed_after_every_new_row_the_story_comes_to_the_same_end(
    nursery: Nursery, new_stage: NewStage, calm_short: Telling
) -> None:
    stage = new_stage(tell_short())

    links = chain(nursery, stage, executed=EXECUTED)
    links.append(execute(stage))

    told = tell(stage)
    assert links[-1].exit == links[-2].exit == 1
    assert told.differs_from(calm_short) == ""
    assert leftovers(stage, links) == []
    assert len(links) > 0.8 * len(rows_of(stage))  # two threads may add rows at the same moment
    assert {question[1].split()[0] for question in told.repeated()} <= {"triage"}
    assert set(told.repeated().values()) <= {1}
