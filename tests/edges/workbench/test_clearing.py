"""What lies in the workbench's folders can be listed and removed."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.edges.workbench import BwrapWorkbench
from harness.facts.settings import LimitSettings, SandboxSettings

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def workbench(tmp_path: Path) -> BwrapWorkbench:
    return BwrapWorkbench(
        SandboxSettings(),
        LimitSettings(),
        scratch=tmp_path / "scratch",
        builds=tmp_path / "builds",
        readonly=(),
        mask=str,
    )


def lay(workbench: BwrapWorkbench, key: str, at: datetime) -> Path:
    path = workbench.builds / key
    (path / "tree" / "shut").mkdir(parents=True)
    (path / "tree" / "shut" / "file").touch()
    (path / "tree" / "shut").chmod(0o500)
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def test_layers_made_before_a_time_are_old(workbench: BwrapWorkbench) -> None:
    lay(workbench, "old", NOON.replace(hour=11))
    lay(workbench, "new", NOON.replace(hour=13))

    assert workbench.old_layers(NOON) == ("old",)


def test_a_dropped_layer_is_gone_whatever_it_denies(workbench: BwrapWorkbench) -> None:
    path = lay(workbench, "old", NOON)

    workbench.drop_layer("old")

    assert not path.exists()
    assert workbench.layer("old") is None


def test_without_builds_there_are_no_old_layers(workbench: BwrapWorkbench) -> None:
    assert workbench.old_layers(NOON) == ()


def test_places_of_killed_processes_are_leftovers_and_ours_are_not(
    workbench: BwrapWorkbench,
) -> None:
    for name in (f"bench-{os.getpid()}-a", "bench-4999999-b"):
        (workbench.scratch / name).mkdir(parents=True)

    assert workbench.leftovers() == ("bench-4999999-b",)

    workbench.sweep()

    assert [path.name for path in workbench.scratch.iterdir()] == [f"bench-{os.getpid()}-a"]
