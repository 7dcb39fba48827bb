"""What a run of the check command means.

Green is exit 0. Unchanged is red on base and head with no newly failing name (names from a JUnit
file where there is one). Where no names are known an equal exit is all there is: that passes too,
but says no more than it knows, and like all that is unchanged it never merges by itself. A check
that cannot run (126, 127, a signal, time, memory, the sandbox) is unknown, never green, never red.
"""

from __future__ import annotations

import json
import signal
from typing import Literal

from harness.facts.checks import Check
from harness.facts.workbench import Ran, StoppedBy

_CANNOT_EXECUTE = 126
_NOT_FOUND = 127
_SIGNALS = 128
TAIL = 6_000  # characters of output that are kept


def judge_check(
    command: str, sha: str, ran: Ran, failing: tuple[str, ...], base: Check | None
) -> Check:
    """The check at `sha`; `base` is the same check on the base, None when this is the base."""
    return Check(
        command=command,
        sha=sha,
        state=_state(ran, failing, base),
        exit=ran.exit,
        seconds=ran.seconds,
        failing=failing,
        tail=ran.output[-TAIL:],
        stopped_by=ran.stopped_by,
    )


def is_killed(ran: Ran) -> bool:
    """Whether a signal ended it that is no limit of ours: it may end otherwise another time."""
    return ran.exit > _SIGNALS and not ran.stopped_by


def tell_end(exit_code: int, stopped_by: StoppedBy) -> str:
    """How a command ended: its exit code, the signal in it, the limit that it met."""
    told = f"exit {exit_code}"
    if exit_code > _SIGNALS and exit_code - _SIGNALS in set(signal.Signals):
        told += f", killed by {signal.Signals(exit_code - _SIGNALS).name}"
    return f"{told}, over the limit of {stopped_by}" if stopped_by else told


def _state(
    ran: Ran, failing: tuple[str, ...], base: Check | None
) -> Literal["green", "unchanged", "red", "unrunnable"]:
    if ran.stopped_by or ran.exit in {_CANNOT_EXECUTE, _NOT_FOUND} or ran.exit > _SIGNALS:
        return "unrunnable"
    if ran.exit == 0:
        return "green"
    if base is not None and base.state == "red" and _nothing_new(ran, failing, base):
        return "unchanged"
    return "red"


def _nothing_new(ran: Ran, failing: tuple[str, ...], base: Check) -> bool:
    if failing and base.failing:
        return set(failing) <= set(base.failing)
    return not failing and not base.failing and ran.exit == base.exit


def read_names(printed: str, junit: str) -> tuple[tuple[str, ...], str]:
    """The failing names that JUNIT_PROGRAM printed, and why none are known, "" when they are."""
    try:
        told = json.loads(printed)
        files, names = int(told["files"]), tuple(sorted(map(str, told["failing"])))
    except (ValueError, TypeError, KeyError):
        return (), f"the files of junit = {junit!r} could not be read"
    if not files:
        return (), f"the check wrote no file that junit = {junit!r} finds"
    return names, "" if names else f"the files of junit = {junit!r} name no failing test"


JUNIT_BEFORE = """\
import glob, json, os, sys
found = {path: os.stat(path) for path in glob.glob(sys.argv[1], recursive=True)}
print(json.dumps({path: [one.st_mtime_ns, one.st_size] for path, one in found.items()}))
"""
"""Run in the workbench before a check: prints the JUnit files that it did not write."""

JUNIT_PROGRAM = """\
import glob, json, os, sys, xml.etree.ElementTree as tree
before, files, names = json.load(sys.stdin), 0, set()
for path in glob.glob(sys.argv[1], recursive=True):
    seen = os.stat(path)
    if before.get(path) == [seen.st_mtime_ns, seen.st_size]:
        continue
    files += 1
    for case in tree.parse(path).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            names.add((case.get("classname") or "") + "::" + (case.get("name") or ""))
print(json.dumps({"files": files, "failing": sorted(names)}))
"""
"""Run in the workbench, never by us: prints the failing names of the JUnit files a check wrote."""
