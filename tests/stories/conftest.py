"""A stage for each story."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.rehearsal.demo.script import tell_demo
from tests.stories.stage import Stage, open_stage


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Stage]:
    """The demo's forge and script."""
    with open_stage(tmp_path, tell_demo()) as stage:
        yield stage
