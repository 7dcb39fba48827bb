"""A stage for each story."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from harness.rehearsal.demo.script import tell_demo
from harness.rehearsal.models import Script
from tests.stories.stage import Stage, open_stage

Play = Callable[..., Stage]


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Stage]:
    """The demo's forge and script."""
    with open_stage(tmp_path, tell_demo()) as stage:
        yield stage


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    """Opens the demo's forge with a script of its own and only some of its issues (`issues`)."""
    with ExitStack() as ending:

        def open_play(script: Script, *issues: int) -> Stage:
            stage = ending.enter_context(open_stage(tmp_path, script))
            stage.only(*(issues or (1,)))
            return stage

        yield open_play
