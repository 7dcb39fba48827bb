"""Anthropic's tool calls in the harness's words; what does not fit its tool is `unknown`."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.edges.anthropic_turns.wire import REPLY_TOOL
from harness.edges.told import Json, compact
from harness.facts.turns import Call


class _Input(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class _Bash(_Input):
    command: str = ""
    restart: bool = False


class _View(_Input):
    command: Literal["view"]
    path: str
    view_range: list[int] | None = Field(default=None, min_length=2, max_length=2)


class _Create(_Input):
    command: Literal["create"]
    path: str
    file_text: str


class _Replace(_Input):
    command: Literal["str_replace"]
    path: str
    old_str: str
    new_str: str = ""


class _Insert(_Input):
    command: Literal["insert"]
    path: str
    insert_line: int
    insert_text: str


_EDITS: dict[str, type[_View | _Create | _Replace | _Insert]] = {
    "view": _View,
    "create": _Create,
    "str_replace": _Replace,
    "insert": _Insert,
}


def normalise(call_id: str, name: str, sent: Json | None, raw: str) -> Call:
    """The call as rules know it; `sent` is None when `raw` is no JSON object."""
    if name == REPLY_TOOL:
        return Call(id=call_id, tool="reply", name=name, arguments=raw)
    try:
        match name:
            case "bash":
                return _shell(call_id, name, _Bash.model_validate(sent))
            case "str_replace_based_edit_tool":
                kind = _EDITS[str((sent or {}).get("command"))]
                return _edit(call_id, name, kind.model_validate(sent))
    except (KeyError, ValidationError):
        pass
    return Call(id=call_id, tool="unknown", name=name, arguments=raw)


def _shell(call_id: str, name: str, sent: _Bash) -> Call:
    if sent.restart:
        return Call(id=call_id, tool="restart", name=name, arguments="{}")
    arguments = compact({"command": sent.command, "timeout_seconds": 0})
    return Call(id=call_id, tool="shell", name=name, arguments=arguments)


def _edit(call_id: str, name: str, sent: _View | _Create | _Replace | _Insert) -> Call:
    match sent:
        case _View():
            start, end = sent.view_range or [0, 0]
            arguments = {"path": sent.path, "start_line": start, "end_line": max(0, end)}
            return Call(id=call_id, tool="view", name=name, arguments=compact(arguments))
        case _Create():
            arguments = {"path": sent.path, "text": sent.file_text}
            return Call(id=call_id, tool="create", name=name, arguments=compact(arguments))
        case _Replace():
            arguments = {"path": sent.path, "old": sent.old_str, "new": sent.new_str}
            return Call(id=call_id, tool="replace", name=name, arguments=compact(arguments))
        case _Insert():
            arguments = {
                "path": sent.path,
                "after_line": sent.insert_line,
                "text": sent.insert_text,
            }
            return Call(id=call_id, tool="insert", name=name, arguments=compact(arguments))
