from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Literal

import pytest

from harness.edges.editing import read_editor
from harness.facts.moves import Editor, ExchangeLimits
from harness.facts.turns import Call, Tools
from harness.facts.workbench import Ran
from harness.rules.calls import command_line, find_fault, plan_command, word_result

EDITOR = Editor(python="/usr/bin/python3", program="...")
LIMITS = ExchangeLimits(command_seconds=600, result_bytes=30_000)


def make_call(tool: Any, **arguments: object) -> Call:
    return Call(id="c1", tool=tool, name="bash", arguments=json.dumps(arguments))


@pytest.mark.parametrize(
    ("wanted", "given"), [(0, 600), (30, 30), (10_000, 600)], ids=["none", "shorter", "longer"]
)
def test_a_shell_call_runs_by_bash_for_as_long_as_it_may(wanted: int, given: int) -> None:
    call = make_call("shell", command="make check | tail", timeout_seconds=wanted)

    command = plan_command(call, EDITOR, LIMITS)

    assert command.argv == ("bash", "-c", "make check | tail")
    assert command.seconds == given
    assert not command.network
    assert command_line(call) == "make check | tail"


def test_an_edit_is_a_program_with_its_question_on_standard_input() -> None:
    call = make_call("replace", path="a.py", old="x", new="y")

    command = plan_command(call, EDITOR, LIMITS)

    assert command.argv == ("/usr/bin/python3", "-I", "-c", "...")
    assert json.loads(command.stdin) == {
        "tool": "replace",
        "arguments": {"path": "a.py", "old": "x", "new": "y"},
        "bytes": 29_000,
    }
    assert command_line(call) == ""


def test_a_planned_edit_does_what_it_says(tmp_path: Path) -> None:
    call = make_call("create", path="src/a.py", text="caf\u00e9 \ud83d\ude00\n")

    command = plan_command(call, read_editor(), LIMITS)
    subprocess.run(command.argv, input=command.stdin, cwd=tmp_path, text=True, check=True)

    assert (tmp_path / "src/a.py").read_text("utf-8") == "caf\u00e9 \U0001f600\n"


@pytest.mark.parametrize(
    ("call", "tools", "says"),
    [
        (make_call("shell", command="ls"), Tools.NOTHING, "no tools here"),
        (make_call("restart"), Tools.READ, "Nothing to restart"),
        (make_call("unknown", query="x"), Tools.EDIT, "no call that can be made here"),
        (make_call("create", path="a", text="b"), Tools.READ, "nothing may be edited here"),
        (make_call("remove", path="a"), Tools.READ, "nothing may be edited here"),
        (make_call("shell"), Tools.EDIT, "command: Field required"),
        (make_call("shell", command=["ls"]), Tools.EDIT, "command: Input should be a valid string"),
        (make_call("shell", command="  "), Tools.EDIT, "the command is empty"),
        (make_call("shell", command="a\0b"), Tools.EDIT, "NUL"),
        (make_call("view", path="a", start_line="1"), Tools.READ, "start_line: "),
        (make_call("insert", path="a", text="b"), Tools.EDIT, "after_line: Field required"),
    ],
)
def test_what_cannot_be_run_says_why(call: Call, tools: Tools, says: str) -> None:
    assert says in find_fault(call, tools)


def test_arguments_that_are_no_json_are_a_fault() -> None:
    call = Call(id="c1", tool="shell", name="bash", arguments="ls -la")

    assert "Invalid JSON" in find_fault(call, Tools.READ)


@pytest.mark.parametrize(
    ("call", "tools"),
    [
        (make_call("shell", command="ls", timeout_seconds=0), Tools.READ),
        (make_call("view", path="a", start_line=0, end_line=0), Tools.READ),
        (make_call("patch", path="a", diff="+x"), Tools.EDIT),
    ],
)
def test_what_can_be_run_has_no_fault(call: Call, tools: Tools) -> None:
    assert find_fault(call, tools) == ""


def test_a_failing_command_is_a_result_and_no_error() -> None:
    call = make_call("shell", command="pytest")

    result = word_result(call, Ran(exit=1, output="1 failed\n", seconds=1, stopped_by=""))

    assert (result.output, result.exit, result.is_error) == ("1 failed\n", 1, False)


@pytest.mark.parametrize(
    ("stopped_by", "says"), [("time", "longer"), ("memory", "memory"), ("output", "printed")]
)
def test_a_stopped_command_says_by_which_limit(
    stopped_by: Literal["time", "memory", "output"], says: str
) -> None:
    ran = Ran(exit=137, output="half\n", seconds=1, stopped_by=stopped_by)

    result = word_result(make_call("shell", command="x"), ran)

    assert result.is_error
    assert result.output.startswith("half\n[stopped: it ")
    assert says in result.output


def test_a_refused_edit_is_an_error() -> None:
    ran = Ran(exit=1, output="Not done: a.py does not exist\n", seconds=0, stopped_by="")

    assert word_result(make_call("replace", path="a.py", old="x", new="y"), ran).is_error
