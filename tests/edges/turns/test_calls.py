from __future__ import annotations

import json
from typing import Any

import pytest

from harness.edges.anthropic_turns.calls import normalise as anthropic_call
from harness.edges.openai_turns.calls import normalise as openai_calls
from harness.facts.turns import Call, Stop, Tools
from harness.rehearsal.models import (
    Act,
    ModelDouble,
    Tale,
    create,
    edit,
    insert,
    on,
    patch,
    remove,
    reply_raw,
    restart,
    say,
    shell,
    use,
    view,
)

BOTH: list[tuple[Act, list[tuple[str, Any]], list[tuple[str, Any]]]] = [
    (
        shell("ls -l"),
        [("shell", {"command": "ls -l", "timeout_seconds": 0})],
        [("shell", {"command": "ls -l", "timeout_seconds": 0})],
    ),
    (
        shell("false", "pwd", timeout_seconds=7),
        [
            ("shell", {"command": "false", "timeout_seconds": 0}),
            ("shell", {"command": "pwd", "timeout_seconds": 0}),
        ],
        [
            ("shell", {"command": "false", "timeout_seconds": 7}),
            ("shell", {"command": "pwd", "timeout_seconds": 7}),
        ],
    ),
    (
        view("a.py"),
        [("view", {"path": "a.py", "start_line": 0, "end_line": 0})],
        [("shell", {"command": "sed -n '1,$p' -- 'a.py'", "timeout_seconds": 0})],
    ),
    (
        view("a.py", 3),
        [("view", {"path": "a.py", "start_line": 3, "end_line": 0})],
        [("shell", {"command": "sed -n '3,$p' -- 'a.py'", "timeout_seconds": 0})],
    ),
    (
        create("b.py", "x\n\n y\n"),
        [("create", {"path": "b.py", "text": "x\n\n y\n"})],
        [("create", {"path": "b.py", "text": "x\n\n y\n"})],
    ),
    (
        edit("a.py", "x = 1", "x = 2\ny = 3"),
        [("replace", {"path": "a.py", "old": "x = 1", "new": "x = 2\ny = 3"})],
        [("patch", {"path": "a.py", "diff": "@@\n-x = 1\n+x = 2\n+y = 3\n"})],
    ),
    (
        remove("c.py"),
        [("shell", {"command": "rm -- 'c.py'", "timeout_seconds": 0})],
        [("remove", {"path": "c.py"})],
    ),
    (use("sing", {"song": 1}), [("unknown", {"song": 1})], [("unknown", {"song": 1})]),
]


def told(calls: tuple[Call, ...]) -> list[tuple[str, Any]]:
    return [(call.tool, json.loads(call.arguments)) for call in calls]


@pytest.mark.parametrize(
    ("act", "by_claude", "by_gpt"), BOTH, ids=[f"{n}-{one[0].kind}" for n, one in enumerate(BOTH)]
)
def test_a_tool_call_comes_in_the_harness_words(
    act: Act, by_claude: Any, by_gpt: Any, provider: Any, room: Any
) -> None:
    with ModelDouble(Tale(on("review *", say(act), ...))) as models:
        talk = room.talk(provider, models)
        turn = talk.go_on()
        again = talk.ask()

    assert turn.stop is Stop.CALLS
    assert told(turn.calls) == (by_claude if provider == "anthropic" else by_gpt)
    assert told(again.calls) == told(turn.calls)
    assert {call.id for call in again.calls}.isdisjoint(call.id for call in turn.calls)


ONLY_CLAUDE = [
    (restart(), ("restart", {})),
    (insert("a.py", 4, "z\n"), ("insert", {"path": "a.py", "after_line": 4, "text": "z\n"})),
]


@pytest.mark.parametrize(("act", "call"), ONLY_CLAUDE, ids=["restart", "insert"])
def test_a_tool_of_claudes_comes_in_the_harness_words(act: Act, call: Any, room: Any) -> None:
    with ModelDouble(Tale(on("review *", say(act)))) as models:
        turn = room.talk("anthropic", models).ask()

    assert told(turn.calls) == [call]


def test_a_patch_of_gpts_comes_as_it_was_written(room: Any) -> None:
    diff = "@@ def f():\n-    return 1\n+    return 2\n"
    with ModelDouble(Tale(on("review *", say(patch("a.py", diff))))) as models:
        turn = room.talk("openai", models).ask()

    assert told(turn.calls) == [("patch", {"path": "a.py", "diff": diff})]


RAW = '{"verdict": "a\\u00e9", "n": 1, "n": 2}'


def test_the_text_of_a_reply_is_kept_so_that_a_double_key_is_seen(provider: Any, room: Any) -> None:
    with ModelDouble(Tale(on("review *", say(reply_raw(RAW)), ...))) as models:
        talk = room.talk(provider, models)
        turn = talk.go_on("Twice n.", is_error=True)
        talk.ask()

    assert [(call.tool, call.arguments) for call in turn.calls] == [("reply", RAW)]


def test_a_reply_without_tools_is_the_text(provider: Any, room: Any) -> None:
    with ModelDouble(Tale(on("review *", say(reply_raw(RAW))))) as models:
        turn = room.talk(provider, models, tools=Tools.NOTHING).ask()

    assert (turn.text, turn.calls, turn.stop) == (RAW, (), Stop.END)


def test_what_may_be_done_decides_which_tools_are_offered(provider: Any, room: Any) -> None:
    def offered(tools: Tools) -> list[str]:
        with ModelDouble(Tale(on("review *", say("Hm.")))) as models:
            room.talk(provider, models, tools=tools).ask()
            sent = models.requests[0].body.get("tools", [])
        return [tool.get("name", tool.get("type")) for tool in sent]

    claude = ["bash", "str_replace_based_edit_tool", "reply"]
    wanted = {"anthropic": (claude, claude), "openai": (["shell", "reply"], None)}[provider]
    assert offered(Tools.READ) == wanted[0]
    assert offered(Tools.EDIT) == (wanted[1] or ["shell", "apply_patch", "reply"])
    assert offered(Tools.NOTHING) == []


BAD_CLAUDE = [
    ("bash", {"command": 3}),
    ("str_replace_based_edit_tool", {"command": "undo_edit", "path": "a"}),
    ("str_replace_based_edit_tool", {"command": "view"}),
    ("str_replace_based_edit_tool", {"command": "view", "path": "a", "view_range": [1]}),
    ("str_replace_based_edit_tool", {"path": "a"}),
    ("str_replace_based_edit_tool", None),
    ("bash", None),
]


@pytest.mark.parametrize(("name", "sent"), BAD_CLAUDE)
def test_a_call_of_claudes_that_does_not_fit_is_unknown(name: str, sent: Any) -> None:
    call = anthropic_call("toolu_1", name, sent, "raw")

    assert call == Call(id="toolu_1", tool="unknown", name=name, arguments="raw")


def test_a_replacement_with_nothing_deletes() -> None:
    sent = {"command": "str_replace", "path": "a", "old_str": "x"}

    call = anthropic_call("toolu_1", "str_replace_based_edit_tool", sent, "raw")

    assert json.loads(call.arguments) == {"path": "a", "old": "x", "new": ""}


BAD_GPT: list[dict[str, Any]] = [
    {"type": "shell_call", "call_id": "c", "action": {"commands": []}},
    {"type": "shell_call", "call_id": "c", "action": {"commands": [1]}},
    {"type": "shell_call", "call_id": "c"},
    {"type": "apply_patch_call", "call_id": "c", "operation": {"type": "move", "path": "a"}},
    {"type": "apply_patch_call", "call_id": "c", "operation": {"type": "delete_file"}},
    {
        "type": "apply_patch_call",
        "call_id": "c",
        "operation": {"type": "create_file", "path": "a", "diff": "+x\ny\n"},
    },
    {"type": "custom_tool_call", "call_id": "c", "name": "sing", "input": "la"},
]


@pytest.mark.parametrize("item", BAD_GPT, ids=json.dumps)
def test_a_call_of_gpts_that_does_not_fit_is_unknown(item: dict[str, Any]) -> None:
    [call] = openai_calls(item)

    assert (call.id, call.tool) == ("c", "unknown")


def test_a_timeout_in_milliseconds_is_rounded_up() -> None:
    action = {"commands": ["x"], "timeout_ms": 1_001, "max_output_length": 5}

    [call] = openai_calls({"type": "shell_call", "call_id": "c", "action": action})

    assert json.loads(call.arguments) == {"command": "x", "timeout_seconds": 2}


def test_an_empty_new_file_is_empty() -> None:
    operation = {"type": "create_file", "path": "a", "diff": ""}

    [call] = openai_calls({"type": "apply_patch_call", "call_id": "c", "operation": operation})

    assert json.loads(call.arguments) == {"path": "a", "text": ""}
