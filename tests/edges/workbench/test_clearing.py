"""What lies in the workbench's folders can be listed and removed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.edges.owners import own_name
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
    ours, of_the_dead = own_name("bench"), "bench-4999999-7-b"
    again = f"bench-{os.getpid()}-7-c"  # of an earlier process with our number
    for name in (ours, of_the_dead, again):
        (workbench.scratch / name).mkdir(parents=True)

    left = set(workbench.leftovers())
    workbench.sweep()

    assert left == {of_the_dead, again}
    assert [path.name for path in workbench.scratch.iterdir()] == [ours]


def test_a_sandbox_that_outlived_its_harness_is_ended(workbench: BwrapWorkbench) -> None:
    place = workbench.scratch / "bench-4999999-7-b"
    place.mkdir(parents=True)
    waiting = [sys.executable, "-c", "input()", "bwrap", "--bind", f"{place}/home", "/home/x"]
    process = subprocess.Popen(waiting, stdin=subprocess.PIPE)

    workbench.sweep()

    assert process.wait(10) == -signal.SIGKILL
    process.communicate()


def test_a_sandbox_amid_its_start_is_seen(workbench: BwrapWorkbench) -> None:
    """The kernel gives a process its command line a moment after its exec."""
    place = workbench.scratch / "bench-4999999-7-b"
    for _ in range(20):
        place.mkdir(parents=True)
        process = subprocess.Popen(
            [sys.executable, "-c", "input()", "bwrap", f"{place}/home"],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

        workbench.sweep()

        assert process.wait(10) == -signal.SIGKILL
        process.communicate()


def test_a_layer_that_was_half_kept_is_removed(workbench: BwrapWorkbench) -> None:
    half, whole = workbench.builds / "k.new-bench-4999999-7-b", workbench.builds / "k2"
    for path in (half, whole):
        path.mkdir(parents=True)

    workbench.sweep()

    assert list(workbench.builds.iterdir()) == [whole]
