"""Our own secrets in what an LLM says are masked as they are heard; all else stays as it is."""

from __future__ import annotations

import json

import pytest

from harness.facts.money import Usage
from harness.facts.turns import Call, Stop, Tools, Turn
from harness.rules.calls import WITHHELD, find_fault
from harness.rules.hushing import hush
from harness.rules.scrub import MASK, find_ours, mask_values

OURS = "s3cr3t-ABCdef"


def mask(text: str) -> str:
    return mask_values(text, find_ours(text, [OURS]))


def make_turn(content: str = "[]", text: str = "", *calls: Call) -> Turn:
    return Turn(
        content=content,
        text=text,
        calls=calls,
        stop=Stop.END,
        usage=Usage(input=1, cache_read=0, cache_write=0, output=1),
        usage_known=True,
        model="m",
        request_id="r",
    )


def make_call(tool: str, arguments: str) -> Call:
    return Call.model_validate({"id": "c1", "tool": tool, "name": "bash", "arguments": arguments})


def test_a_turn_without_a_secret_stays_to_the_byte() -> None:
    odd = '[ {"type":"thinking", "thinking":"h\\u00e9",  "signature":"c2lnbg=="} ]'
    turn = make_turn(odd, "fine", make_call("shell", '{"command": "ls", "timeout_seconds": 0 }'))

    assert hush(turn, mask) is turn


@pytest.mark.parametrize(
    "written", [OURS, "\\u0073" + OURS[1:], "ABCdef s3cr3t-ABCdef"], ids=["plain", "escaped", "in"]
)
def test_a_secret_is_masked_however_json_spells_it(written: str) -> None:
    reply = make_call("reply", f'{{"problem":"it is {written}"}}')
    items = json.dumps([{"type": "message", "arguments": f'{{"problem":"{OURS}"}}'}])

    hushed = hush(make_turn(items, f"It is {OURS}", reply), mask)

    said = hushed.content + hushed.text + hushed.calls[0].arguments
    assert OURS not in said
    assert said.count(MASK) == 3
    assert json.loads(hushed.calls[0].arguments)["problem"].endswith(MASK)
    assert json.loads(json.loads(hushed.content)[0]["arguments"]) == {"problem": MASK}
    assert hushed.calls[0].tool == "reply"
    assert hush(hushed, mask) is hushed


def test_a_call_that_holds_one_is_withheld_and_told_why() -> None:
    call = make_call("shell", json.dumps({"command": f"echo {OURS}", "timeout_seconds": 0}))

    (hushed,) = hush(make_turn("[]", "", call), mask).calls

    assert (hushed.id, hushed.name) == ("c1", "bash")
    assert find_fault(hushed, Tools.EDIT) == WITHHELD


def test_arguments_that_cannot_be_read_are_masked_as_they_stand() -> None:
    (hushed,) = hush(make_turn("[]", "", make_call("unknown", f'{{"a": "{OURS}')), mask).calls

    assert hushed.arguments == f'{{"a": "{MASK}'
