"""A conversation as a Responses request: the same conversation is always the same bytes.

Nothing is stored at the vendor: every request carries all items, the encrypted reasoning among
them. The vendor caches prefixes by itself; the exchange is the key that keeps them together.
"""

from __future__ import annotations

import json

from harness.edges.openai_turns.calls import REPLY_TOOL, call_ids
from harness.edges.told import Json, compact
from harness.facts.turns import (
    CallResult,
    Conversation,
    Heard,
    Message,
    Prompted,
    Returned,
    Tools,
)

_SHELL: Json = {"type": "shell", "environment": {"type": "local"}}
_PATCH: Json = {"type": "apply_patch"}
_TOOLS: dict[Tools, tuple[Json, ...]] = {
    Tools.NOTHING: (),
    Tools.READ: (_SHELL,),
    Tools.EDIT: (_SHELL, _PATCH),
}


def render(conversation: Conversation) -> Json:
    """The request's body, `stream` apart."""
    body: Json = {
        "model": conversation.pin.model,
        "instructions": conversation.system,
        "input": _items(conversation.messages),
        "max_output_tokens": conversation.max_tokens,
        "reasoning": {"effort": conversation.pin.effort},
        "include": ["reasoning.encrypted_content"],
        "store": False,
        "prompt_cache_key": conversation.exchange_id,
    }
    schema = json.loads(conversation.reply.schema_text)
    if conversation.tools is Tools.NOTHING:
        body["text"] = {"format": _format(conversation, schema)}
    else:
        body["tools"] = [*_TOOLS[conversation.tools], _reply_tool(conversation, schema)]
        body["tool_choice"] = "auto"
    return body


def rendered_bytes(conversation: Conversation) -> int:
    """How long the request is on the wire."""
    return len(compact(render(conversation)).encode())


def _format(conversation: Conversation, schema: Json) -> Json:
    return {
        "type": "json_schema",
        "name": conversation.reply.name,
        "description": conversation.reply.description,
        "strict": True,
        "schema": schema,
    }


def _reply_tool(conversation: Conversation, schema: Json) -> Json:
    return {
        "type": "function",
        "name": REPLY_TOOL,
        "description": conversation.reply.description,
        "strict": True,
        "parameters": schema,
    }


def _items(messages: tuple[Message, ...]) -> list[Json]:
    items: list[Json] = []
    heard: list[Json] = []
    for message in messages:
        match message:
            case Prompted():
                items.append({"role": "user", "content": message.text})
            case Heard():
                heard = json.loads(message.content)
                items.extend(heard)
            case Returned():
                items.extend(_outputs(heard, {r.call_id: r for r in message.results}))
    return items


def _outputs(heard: list[Json], results: dict[str, CallResult]) -> list[Json]:
    """One output for each call that was answered, in the vendor's order."""
    answered = ((item, [results[i] for i in call_ids(item) if i in results]) for item in heard)
    return [_output(item, told) for item, told in answered if told]


def _output(item: Json, told: list[CallResult]) -> Json:
    match item["type"]:
        case "shell_call":
            return _shell_output(item, told)
        case "apply_patch_call":
            return {
                "type": "apply_patch_call_output",
                "call_id": item["call_id"],
                "status": "failed" if told[0].is_error else "completed",
                "output": told[0].output,
            }
        case _:
            return {
                "type": "function_call_output",
                "call_id": item["call_id"],
                "output": told[0].output,
            }


def _shell_output(item: Json, told: list[CallResult]) -> Json:
    """The vendor cuts what is too long itself, when its own limit is handed back.

    Source: https://developers.openai.com/api/docs/guides/tools-shell
    """
    output: Json = {
        "type": "shell_call_output",
        "call_id": item["call_id"],
        "output": [
            {
                "stdout": one.output,
                "stderr": "",
                "outcome": {"type": "exit", "exit_code": _exit(one)},
            }
            for one in told
        ],
    }
    action = item.get("action")
    limit = action.get("max_output_length") if isinstance(action, dict) else None
    if limit is not None:
        output["max_output_length"] = limit
    return output


def _exit(result: CallResult) -> int:
    return result.exit if result.exit is not None else int(result.is_error)
