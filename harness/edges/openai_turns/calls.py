"""OpenAI's tool calls in the harness's words.

A shell call may hold several commands, each with an output of its own: each becomes a call of its
own, `ID#0`, `ID#1`, ..., and their results go back together under the vendor's one id.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.edges.told import Json, compact, read, said
from harness.facts.turns import Call

REPLY_TOOL = "reply"
_SENT = {"function_call": "arguments", "custom_tool_call": "input"}
_CALLS = {*_SENT, "shell_call", "apply_patch_call"}


class _Action(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    commands: list[str] = Field(min_length=1)
    timeout_ms: int | None = None


class _Operation(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    type: str
    path: str
    diff: str = ""


def call_ids(item: Json) -> tuple[str, ...]:
    """The ids of the calls that this output item is for us, () when it is no call."""
    if said(item, "type") not in _CALLS:
        return ()
    return tuple(call.id for call in normalise(item))


def normalise(item: Json) -> tuple[Call, ...]:
    """The calls that this output item is, as rules know them; () when it is no call."""
    kind = said(item, "type")
    if kind not in _CALLS:
        return ()
    call_id = read(item, "call_id", str)
    if field := _SENT.get(kind):
        return (_named(call_id, kind, read(item, "name", str), read(item, field, str)),)
    try:
        match kind:
            case "shell_call":
                return _shell(call_id, _Action.model_validate(item.get("action")))
            case "apply_patch_call":
                operation = _Operation.model_validate(item.get("operation"))
                if call := _patch(call_id, operation):
                    return (call,)
    except ValidationError:
        pass
    name = kind.removesuffix("_call")
    return (Call(id=call_id, tool="unknown", name=name, arguments=compact(item)),)


def _named(call_id: str, kind: str, name: str, sent: str) -> Call:
    is_reply = kind == "function_call" and name == REPLY_TOOL
    return Call(id=call_id, tool="reply" if is_reply else "unknown", name=name, arguments=sent)


def _shell(call_id: str, action: _Action) -> tuple[Call, ...]:
    seconds = -(-(action.timeout_ms or 0) // 1000)
    single = len(action.commands) == 1
    return tuple(
        Call(
            id=call_id if single else f"{call_id}#{n}",
            tool="shell",
            name="shell",
            arguments=compact({"command": command, "timeout_seconds": seconds}),
        )
        for n, command in enumerate(action.commands)
    )


def _patch(call_id: str, sent: _Operation) -> Call | None:
    match sent.type:
        case "update_file":
            arguments = {"path": sent.path, "diff": sent.diff}
            return Call(id=call_id, tool="patch", name="apply_patch", arguments=compact(arguments))
        case "delete_file":
            arguments = {"path": sent.path}
            return Call(id=call_id, tool="remove", name="apply_patch", arguments=compact(arguments))
        case "create_file" if (text := _created(sent.diff)) is not None:
            arguments = {"path": sent.path, "text": text}
            return Call(id=call_id, tool="create", name="apply_patch", arguments=compact(arguments))
    return None


def _created(diff: str) -> str | None:
    """A new file's text: every line of its diff is an added one; None when one is not."""
    lines = diff.removesuffix("\n").split("\n") if diff else []
    if not all(line.startswith("+") for line in lines):
        return None
    return "".join(f"{line[1:]}\n" for line in lines)
