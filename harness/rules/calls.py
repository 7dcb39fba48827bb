"""A tool call as a command of the workbench, and what the command came to as the call's result.

Viewing and editing are commands too: the harness opens nothing in a work tree, it sends a program
(`Editor`) that does it inside the sandbox.
"""

from __future__ import annotations

import json
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.facts.moves import Editor, ExchangeLimits
from harness.facts.turns import Call, CallResult, Tools
from harness.facts.workbench import Command, Ran

_EDIT_SECONDS = 60.0
RESTARTED = (
    "Nothing to restart: every command runs in a fresh shell at the root of the work tree, and "
    "nothing of the one before goes on running."
)
WITHHELD = (
    "Not run: this holds one of the harness's own secrets, which was masked. Do without it, and "
    "say in your answer where you found it."
)
NO_TOOLS = "There are no tools here: answer with the reply alone."
NO_EDITS = (
    "Not done: nothing may be edited here. The shell works on a copy that is thrown away in the "
    "end; change files there if an experiment needs it."
)


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class _Shell(_Arguments):
    command: str
    timeout_seconds: float = 0


class _View(_Arguments):
    path: str
    start_line: int = 0
    end_line: int = 0


class _Create(_Arguments):
    path: str
    text: str


class _Replace(_Arguments):
    path: str
    old: str
    new: str


class _Insert(_Arguments):
    path: str
    after_line: int
    text: str


class _Patch(_Arguments):
    path: str
    diff: str


class _Remove(_Arguments):
    path: str


_SHAPES: dict[str, type[_Arguments]] = {
    "shell": _Shell,
    "view": _View,
    "create": _Create,
    "replace": _Replace,
    "insert": _Insert,
    "patch": _Patch,
    "remove": _Remove,
}
_READING = {"shell", "view"}


def find_fault(call: Call, tools: Tools) -> str:
    """Why this call is answered without being run, "" when it can be."""
    if tools is Tools.NOTHING:
        return NO_TOOLS
    if call.tool == "restart":
        return RESTARTED
    if call.tool == "withheld":
        return WITHHELD
    shape = _SHAPES.get(call.tool)
    if shape is None:
        return f"Not run: `{call.name}` with these arguments is no call that can be made here."
    if tools is Tools.READ and call.tool not in _READING:
        return NO_EDITS
    try:
        arguments = shape.model_validate_json(call.arguments)
    except ValidationError as error:
        return f"Not run: the arguments of `{call.name}` do not fit: {_first(error)}"
    if "\0" in command_line(call):
        return "Not run: a command cannot hold NUL characters."
    if isinstance(arguments, _Shell) and not arguments.command.strip():
        return "Not run: the command is empty."
    return ""


def plan_command(call: Call, editor: Editor, limits: ExchangeLimits) -> Command:
    """The command that does what this call asks; only for calls without a fault."""
    if call.tool == "shell":
        shell = _Shell.model_validate_json(call.arguments)
        wanted = shell.timeout_seconds if shell.timeout_seconds > 0 else limits.command_seconds
        return Command(
            argv=("bash", "-c", shell.command), seconds=min(wanted, limits.command_seconds)
        )
    question = {
        "tool": call.tool,
        "arguments": _SHAPES[call.tool].model_validate_json(call.arguments).model_dump(),
        "bytes": limits.result_bytes - 1_000,
    }
    return Command(
        argv=(editor.python, "-I", "-c", editor.program),
        stdin=json.dumps(question),
        seconds=min(_EDIT_SECONDS, limits.command_seconds),
    )


def command_line(call: Call) -> str:
    """What a shell call ran, as evidence may name it; "" for every other call."""
    if call.tool != "shell":
        return ""
    return _Shell.model_validate_json(call.arguments).command


def may_change_tree(call: Call) -> bool:
    """Whether the tree has to be looked at again after this call."""
    return call.tool != "view"


def word_result(call: Call, ran: Ran) -> CallResult:
    """What the call came to, `output` as the workbench gave it; a shell's exit code is no error."""
    stopped = _STOPPED[ran.stopped_by]
    output = f"{ran.output.rstrip()}\n[{stopped}]".lstrip() if stopped else ran.output
    failed = bool(stopped) or (call.tool != "shell" and ran.exit != 0)
    return CallResult(
        call_id=call.id, tool=call.tool, output=output, is_error=failed, exit=ran.exit
    )


_STOPPED: dict[Literal["", "time", "memory", "processes", "disk", "output"], str] = {
    "": "",
    "time": "stopped: it ran longer than it may",
    "memory": "stopped: it used more memory than it may",
    "processes": "stopped: it started more processes than it may",
    "disk": "stopped: it wrote more to disk than it may",
    "output": "stopped: it printed more than it may",
}


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "arguments"
    return f"{where}: {first['msg']}"
