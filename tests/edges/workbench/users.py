"""Who runs the harness in a test, and how a test becomes somebody else."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable

import pytest

from harness.facts.settings import LimitSettings, SandboxSettings
from harness.facts.workbench import Ran
from tests.children import fork, wait_for

LIMITS = LimitSettings(
    memory_bytes=200_000_000, processes=60, disk_bytes=60_000_000, result_bytes=4_000
)
SANDBOXED = SandboxSettings().uid
ORDINARY = 23_456 + os.getpid() % 10_000  # limits per user are not shared between test processes
NAP = 4_000_000 + os.getpid()  # seconds: long, and not another test process's

Try = Callable[..., Ran]
AS_WE_ARE = pytest.mark.parametrize("uid", ["as we are"], indirect=True, ids=["as we are"])


def become(uid: int, act: Callable[[], Ran]) -> Ran:
    """Do it in a forked child that has dropped to another user for good."""
    codecs.lookup("ascii")  # found while our Python's own folder can be read
    reading, writing = os.pipe()
    child = fork(lambda: os.write(writing, act().model_dump_json().encode()) and 0, uid)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    assert wait_for(child) == 0
    return Ran.model_validate_json(told)
