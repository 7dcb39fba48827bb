from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.edges.anthropic_turns.stream import MessageStream
from harness.edges.openai_turns.stream import ResponseStream
from harness.edges.sse import decode_events
from harness.edges.told import Unreadable
from harness.errors import VendorError
from harness.facts.money import Usage
from harness.facts.turns import Stop

USED = {
    "input_tokens": 3,
    "cache_read_input_tokens": 20,
    "cache_creation_input_tokens": None,
    "output_tokens": 1,
}


def message(
    *blocks: tuple[dict[str, Any], list[dict[str, Any]]], stop: str = "end_turn"
) -> MessageStream:
    stream = MessageStream()
    stream.take({"type": "message_start", "message": {"id": "msg_1", "model": "m", "usage": USED}})
    for at, (block, deltas) in enumerate(blocks):
        stream.take({"type": "content_block_start", "index": at, "content_block": block})
        for delta in deltas:
            stream.take({"type": "content_block_delta", "index": at, "delta": delta})
        stream.take({"type": "content_block_stop", "index": at})
    stream.take(
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 9}}
    )
    stream.take({"type": "message_stop"})
    return stream


def text(*pieces: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    deltas = [{"type": "text_delta", "text": piece} for piece in pieces]
    return {"type": "text", "text": "", "citations": None}, deltas


def use(name: str, *pieces: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}, deltas


def test_usage_excludes_what_was_cached() -> None:
    turn = message(text("Hi")).turn("req_1", alone=False)

    assert turn.usage == Usage(input=3, cache_read=20, cache_write=0, output=9)
    assert (turn.request_id, turn.model) == ("req_1", "m")


def test_a_block_of_a_kind_we_do_not_know_is_kept_as_it_was() -> None:
    strange = ({"type": "strange", "data": {"a": [1, None]}}, [{"type": "odd_delta", "x": 1}])

    turn = message(strange, text("Hi")).turn("", alone=False)

    assert json.loads(turn.content)[0] == strange[0]
    assert turn.text == "Hi"


def test_thinking_is_kept_to_the_letter() -> None:
    deltas = [
        {"type": "thinking_delta", "thinking": "a "},
        {"type": "thinking_delta", "thinking": " b"},
        {"type": "signature_delta", "signature": "Er+/="},
    ]
    empty = {"type": "thinking", "thinking": "", "signature": ""}

    turn = message((empty, deltas)).turn("", alone=False)

    assert json.loads(turn.content) == [
        {"type": "thinking", "thinking": "a  b", "signature": "Er+/="}
    ]


def test_a_character_that_came_in_halves_is_joined() -> None:
    turn = message(text("\ud83d", "\ude00 \udc00")).turn("", alone=False)

    assert turn.text == "\N{GRINNING FACE} \N{REPLACEMENT CHARACTER}"


def test_input_that_is_no_json_can_be_sent_back() -> None:
    turn = message(use("reply", '{"a": ', "tru"), stop="max_tokens").turn("", alone=False)

    assert turn.stop is Stop.TRUNCATED
    assert turn.calls[0].arguments == '{"a": tru'
    assert json.loads(turn.content)[0]["input"] == {"INVALID_JSON": '{"a": tru'}


@pytest.mark.parametrize("raw", ['{"a": NaN}', "[1]", '{"a": ' + "[" * 100_000])
def test_input_that_cannot_be_sent_back_is_wrapped(raw: str) -> None:
    turn = message(use("bash", raw), stop="tool_use").turn("", alone=False)

    assert (turn.calls[0].tool, turn.calls[0].arguments) == ("unknown", raw)
    assert json.loads(turn.content)[0]["input"] == {"INVALID_JSON": raw}


def test_input_that_comes_at_once_counts() -> None:
    block = {"type": "tool_use", "id": "t", "name": "bash", "input": {"command": "ls"}}

    turn = message((block, []), stop="tool_use").turn("", alone=False)

    assert json.loads(turn.calls[0].arguments)["command"] == "ls"


def test_calls_without_a_use_are_an_end_and_the_other_way_round() -> None:
    assert message(text("Hi"), stop="tool_use").turn("", alone=False).stop is Stop.END
    assert message(use("bash", "{}")).turn("", alone=False).stop is Stop.CALLS


def test_a_stop_that_nobody_knows_is_never_clean() -> None:
    with pytest.raises(VendorError) as caught:
        message(text("Hi"), stop="tired").turn("", alone=False)

    assert caught.value.reason == "unexpected"
    assert Usage.model_validate_json(caught.value.usage_json).output == 9


REPLIES = [
    (('{"a": 1}',), '{"a": 1}'),
    (('{"a"', ": 1}"), '{"a": 1}'),
    (('{"a": 1}', '{"a": 2}'), '{"a": 2}'),
    (("So:", '{"a": 2}', ""), '{"a": 2}'),
    ((), ""),
]


@pytest.mark.parametrize(("texts", "reply"), REPLIES)
def test_the_last_whole_text_is_the_reply_where_no_tool_is(
    texts: tuple[str, ...], reply: str
) -> None:
    stream = message(*(text(one) for one in texts))

    assert stream.turn("", alone=True).text == reply


def response(*items: dict[str, Any], **changed: Any) -> ResponseStream:
    stream = ResponseStream()
    for at, item in enumerate(items):
        stream.take({"type": "response.output_item.done", "output_index": at, "item": item})
    used = {"input_tokens": 10, "output_tokens": 4}
    whole = {"id": "resp_1", "model": "m", "status": "completed", "output": [], "usage": used}
    stream.take({"type": "response.completed", "response": whole | changed})
    return stream


def spoken(text: str, **more: Any) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "role": "assistant", "content": [part], **more}


def test_cached_tokens_are_part_of_openais_input() -> None:
    details = {"cached_tokens": 6, "cache_write_tokens": 3}
    used = {"input_tokens": 10, "output_tokens": 4, "input_tokens_details": details}

    turn = response(spoken("Hi"), usage=used).turn("", alone=False)

    assert turn.usage == Usage(input=1, cache_read=6, cache_write=3, output=4)
    assert turn.request_id == "resp_1"


def test_the_last_message_is_the_reply_where_no_tool_is() -> None:
    stream = response(
        spoken("I think.", phase="commentary"), spoken("{1}"), spoken("{2}", phase="final_answer")
    )

    assert stream.turn("", alone=True).text == "{2}"
    assert stream.turn("", alone=False).text == "{1}{2}"


def test_an_item_counts_as_it_was_when_it_was_done() -> None:
    done = {"type": "reasoning", "id": "rs_1", "encrypted_content": "whole"}

    turn = response(done, output=[done | {"encrypted_content": ""}, spoken("Hi")]).turn(
        "", alone=False
    )

    assert json.loads(turn.content) == [done, spoken("Hi")]


ENDS = [
    ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "truncated"),
    ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "refused"),
    ({"status": "failed", "error": {"code": "invalid_prompt", "message": "no"}}, "refused"),
]


@pytest.mark.parametrize(("changed", "stop"), ENDS)
def test_how_a_response_ended(changed: dict[str, Any], stop: str) -> None:
    assert response(spoken("Hi"), **changed).turn("", alone=False).stop == stop


NO_ENDS = [
    ({"status": "incomplete", "incomplete_details": {"reason": "bored"}}, "unexpected"),
    ({"status": "cancelled"}, "unexpected"),
    ({"status": "failed", "error": {"code": "rate_limit_exceeded"}}, "rate_limited"),
    ({"status": "failed", "error": {"code": "context_length_exceeded"}}, "overflow"),
    ({"status": "failed", "error": None}, "overloaded"),
]


@pytest.mark.parametrize(("changed", "reason"), NO_ENDS)
def test_a_response_that_did_not_end_well_is_an_error(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(VendorError) as caught:
        response(spoken("Hi"), **changed).turn("", alone=False)

    assert caught.value.reason == reason
    assert Usage.model_validate_json(caught.value.usage_json).output == 4


def test_usage_that_was_not_told_is_unknown() -> None:
    turn = response(spoken("Hi"), usage=None).turn("", alone=False)

    assert not turn.usage_known


EVENTS: list[dict[str, Any]] = [
    {"type": "a", "text": "line\u2028two\x85three\x0bfour"},
    {"type": "b", "n": [1, {"c": None}]},
]
WIRE = b"".join(
    f"event: {one['type']}\ndata: {json.dumps(one, ensure_ascii=False)}\n\n".encode()
    for one in EVENTS
)
WIRE += b'data: {"type":\ndata: "c"}\n\n'
EVENTS.append({"type": "c"})


@given(st.lists(st.integers(0, len(WIRE))), st.sampled_from([b"\n", b"\r\n", b"\r"]))
def test_events_are_the_same_wherever_the_bytes_were_cut(cuts: list[int], end: bytes) -> None:
    wire = WIRE.replace(b"\n", end)
    places = sorted({0, *cuts, len(wire)})
    chunks = [wire[a:b] for a, b in pairwise(places)]

    assert list(decode_events(chunks)) == EVENTS


def test_comments_ends_and_unfinished_events_are_passed_over() -> None:
    wire = b': keep-alive\n\nid: 3\ndata: [DONE]\n\ndata: {"a":\ndata: 1}\n\ndata: {"b"'

    assert list(decode_events([wire])) == [{"a": 1}]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_an_event_is_given_as_soon_as_its_last_byte_is_there(end: bytes) -> None:
    def wire() -> Iterator[bytes]:
        yield b'data: {"a": 1}' + end + end[:1]
        raise AssertionError("it was waited for more")

    assert next(decode_events(wire())) == {"a": 1}


@pytest.mark.parametrize("data", [b"data:", b"data: ", b"event: ping\ndata:\ndata:"])
def test_an_event_with_nothing_in_it_is_passed_over(data: bytes) -> None:
    assert list(decode_events([data + b'\n\ndata: {"a": 1}\n\n'])) == [{"a": 1}]


@pytest.mark.parametrize("data", [b"{", b"NaN", b'{"a": -Infinity}', b"[" * 100_000, b'"\xff"'])
def test_data_that_is_no_json_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        list(decode_events([b"data: " + data + b"\n\n"]))
