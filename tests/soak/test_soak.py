"""Every point of the whole story, each in a story of its own; and days on which all goes wrong.

`make soak` runs this and nothing else does: it takes long. What it found, and how long it took,
stands in docs/benchmarks.md.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from harness.rehearsal.github import Fault
from tests.kills.chains import MOST, chain
from tests.kills.comparing import Telling, leftovers, tell
from tests.kills.conftest import NewStage
from tests.kills.hook import Kill
from tests.kills.nursery import Ended, Nursery
from tests.kills.others import OTHERS, prepare
from tests.kills.tales import PATIENT, tell_whole
from tests.stories.stage import Stage, open_stage

PARTS = 8  # for as many processes as there are

pytestmark = pytest.mark.timeout(3 * 3600)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_any_row_the_story_comes_to_the_same_end(
    nursery: Nursery,
    calm_whole: Telling,
    tmp_path: Path,
    when: Literal["before", "after"],
    part: int,
) -> None:
    wrong = {}
    for nth in range(part + 1, MOST, PARTS):
        with open_stage(_folder(tmp_path, str(nth)), tell_whole()) as stage:
            stage.config += PATIENT
            first = nursery.run(stage, Kill(nth=nth, when=when))
            if not first.killed:
                break
            complaint = _complaint(stage, calm_whole, [first, nursery.run(stage)])
            wrong |= {nth: complaint} if complaint else {}

    assert wrong == {}


@pytest.mark.parametrize("seed", range(6))
def test_killed_at_any_time_the_story_comes_to_the_same_end(
    nursery: Nursery, new_stage: NewStage, calm_whole: Telling, seed: int
) -> None:
    stage = new_stage(tell_whole())
    chance = random.Random(seed)  # noqa: S311 - a seed makes it happen again

    links = list(_any_time(nursery, stage, chance))

    told = tell(stage)
    assert told.differs_from(calm_whole) == ""
    assert leftovers(stage, links) == []


def test_killed_after_every_row_the_whole_story_comes_to_the_same_end(
    nursery: Nursery, new_stage: NewStage, calm_whole: Telling
) -> None:
    stage = new_stage(tell_whole())

    links = chain(nursery, stage)

    told = tell(stage)
    assert told.differs_from(calm_whole) == ""
    assert leftovers(stage, links) == []
    assert {question[1].split()[0] for question in told.repeated()} <= {"triage"}
    assert set(told.repeated().values()) <= {1}


def test_killed_after_every_row_while_all_writes_land_late_and_all_lists_lag(
    nursery: Nursery, new_stage: NewStage, calm_whole: Telling
) -> None:
    stage = new_stage(tell_whole())
    stage.pass_time(hours=1)  # the issues are old enough to be listed
    stage.forge.fail(Fault("lag", seconds=15, times=-1))
    for path in ("", "git-receive-pack"):
        stage.forge.fail(Fault("late", method="write", path=path, seconds=20, times=-1))

    links = chain(nursery, stage)

    stage.pass_time(hours=1)  # all that is late lands
    assert tell(stage).differs_from(calm_whole) == ""
    assert leftovers(stage, links) == []


@pytest.mark.parametrize("story", OTHERS)
def test_killed_after_every_row_other_stories_come_to_the_same_end(
    nursery: Nursery, new_stage: NewStage, story: str
) -> None:
    (calm, calmly), (stage, words) = (prepare(new_stage, OTHERS[story], nursery) for _ in range(2))

    undisturbed = nursery.run(calm, None, *calmly)
    links = chain(nursery, stage, *words)

    told = tell(stage)
    assert not undisturbed.killed
    assert told.differs_from(tell(calm)) == ""
    assert leftovers(stage, links) == []
    assert set(told.repeated().values()) <= {1}


def test_a_dry_run_killed_after_every_row_pays_nothing_twice_and_writes_nothing(
    nursery: Nursery, new_stage: NewStage, calm_whole: Telling
) -> None:
    stage = new_stage(tell_whole())

    links = chain(nursery, stage, "run", "-q", "--dry-run")

    assert (stage.forge.writes, stage.forge.pushes) == ([], [])
    links.append(nursery.run(stage))
    told = tell(stage)
    assert (told.outcomes, told.states) == (calm_whole.outcomes, calm_whole.states)
    assert {question[1].split()[0] for question in told.repeated()} <= {"triage"}
    assert set(told.repeated().values()) <= {1}
    assert leftovers(stage, links) == []


def _any_time(nursery: Nursery, stage: Stage, chance: random.Random) -> Iterator[Ended]:
    """Processes that are killed at any time, less and less soon, until one ends by itself."""
    for number in range(MOST):
        until = time.monotonic() + chance.uniform(0.05, 0.5 + number / 20)
        link = nursery.run_until(stage, lambda until=until: time.monotonic() > until, bury=False)
        yield link
        if not link.killed:
            return


def _complaint(stage: Stage, calm: Telling, links: list[Ended]) -> str:
    told = tell(stage)
    often = {question: times for question, times in told.repeated().items() if times > 1}
    repeated = f"repeated: {told.repeated()}" if often or len(told.repeated()) > len(links) else ""
    return told.differs_from(calm) or repeated or "; ".join(leftovers(stage, links))


def _folder(root: Path, name: str) -> Path:
    folder = root / name
    folder.mkdir()
    return folder
