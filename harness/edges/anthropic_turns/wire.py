"""A conversation as a Messages request: the same conversation is always the same bytes.

Four cache breakpoints, which is all that a request may have: after system and tools, after the
brief, and after the last two things we said. The last but one is where the previous turn wrote the
cache, so that a turn with many calls does not outrun the vendor's look-back of 20 blocks.
(https://platform.claude.com/docs/en/build-with-claude/prompt-caching)
"""

from __future__ import annotations

import json

from harness.edges.told import Json, compact
from harness.facts.turns import CallResult, Conversation, Heard, Message, Prompted, Returned, Tools

REPLY_TOOL = "reply"
_BREAKPOINT = {"type": "ephemeral"}
_VENDOR_TOOLS: tuple[Json, ...] = (
    {"type": "bash_20250124", "name": "bash"},
    {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"},
)
_NOTHING_PRINTED = "(no output)"  # an empty text block is refused


def render(conversation: Conversation) -> Json:
    """The request's body, `stream` apart."""
    body: Json = {
        "model": conversation.pin.model,
        "max_tokens": conversation.max_tokens,
        "thinking": {"type": "adaptive"},
        "output_config": {"effort": conversation.pin.effort},
        "system": [{"type": "text", "text": conversation.system, "cache_control": _BREAKPOINT}],
        "messages": _messages(conversation.messages),
    }
    schema = json.loads(conversation.reply.schema_text)
    if conversation.tools is Tools.NOTHING:
        body["output_config"]["format"] = {"type": "json_schema", "schema": schema}
    else:
        body["tools"] = [*_VENDOR_TOOLS, _reply_tool(conversation, schema)]
        body["tool_choice"] = {"type": "auto"}
    return body


def rendered_bytes(conversation: Conversation) -> int:
    """How long the request is on the wire."""
    return len(compact(render(conversation)).encode())


def _reply_tool(conversation: Conversation, schema: Json) -> Json:
    return {
        "name": REPLY_TOOL,
        "description": conversation.reply.description,
        "strict": True,
        "input_schema": schema,
    }


def _messages(messages: tuple[Message, ...]) -> list[Json]:
    told: list[Json] = []
    for message in messages:
        role, blocks = _blocks(message)
        if not blocks:  # an empty turn cannot be sent back, and says nothing
            continue
        if told and told[-1]["role"] == role == "user":
            told[-1]["content"].extend(blocks)
        else:
            told.append({"role": role, "content": blocks})
    _mark(told)
    return told


def _blocks(message: Message) -> tuple[str, list[Json]]:
    match message:
        case Prompted():
            return "user", [{"type": "text", "text": message.text}]
        case Heard():
            return "assistant", [b for b in json.loads(message.content) if not _is_empty_text(b)]
        case Returned():
            return "user", [_result(result) for result in message.results]


def _is_empty_text(block: Json) -> bool:
    return block["type"] == "text" and not block["text"].strip()


def _result(result: CallResult) -> Json:
    return {
        "type": "tool_result",
        "tool_use_id": result.call_id,
        "content": [{"type": "text", "text": _said(result)}],
        "is_error": result.is_error,
    }


def _said(result: CallResult) -> str:
    said = result.output if result.output.strip() else _NOTHING_PRINTED
    shown = result.tool == "shell" and result.exit
    return f"{said}\n[exit code {result.exit}]" if shown else said


def _mark(told: list[Json]) -> None:
    ours = [message for message in told if message["role"] == "user"]
    for message in [*ours[:1], *ours[1:][-2:]]:
        message["content"][-1]["cache_control"] = _BREAKPOINT
