"""The pace of writes: a second apart for all processes, and silence where it was asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from harness.edges.pace import FilePace
from harness.errors import ForgeError, ForgeReason

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@dataclass
class Hand:
    """A clock that is set by hand."""

    at: datetime = NOON
    waited: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        return self.at

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.at += timedelta(seconds=seconds)

    def monotonic(self) -> float:
        return self.at.timestamp()


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def pace(tmp_path: Path, clock: Hand) -> FilePace:
    return FilePace(tmp_path / "outbox.lock", clock)


def fail(pace: FilePace, until: datetime | None, reason: ForgeReason = "rate_limited") -> datetime:
    """One turn that ends in an error; when it says to come back."""
    with pytest.raises(ForgeError) as caught, pace.turn():
        raise ForgeError("no", reason=reason, not_before=until)
    return caught.value.not_before or NOON


def test_writes_of_all_processes_are_a_second_apart(tmp_path: Path, clock: Hand) -> None:
    for _ in range(3):
        with FilePace(tmp_path / "outbox.lock", clock).turn():
            clock.at += timedelta(seconds=0.25)

    assert clock.waited == [1.0, 1.0]


def test_nobody_writes_until_the_time_the_forge_named(
    pace: FilePace, clock: Hand, tmp_path: Path
) -> None:
    until = fail(pace, NOON + timedelta(seconds=90))
    clock.at = until - timedelta(seconds=1)

    other = FilePace(tmp_path / "outbox.lock", clock)
    with pytest.raises(ForgeError, match="until 2026-11-30 12:01:30 UTC") as caught, other.turn():
        pytest.fail("it was not held")

    assert (caught.value.reason, caught.value.not_before) == ("rate_limited", until)
    clock.at = until
    with pace.turn():
        pass
    assert clock.waited == []


def test_each_limit_in_a_row_holds_twice_as_long_and_a_write_that_comes_through_ends_the_row(
    pace: FilePace, clock: Hand
) -> None:
    held = []
    for _ in range(8):
        until = fail(pace, clock.at)
        held.append((until - clock.at).total_seconds())
        clock.at = until
    with pace.turn():
        pass
    clock.at += timedelta(minutes=1)

    assert held == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert fail(pace, None) == clock.at + timedelta(seconds=60)


def test_another_error_holds_nobody(pace: FilePace, clock: Hand) -> None:
    fail(pace, None, "unreachable")
    clock.at += timedelta(seconds=5)

    with pace.turn():
        pass

    assert clock.waited == []


@pytest.mark.parametrize("left", [b"", b"gibberish", b"2026-11-30T11:59:59.500000+00:00"])
def test_a_damaged_file_says_nothing(tmp_path: Path, clock: Hand, left: bytes) -> None:
    (tmp_path / "outbox.lock").write_bytes(left)

    with FilePace(tmp_path / "outbox.lock", clock).turn():
        pass

    assert clock.waited == []
