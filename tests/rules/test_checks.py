"""What a run of the check means, and what is known of the tests that fail."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.facts.checks import Check
from harness.facts.workbench import Ran
from harness.rules.checks import is_killed, judge_check, read_names, tell_end


def _ran(exit_: int) -> Ran:
    return Ran(exit=exit_, output="", seconds=1, stopped_by="")


def _judged(exit_: int, failing: tuple[str, ...], base: Check | None) -> Check:
    return judge_check("make test", "a" * 40, _ran(exit_), failing, base)


@pytest.mark.parametrize(
    ("exit_", "failing", "base_failing", "state", "dark"),
    [
        (0, (), ("a",), "green", False),
        (1, ("a",), ("a", "b"), "unchanged", False),
        (1, ("a", "c"), ("a", "b"), "red", False),
        (1, (), (), "unchanged", True),
        (2, (), (), "red", True),
        (1, (), ("a",), "red", True),
        (1, ("a",), (), "red", False),
    ],
)
def test_red_on_a_red_base_is_unchanged_only_as_far_as_is_known(
    exit_: int,
    failing: tuple[str, ...],
    base_failing: tuple[str, ...],
    state: str,
    dark: bool,
) -> None:
    base = _judged(1, base_failing, None)

    judged = _judged(exit_, failing, base)

    assert (judged.state, judged.is_in_the_dark) == (state, dark)


@pytest.mark.parametrize(
    ("exit_", "stopped_by", "told", "again"),
    [
        (127, "", "exit 127", False),
        (137, "", "exit 137, killed by SIGKILL", True),
        (139, "", "exit 139, killed by SIGSEGV", True),
        (137, "memory", "exit 137, killed by SIGKILL, over the limit of memory", False),
        (1, "disk", "exit 1, over the limit of disk", False),
        (255, "", "exit 255", True),
    ],
)
def test_how_a_check_ended_names_exit_signal_and_limit(
    exit_: int, stopped_by: Any, told: str, again: bool
) -> None:
    ran = _ran(exit_).model_copy(update={"stopped_by": stopped_by})

    judged = judge_check("make test", "a" * 40, ran, (), None)

    assert judged.state == "unrunnable"
    assert tell_end(judged.exit, judged.stopped_by) == told
    assert is_killed(ran) is again


@pytest.mark.parametrize(
    ("printed", "names", "why"),
    [
        ({"files": 2, "failing": ["b", "a"]}, ("a", "b"), ""),
        ({"files": 0, "failing": []}, (), "wrote no file that junit = 'r.xml' finds"),
        ({"files": 1, "failing": []}, (), "name no failing test"),
        ("Traceback ... ParseError", (), "could not be read"),
        ({"files": 1, "failing": None}, (), "could not be read"),
        ([1], (), "could not be read"),
    ],
)
def test_names_are_known_or_it_is_said_why_not(
    printed: Any,  # JSON of any shape
    names: tuple[str, ...],
    why: str,
) -> None:
    text = printed if isinstance(printed, str) else json.dumps(printed)

    known, unknown = read_names(text, "r.xml")

    assert known == names
    assert why in unknown
    assert bool(known) != bool(unknown)
