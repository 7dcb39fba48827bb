from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import httpx2
import pytest

from harness.edges.anthropic_turns import AnthropicTurns
from harness.edges.openai_turns import OpenAITurns
from harness.facts.turns import CallResult, Heard, Returned
from harness.rehearsal.models import ModelDouble, Recorded, Tale, on, reply, say, shell

BRIEF = "exchange: review demo/shop#1 round 1\nPlease look."
HEADERS = {"authorization": "Bearer key", "anthropic-version": "2026-10-21"}
Body = dict[str, Any]


@pytest.fixture(scope="module")
def models() -> Iterator[ModelDouble]:
    tale = Tale(on("review *", say("I look.", shell("ls")), reply({"verdict": "approve"}), ...))
    with ModelDouble(tale) as double:
        yield double


_SECOND: dict[str, Recorded] = {}


def second_request(models: ModelDouble, provider: str, clock: Any, converse: Any) -> Recorded:
    """A request with an answered call and reasoning in it; asked for once."""
    if provider not in _SECOND:
        _SECOND[provider] = ask_twice(models, provider, clock, converse)
    return _SECOND[provider]


def ask_twice(models: ModelDouble, provider: str, clock: Any, converse: Any) -> Recorded:
    kind = {"anthropic": AnthropicTurns, "openai": OpenAITurns}[provider]
    with closing(kind(lambda: "key", models.url, clock=clock)) as turns:
        conversation = converse(provider, BRIEF)
        turn = turns.ask(conversation)
        results = (
            CallResult(call_id=turn.calls[0].id, tool="shell", output="a.py", is_error=False),
        )
        said = (Heard(content=turn.content), Returned(results=results))
        messages = (*conversation.messages, *said)
        turns.ask(conversation.model_copy(update={"messages": messages}))
    return models.requests[-1]


def post(models: ModelDouble, path: str, body: Any, **headers: str) -> httpx2.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx2.post(models.url + path, content=content, headers=HEADERS | headers)


def change(path: str, value: Any) -> Callable[[Body], None]:
    """Set the value at a dotted path; `...` removes it."""

    def bend(body: Any) -> None:
        *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
        for step in steps:
            body = body[step]
        if value is ...:
            del body[last]
        elif last == 99:
            body.append(value)
        else:
            body[last] = value

    return bend


LOOSE = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}
OPEN = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
MARK = {"type": "ephemeral"}
USED_ID = "messages.1.content.2.id"

BY_ANTHROPIC: list[tuple[str, Callable[[Body], None], str]] = [
    ("no max_tokens", change("max_tokens", ...), "max_tokens: Field required"),
    ("max_tokens too high", change("max_tokens", 1_000_000), "max_tokens"),
    ("unknown field", change("temprature", 1), "temprature: Extra inputs"),
    ("sampling is gone", change("temperature", 0.5), "temperature: Extra inputs"),
    ("unknown field inside", change("messages.0.content.0.colour", "red"), "colour: Extra"),
    ("number as text", change("max_tokens", "800"), "max_tokens"),
    ("wrong role", change("messages.0.role", "system"), "messages.0.role"),
    ("starts with the assistant", change("messages.0", ...), "first message must use the 'user'"),
    ("ends with the assistant", change("messages.2", ...), "prefill"),
    (
        "result missing",
        change("messages.2.content.0", {"type": "text", "text": "x"}),
        "without `tool_result`",
    ),
    (
        "result of nothing",
        change("messages.2.content.0.tool_use_id", "toolu_x"),
        "without `tool_result`",
    ),
    (
        "result before its use",
        change("messages.0.content.99", {"type": "tool_result", "tool_use_id": "t"}),
        "unexpected `tool_use_id`",
    ),
    (
        "text before the result",
        lambda body: body["messages"][2]["content"].insert(0, {"type": "text", "text": "x"}),
        "must come first",
    ),
    (
        "result given twice",
        lambda body: body["messages"][2]["content"].append(body["messages"][2]["content"][0]),
        "single result",
    ),
    (
        "thinking altered",
        change("messages.1.content.0.thinking", "Other."),
        "Invalid `signature` in `thinking`",
    ),
    (
        "signature altered",
        change("messages.1.content.0.signature", "AAAA"),
        "Invalid `signature` in `thinking`",
    ),
    ("thinking dropped", change("messages.1.content.0", ...), "cannot be modified"),
    ("thinking of another model", change("model", "claude-sonnet-5-5"), "Invalid `signature`"),
    (
        "thinking by the user",
        change("messages.0.content.99", {"type": "thinking", "thinking": "", "signature": ""}),
        "cannot be in `user`",
    ),
    ("empty text", change("messages.0.content.0.text", " "), "non-whitespace"),
    ("empty system", change("system.0.text", ""), "non-empty"),
    ("empty result", change("messages.2.content.0.content.0.text", ""), "non-empty"),
    ("empty message", change("messages.1.content", []), "non-empty content"),
    (
        "empty error",
        lambda body: body["messages"][2]["content"][0].update(content=[], is_error=True),
        "cannot be empty",
    ),
    (
        "fifth breakpoint",
        lambda body: [tool.update(cache_control=MARK) for tool in body["tools"]],
        "A maximum of 4",
    ),
    (
        "long life after short",
        change("messages.2.content.0.cache_control", {**MARK, "ttl": "1h"}),
        "must not come after",
    ),
    ("schema too rich", change("tools.2.input_schema", LOOSE), "schema:"),
    ("open schema", change("tools.2.input_schema", OPEN), "additionalProperties"),
    (
        "format too rich",
        change("output_config.format", {"type": "json_schema", "schema": OPEN}),
        "additionalProperties",
    ),
    ("tool twice", change("tools.0", {"name": "reply", "input_schema": {}}), "unique"),
    ("tool with a bad name", change("tools.2.name", "my reply"), "tools:"),
    ("choice without tools", lambda body: (body.pop("tools"), None), "tool_choice"),
    ("effort unknown", change("output_config.effort", "extreme"), "output_config.effort"),
    (
        "thinking by budget",
        change("thinking", {"type": "enabled", "budget_tokens": 2000}),
        "thinking",
    ),
]


def judged(models: ModelDouble, request: Recorded, bend: Callable[[Body], None]) -> httpx2.Response:
    body = copy.deepcopy(request.body)
    bend(body)
    return post(models, request.path, body)


@pytest.mark.parametrize(
    ("bend", "said"), [one[1:] for one in BY_ANTHROPIC], ids=[one[0] for one in BY_ANTHROPIC]
)
def test_what_anthropic_refuses_is_refused(
    bend: Callable[[Body], None], said: str, models: ModelDouble, clock: Any, converse: Any
) -> None:
    request = second_request(models, "anthropic", clock, converse)

    answer = judged(models, request, bend)

    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "invalid_request_error"
    assert said in answer.json()["error"]["message"]


REASONED = {"type": "reasoning", "id": "rs_9", "summary": [], "encrypted_content": "x.y"}
CALLED = {"type": "function_call", "call_id": "c9", "name": "reply", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c9", "output": ""}

BY_OPENAI: list[tuple[str, Callable[[Body], None], str]] = [
    ("unknown field", change("temprature", 1), "temprature: Extra inputs"),
    ("unknown field inside", change("input.0.colour", "red"), "colour: Extra inputs"),
    ("earlier response", change("previous_response_id", "resp_1"), "previous_response_id"),
    ("no input", change("input", []), "input"),
    ("wrong role", change("input.0.role", "tool"), "role"),
    ("number as text", change("max_output_tokens", "800"), "max_output_tokens"),
    ("unknown item", change("input.99", {"type": "song"}), "input.5: Input tag 'song'"),
    ("output missing", change("input.4", ...), "No tool output found"),
    ("output of nothing", change("input.99", OUTPUT), "No tool call found"),
    ("output of another kind", change("input.4", OUTPUT | {"call_id": "?"}), "No tool call found"),
    ("output twice", lambda body: body["input"].append(body["input"][4]), "Duplicate"),
    (
        "output before its call",
        lambda body: body["input"].extend([OUTPUT, CALLED]),
        "No tool call found",
    ),
    ("output without a part", change("input.4.output", []), "output"),
    (
        "reasoning altered",
        change("input.1.encrypted_content", "QUJD.AAAA"),
        "could not be verified",
    ),
    ("reasoning not carried", change("input.1.encrypted_content", None), "not persisted"),
    ("reasoning dropped", change("input.1", ...), "without its required 'reasoning' item"),
    ("reasoning alone", change("input.99", REASONED), "without its required following item"),
    ("reasoning of another model", change("model", "gpt-6-astra"), "could not be verified"),
    ("schema too rich", change("tools.2.parameters", LOOSE), "Invalid schema for 'reply'"),
    (
        "format too rich",
        change(
            "text", {"format": {"type": "json_schema", "name": "x", "strict": True, "schema": OPEN}}
        ),
        "Invalid schema",
    ),
    ("tool with a bad name", change("tools.2.name", "my reply"), "Invalid 'name'"),
    ("tool not said to be strict", change("tools.2.strict", ...), "strict"),
    ("effort unknown", change("reasoning.effort", "extreme"), "effort"),
    ("cache key too long", change("prompt_cache_key", "x" * 65), "prompt_cache_key"),
]


@pytest.mark.parametrize(
    ("bend", "said"), [one[1:] for one in BY_OPENAI], ids=[one[0] for one in BY_OPENAI]
)
def test_what_openai_refuses_is_refused(
    bend: Callable[[Body], None], said: str, models: ModelDouble, clock: Any, converse: Any
) -> None:
    request = second_request(models, "openai", clock, converse)

    answer = judged(models, request, bend)

    assert answer.status_code == 400
    assert said in answer.json()["error"]["message"]


def test_what_was_not_bent_is_answered(models: ModelDouble, clock: Any, converse: Any) -> None:
    for provider in ("anthropic", "openai"):
        request = second_request(models, provider, clock, converse)

        assert judged(models, request, lambda body: None).status_code == 200


def test_without_a_key_nothing_is_answered(models: ModelDouble) -> None:
    for path in ("/v1/messages", "/v1/responses"):
        answer = post(models, path, {}, authorization="Bearer")

        assert answer.status_code == 401


def test_without_a_version_anthropic_does_not_answer(models: ModelDouble) -> None:
    headers = {"x-api-key": "key"}

    answer = httpx2.post(models.url + "/v1/messages", content=b"{}", headers=headers)

    assert "anthropic-version" in answer.json()["error"]["message"]


@pytest.mark.parametrize("raw", [b"{", b"[]", b""])
def test_a_body_that_is_none_is_refused(raw: bytes, models: ModelDouble) -> None:
    assert post(models, "/v1/messages", raw).status_code == 400
    assert post(models, "/responses", raw).status_code == 400


def test_another_path_is_not_there(models: ModelDouble) -> None:
    assert post(models, "/v1/complete", {}).status_code == 404
