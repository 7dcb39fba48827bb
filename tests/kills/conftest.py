from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from harness.rehearsal.models import Script
from tests.kills.comparing import Telling, tell
from tests.kills.nursery import Nursery
from tests.kills.tales import PATIENT, tell_short, tell_whole
from tests.stories.stage import Stage, open_stage

NewStage = Callable[[Script], Stage]


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """The warmed parent of all children."""
    with Nursery() as nursery:
        yield nursery


@pytest.fixture
def new_stage(tmp_path: Path) -> Iterator[NewStage]:
    """Makes a stage for a script, as often as it is asked."""
    numbers = itertools.count()
    with ExitStack() as ending:

        def new(script: Script) -> Stage:
            root = tmp_path / str(next(numbers))
            root.mkdir()
            stage = ending.enter_context(open_stage(root, script))
            stage.config += PATIENT
            return stage

        yield new


@pytest.fixture(scope="session")
def calm_whole(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Telling:
    """The whole story, undisturbed."""
    return _tell_calmly(nursery, tmp_path_factory.mktemp("whole"), tell_whole())


@pytest.fixture(scope="session")
def calm_short(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Telling:
    """The short story, undisturbed."""
    return _tell_calmly(nursery, tmp_path_factory.mktemp("short"), tell_short())


def _tell_calmly(nursery: Nursery, root: Path, script: Script) -> Telling:
    with open_stage(root, script) as stage:
        stage.config += PATIENT
        ended = nursery.run(stage)
        assert ended.exit == 1, stage.root.joinpath("said.txt").read_text()
        return tell(stage)
