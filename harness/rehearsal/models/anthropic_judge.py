"""What Anthropic refuses in a request whose shape is right.

Sources: platform.claude.com/docs/en/build-with-claude/ prompt-caching, thinking, structured-outputs
and platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from harness.rehearsal.models.anthropic_request import (
    Custom,
    Message,
    MessagesRequest,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
)
from harness.rehearsal.models.refusal import Refusal
from harness.rehearsal.models.seals import is_signed
from harness.rules.strictness import name_faults, request_faults, schema_faults

BREAKPOINTS = 4
_NO_PREFILL = (
    "This model does not support assistant message prefill. The conversation must end with a user"
    " message."
)
THOUGHT = "t"  # the last letter of a tool use's id when thinking came before it


def judge_messages(request: MessagesRequest, *, was_paused: Callable[[Message], bool]) -> None:
    """Refusal 400 with the first thing that the vendor would not accept."""
    for judge in (_schemas, _roles, _texts, _tool_pairs, _thoughts, _breakpoints):
        if fault := next(judge(request), None):
            raise Refusal(400, "invalid_request_error", fault)
    if request.messages[-1].role == "assistant" and not was_paused(request.messages[-1]):
        raise Refusal(400, "invalid_request_error", _NO_PREFILL)


def _schemas(request: MessagesRequest) -> Iterator[str]:
    strict = [tool for tool in request.tools if isinstance(tool, Custom) and tool.strict]
    schemas = [tool.input_schema for tool in strict]
    if request.output_config and request.output_config.format:
        schemas.append(request.output_config.format.schema_)
    names = [tool.name for tool in request.tools]
    if len(set(names)) != len(names):
        yield "tools: Tool names must be unique."
    yield from (f"tools: {fault}" for name in names for fault in name_faults(name))
    yield from (f"schema: {fault}" for schema in schemas for fault in schema_faults(schema))
    yield from (f"schema: {fault}" for fault in request_faults(schemas))
    if request.tool_choice and not request.tools:
        yield "tool_choice may only be specified while providing tools."


def _roles(request: MessagesRequest) -> Iterator[str]:
    if request.messages[0].role != "user":
        yield "messages: first message must use the 'user' role"
    for at, message in enumerate(request.messages[:-1]):
        if not message.blocks:
            yield f"messages.{at}: all messages must have non-empty content"
    for at, message in enumerate(request.messages):
        wrong = ToolUse | Thinking if message.role == "user" else ToolResult
        for n, block in enumerate(message.blocks):
            if isinstance(block, wrong):
                yield (
                    f"messages.{at}.content.{n}: `{block.type}` blocks cannot be in"
                    f" `{message.role}` messages"
                )


def _texts(request: MessagesRequest) -> Iterator[str]:
    systems = request.system if isinstance(request.system, list) else []
    for n, text in enumerate(systems):
        if not text.text:
            yield f"system.{n}: text content blocks must be non-empty"
    for at, message in enumerate(request.messages):
        for n, block in enumerate(message.blocks):
            place = f"messages.{at}.content.{n}"
            if isinstance(block, Text) and not block.text.strip():
                yield f"{place}: text content blocks must contain non-whitespace text"
            if isinstance(block, ToolResult) and block.is_error and not block.content:
                yield f"{place}.tool_result: content cannot be empty if `is_error` is true"
            for inner in block.content if isinstance(block, ToolResult) else ():
                if isinstance(inner, Text) and not inner.text:
                    yield f"{place}.tool_result: text content blocks must be non-empty"


def _tool_pairs(request: MessagesRequest) -> Iterator[str]:
    asked: list[str] = []
    for at, message in enumerate(request.messages):
        results = [block for block in message.blocks if isinstance(block, ToolResult)]
        given = [result.tool_use_id for result in results]
        if message.role == "user":
            if missing := [one for one in asked if one not in given]:
                yield (
                    f"messages.{at - 1}: `tool_use` ids were found without `tool_result` blocks"
                    f" immediately after: {', '.join(missing)}."
                )
            if unasked := [one for one in given if one not in asked]:
                yield (
                    f"messages.{at}: unexpected `tool_use_id` found in `tool_result` blocks:"
                    f" {', '.join(unasked)}."
                )
            if len(set(given)) != len(given):
                yield f"messages.{at}: each tool_use must have a single result."
            if message.blocks[: len(results)] != results:
                yield f"messages.{at}: `tool_result` blocks must come first in the content."
        asked = [block.id for block in message.blocks if isinstance(block, ToolUse)]


def _thoughts(request: MessagesRequest) -> Iterator[str]:
    for at, message in enumerate(request.messages):
        for n, block in enumerate(message.blocks):
            if isinstance(block, Thinking) and not is_signed(
                block.signature, request.model, block.thinking
            ):
                yield f"messages.{at}.content.{n}: Invalid `signature` in `thinking` block"
        uses = [block for block in message.blocks if isinstance(block, ToolUse)]
        thought = any(isinstance(block, Thinking) for block in message.blocks)
        if not thought and any(use.id.endswith(THOUGHT) for use in uses):
            yield f"messages.{at}: `thinking` blocks in an assistant message cannot be modified."


def _breakpoints(request: MessagesRequest) -> Iterator[str]:
    cacheable = [*request.tools, *(request.system if isinstance(request.system, list) else ())]
    blocks = [block for message in request.messages for block in message.blocks]
    marks = [
        block.cache_control
        for block in [*cacheable, *blocks]
        if not isinstance(block, Thinking) and block.cache_control
    ]
    if len(marks) > BREAKPOINTS:
        yield (
            f"A maximum of {BREAKPOINTS} blocks with cache_control may be provided."
            f" Found {len(marks)}."
        )
    lives = [mark.ttl for mark in marks]
    if "1h" in lives[lives.index("5m") :] if "5m" in lives else False:
        yield "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block."
