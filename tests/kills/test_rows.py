"""One kill per kind of row, each in a story of its own.

Right before a row where it tells of something that has happened by then: the turn was paid, the
command ran, the forge took the write. Right after it where it tells of something to come.
"""

from __future__ import annotations

import pytest

from tests.kills.comparing import Telling, leftovers, tell
from tests.kills.conftest import NewStage
from tests.kills.hook import Kill
from tests.kills.nursery import Nursery
from tests.kills.others import OTHERS, prepare
from tests.kills.points import rows_of
from tests.kills.tales import tell_short

AFTER = (
    *("brief implement*", "asked implement*", "started implement*", "pull * [1-9]*"),
    *("call *", "outcome 1 *", "intent.push *", "attempt.push *", "intent.open_pull *"),
)
BEFORE = (
    *("answered implement*", "done implement*", "replied implement*", "ended respond*"),
    *("commit *", "check *", "recorded *", "decision *", "pull * 0"),
    *("delivered.comment 2 *", "delivered.label *", "delivered.push *", "delivered.open_pull *"),
    *("delivered.comment 1 *", "delivered.edit_comment *", "delivered.status *"),
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("row", AFTER)
def test_killed_right_after_a_row_the_story_comes_to_the_same_end(
    nursery: Nursery, new_stage: NewStage, calm_short: Telling, row: str
) -> None:
    stage = new_stage(tell_short())

    killed = nursery.run(stage, Kill(row))
    ended = nursery.run(stage)

    assert killed.killed
    told = tell(stage)
    assert told.differs_from(calm_short) == ""
    assert told.repeated() == {}
    assert leftovers(stage, [killed, ended]) == []


@pytest.mark.parametrize("row", BEFORE)
def test_killed_right_before_a_row_the_story_comes_to_the_same_end(
    nursery: Nursery, new_stage: NewStage, calm_short: Telling, row: str
) -> None:
    stage = new_stage(tell_short())

    killed = nursery.run(stage, Kill(row, when="before"))
    ended = nursery.run(stage)

    assert killed.killed
    told = tell(stage)
    assert told.differs_from(calm_short) == ""
    assert sum(told.repeated().values()) == row.startswith("answered")
    assert leftovers(stage, [killed, ended]) == []


@pytest.mark.parametrize(
    ("story", "kill"),
    [
        ("escalated", Kill("call *")),
        ("red", Kill("call *")),
        ("merged", Kill("delivered.merge *", when="before")),
        ("merged", Kill("outcome 1 merged")),
        ("undone", Kill("delivered.close *", when="before")),
        ("undone", Kill("delivered.status *", when="before")),
        ("withdrawn", Kill("delivered.edit_comment *", when="before")),
        ("withdrawn", Kill("delivered.status *", when="before")),
    ],
    ids=[
        *("called-on-a-pull-request", "called-on-an-issue", "merged", "ended"),
        *("undone", "undone-approval", "withdrawn-in-words", "withdrawn"),
    ],
)
def test_killed_at_its_own_row_another_story_comes_to_the_same_end(
    nursery: Nursery, new_stage: NewStage, story: str, kill: Kill
) -> None:
    other = OTHERS[story]
    (calm, calmly), (stage, words) = (prepare(new_stage, other, nursery) for _ in range(2))

    undisturbed = nursery.run(calm, None, *calmly)
    killed = nursery.run(stage, kill, *words)
    ended = nursery.run(stage, None, *words)

    assert (undisturbed.killed, killed.killed) == (False, True)
    told = tell(stage)
    assert told.differs_from(tell(calm)) == ""
    assert told.repeated() == {}
    assert leftovers(stage, [killed, ended]) == []


def test_a_dry_run_that_was_killed_goes_on_with_what_it_asked(
    nursery: Nursery, new_stage: NewStage
) -> None:
    stage = new_stage(tell_short())
    dry = ("run", "-q", "--dry-run")

    killed = nursery.run(stage, Kill("answered review 1 gpt 2.1 *"), *dry)
    ended = nursery.run(stage, None, *dry)

    assert (killed.killed, ended.exit) == (True, 1)
    assert tell(stage).repeated() == {}
    assert [one for one in rows_of(stage) if one.startswith("brief review 1 gpt 2.2")] == []
    assert (stage.forge.writes, stage.forge.pushes) == ([], [])
    assert leftovers(stage, [killed, ended]) == []
