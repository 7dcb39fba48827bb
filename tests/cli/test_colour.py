"""Colour stands on terminals only, and never where NO_COLOR is set."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from harness.edges.store import SqliteStore
from tests.cli.making import make_run

ESCAPE = b"\x1b["


def on_terminal(config: Path, **extra: str) -> bytes:
    """What `harness runs` prints on a terminal of its own."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "harness", "runs", "--config", str(config)]
    env = {"PATH": "/usr/bin:/bin", "TERM": "xterm", **extra}
    subprocess.run(command, stdout=follower, env=env, check=True, timeout=60)
    os.close(follower)
    said = os.read(leader, 65_536)
    os.close(leader)
    return said


@pytest.mark.parametrize(
    ("extra", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
    ids=["terminal", "NO_COLOR", "dumb"],
)
def test_a_terminal_has_colour_unless_it_is_not_wanted(
    config: Path, store: SqliteStore, extra: dict[str, str], coloured: bool
) -> None:
    store.start_run(make_run())

    said = on_terminal(config, **extra)

    assert b"a1b2c3" in said
    assert (ESCAPE in said) == coloured
