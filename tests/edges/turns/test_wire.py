from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest

from harness.edges.anthropic_turns.wire import render as render_for_anthropic
from harness.edges.openai_turns.wire import render as render_for_openai
from harness.facts.turns import CallResult, Heard, Prompted, Returned, Stop, Tools
from harness.rehearsal.models import (
    Empty,
    ModelDouble,
    Tale,
    on,
    reply,
    say,
    shell,
    think,
)

STORY = Tale(
    on(
        "review *",
        say(think("Hm."), shell("ls", "pwd")),
        say(shell("ls")),
        reply({"verdict": "n", "n": 0}),
    )
)
RENDER = {"anthropic": render_for_anthropic, "openai": render_for_openai}


def result(call_id: str, output: str, **more: Any) -> CallResult:
    return CallResult(
        **{"call_id": call_id, "tool": "shell", "output": output, "is_error": False} | more
    )


def heard(*items: dict[str, Any]) -> Heard:
    return Heard(content=json.dumps(items))


CLAUDE_SAID = heard(
    {"type": "thinking", "thinking": "Hm.", "signature": "sig"},
    {"type": "text", "text": " \n"},
    {"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {"command": "ls"}},
    {"type": "tool_use", "id": "toolu_2", "name": "reply", "input": {"verdict": "x"}},
)


def test_a_conversation_as_anthropic_gets_it(room: Any) -> None:
    conversation = room.talk("anthropic", "http://x").conversation
    talk = (
        *conversation.messages,
        CLAUDE_SAID,
        Returned(
            results=(
                result("toolu_1", "", exit=2),
                result("toolu_2", "n is missing", is_error=True, tool="reply"),
            )
        ),
        Prompted(text="Please."),
    )

    body = render_for_anthropic(conversation.model_copy(update={"messages": talk}))

    mark = {"type": "ephemeral"}
    schema = json.loads(conversation.reply.schema_text)
    assert body == {
        "model": "claude-opus-5-5",
        "max_tokens": 8_000,
        "thinking": {"type": "adaptive"},
        "output_config": {"effort": "high"},
        "system": [{"type": "text", "text": "You maintain a repository.", "cache_control": mark}],
        "tools": [
            {"type": "bash_20250124", "name": "bash"},
            {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"},
            {
                "name": "reply",
                "description": "Answer here.",
                "strict": True,
                "input_schema": schema,
            },
        ],
        "tool_choice": {"type": "auto"},
        "messages": [
            {
                "role": "user",
                "content": [
                    {
                        "type": "text",
                        "text": "exchange: review demo/shop#1 round 1\nPlease look.",
                        "cache_control": mark,
                    }
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Hm.", "signature": "sig"},
                    {
                        "type": "tool_use",
                        "id": "toolu_1",
                        "name": "bash",
                        "input": {"command": "ls"},
                    },
                    {
                        "type": "tool_use",
                        "id": "toolu_2",
                        "name": "reply",
                        "input": {"verdict": "x"},
                    },
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "toolu_1",
                        "content": [{"type": "text", "text": "(no output)\n[exit code 2]"}],
                        "is_error": False,
                    },
                    {
                        "type": "tool_result",
                        "tool_use_id": "toolu_2",
                        "content": [{"type": "text", "text": "n is missing"}],
                        "is_error": True,
                    },
                    {"type": "text", "text": "Please.", "cache_control": mark},
                ],
            },
        ],
    }


GPT_SAID = heard(
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "xyz"},
    {
        "type": "shell_call",
        "id": "sc_1",
        "call_id": "call_1",
        "status": "completed",
        "action": {"commands": ["ls", "no"], "timeout_ms": 900, "max_output_length": 50},
    },
    {
        "type": "apply_patch_call",
        "id": "ap_1",
        "call_id": "call_2",
        "status": "completed",
        "operation": {"type": "delete_file", "path": "a"},
    },
    {"type": "function_call", "call_id": "call_3", "name": "reply", "arguments": "{}"},
)


def test_a_conversation_as_openai_gets_it(room: Any) -> None:
    conversation = room.talk("openai", "http://x").conversation
    talk = (
        *conversation.messages,
        GPT_SAID,
        Returned(
            results=(
                result("call_1#0", "a.py\n", exit=0),
                result("call_1#1", "not found", exit=127),
                result("call_2", "no such file", is_error=True, tool="remove"),
                result("call_3", "n is missing", is_error=True, tool="reply"),
            )
        ),
        Prompted(text="Please."),
    )

    body = render_for_openai(conversation.model_copy(update={"messages": talk}))

    schema = json.loads(conversation.reply.schema_text)
    assert body == {
        "model": "gpt-6-sol",
        "instructions": "You maintain a repository.",
        "max_output_tokens": 8_000,
        "reasoning": {"effort": "high"},
        "include": ["reasoning.encrypted_content"],
        "store": False,
        "prompt_cache_key": "0123456789abcdef0123456789abcdef",
        "tools": [
            {"type": "shell", "environment": {"type": "local"}},
            {"type": "apply_patch"},
            {
                "type": "function",
                "name": "reply",
                "description": "Answer here.",
                "strict": True,
                "parameters": schema,
            },
        ],
        "tool_choice": "auto",
        "input": [
            {
                "role": "user",
                "content": "exchange: review demo/shop#1 round 1\nPlease look.",
            },
            *json.loads(GPT_SAID.content),
            {
                "type": "shell_call_output",
                "call_id": "call_1",
                "max_output_length": 50,
                "output": [
                    {
                        "stdout": "a.py\n",
                        "stderr": "",
                        "outcome": {"type": "exit", "exit_code": 0},
                    },
                    {
                        "stdout": "not found",
                        "stderr": "",
                        "outcome": {"type": "exit", "exit_code": 127},
                    },
                ],
            },
            {
                "type": "apply_patch_call_output",
                "call_id": "call_2",
                "status": "failed",
                "output": "no such file",
            },
            {"type": "function_call_output", "call_id": "call_3", "output": "n is missing"},
            {"role": "user", "content": "Please."},
        ],
    }


def test_an_exchange_without_tools_asks_for_the_format(provider: Any, room: Any) -> None:
    conversation = room.talk(provider, "http://x", tools=Tools.NOTHING).conversation

    body = RENDER[provider](conversation)

    schema = json.loads(conversation.reply.schema_text)
    wanted = {
        "anthropic": ("output_config", {"type": "json_schema", "schema": schema}),
        "openai": (
            "text",
            {
                "type": "json_schema",
                "name": "review",
                "description": "Answer here.",
                "strict": True,
                "schema": schema,
            },
        ),
    }
    key, shape = wanted[provider]
    assert body[key]["format"] == shape
    assert "tools" not in body
    assert "tool_choice" not in body


def test_the_same_conversation_is_the_same_bytes(provider: Any, room: Any) -> None:
    with ModelDouble(STORY) as models:
        talk = room.talk(provider, models)
        talk.go_on()
        talk.go_on()
        first = talk.ask()
        stored = talk.conversation.model_dump_json()
        resumed = room.talk(provider, models)
        resumed.conversation = type(talk.conversation).model_validate_json(stored)
        second = resumed.ask()
        raws = [request.raw for request in models.requests]

    assert raws[-1] == raws[-2]
    assert second.content == first.content
    assert second.calls == first.calls


def test_a_longer_conversation_begins_with_the_same_bytes(provider: Any, room: Any) -> None:
    with ModelDouble(STORY) as models:
        talk = room.talk(provider, models)
        talk.go_on()
        talk.go_on()
        talk.ask()
        said = [request.body for request in models.requests]

    key = "messages" if provider == "anthropic" else "input"
    bare = [json.dumps(without_marks(body[key]))[:-1] for body in said]
    assert bare[1].startswith(bare[0])
    assert bare[2].startswith(bare[1])
    assert len({json.dumps({**body, key: None}) for body in said}) == 1


def without_marks(value: Any) -> Any:
    if isinstance(value, list):
        return [without_marks(one) for one in value]
    if isinstance(value, dict):
        return {k: without_marks(one) for k, one in value.items() if k != "cache_control"}
    return value


def test_nine_of_ten_tokens_are_cached_over_twenty_turns(provider: Any, room: Any) -> None:
    tale = Tale(on("review *", say(shell("ls")), ...))
    with ModelDouble(tale) as models:
        talk = room.talk(provider, models, brief="x" * 40_000)
        used = [talk.go_on("y" * 3_600).usage for _ in range(20)]

    read = sum(usage.cache_read for usage in used)
    total = sum(usage.total_input for usage in used)
    assert 10_000 <= used[0].total_input <= 10_500
    assert 950 <= (used[-1].total_input - used[0].total_input) / 19 <= 1_050
    assert read / total >= 0.90


def test_a_turn_of_many_calls_does_not_lose_the_cache(room: Any) -> None:
    tale = Tale(on("review *", say(*(shell(f"ls {n}") for n in range(30))), ...))
    with ModelDouble(tale) as models:
        talk = room.talk("anthropic", models, brief="x" * 40_000)
        used = [talk.go_on("y" * 400).usage for _ in range(4)]

    assert all(after.cache_read >= before.total_input * 0.95 for before, after in pairwise(used))


def test_an_empty_turn_can_be_answered(provider: Any, room: Any) -> None:
    with ModelDouble(STORY) as models:
        models.fail(Empty())
        talk = room.talk(provider, models)
        empty = talk.ask()
        talk.add(Heard(content=empty.content), Prompted(text="Answer with `reply`."))
        turn = talk.ask()

    assert (empty.text, empty.calls, empty.stop) == ("", (), Stop.END)
    assert turn.stop is Stop.CALLS


def test_results_without_output_can_be_sent(provider: Any, room: Any) -> None:
    with ModelDouble(STORY) as models:
        talk = room.talk(provider, models)
        talk.go_on("", is_error=True, code=None)
        talk.go_on("   ")
        talk.ask()

    assert [request.status for request in models.requests] == [200, 200, 200]


def test_the_bound_covers_what_is_counted(provider: Any, room: Any) -> None:
    with ModelDouble(STORY) as models:
        talk = room.talk(provider, models, brief="\N{SNOWMAN}" * 500)
        bound = talk.turns.input_bound(talk.conversation)
        raw = len((talk.ask(), models.requests[-1].raw)[1])

    assert raw <= bound + len('"stream":true,')
    assert bound >= raw - len('"stream":true,') + 1_000


LEAKS = {
    "ANTHROPIC_API_KEY": "leak-1",
    "ANTHROPIC_AUTH_TOKEN": "leak-2",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
    "ANTHROPIC_CUSTOM_HEADERS": "X-Leak: leak-3\nAuthorization: Bearer leak-4",
    "OPENAI_API_KEY": "leak-5",
    "OPENAI_ADMIN_KEY": "leak-6",
    "OPENAI_BASE_URL": "http://127.0.0.1:9",
    "OPENAI_ORG_ID": "leak-7",
    "OPENAI_PROJECT_ID": "leak-8",
    "OPENAI_CUSTOM_HEADERS": "X-Leak: leak-9\nAuthorization: Bearer leak-10",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "ALL_PROXY": "http://127.0.0.1:9",
}


def test_nothing_of_the_environment_is_sent(
    provider: Any, room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in LEAKS.items():
        monkeypatch.setenv(name, value)

    with ModelDouble(STORY) as models:
        room.talk(provider, models).ask()
        [request] = models.requests

    assert "leak" not in json.dumps(request.headers)
    assert "openai-organization" not in request.headers
    assert request.headers["x-stainless-retry-count"] == "0"


def test_the_key_is_asked_for_each_time(provider: Any, room: Any) -> None:
    keys = iter(["one", "one", "two"])
    with ModelDouble(STORY) as models:
        talk = room.talk(provider, models)
        talk.turns = room.turns(provider, models.url, key=lambda: next(keys))
        talk.ask()
        talk.ask()
        talk.ask()

    assert list(keys) == []


def test_importing_the_edges_imports_no_sdk() -> None:
    program = (
        "import sys, harness.edges.anthropic_turns, harness.edges.openai_turns;"
        "print({'anthropic', 'openai', 'httpx2'} & set(sys.modules))"
    )

    seen = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert seen.stdout == "set()\n"
