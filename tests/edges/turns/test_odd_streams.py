"""Good streams with any JSON at any place: a turn or a VendorError, and usage that can be."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.edges.anthropic_turns.stream import MessageStream
from harness.edges.anthropic_turns.wire import rendered_bytes as claudes_bytes
from harness.edges.hearing import hear, translated
from harness.edges.openai_turns.stream import ResponseStream
from harness.edges.openai_turns.wire import rendered_bytes as gpts_bytes
from harness.errors import VendorError
from harness.facts.money import Usage
from harness.facts.turns import (
    AgentPin,
    CallResult,
    Conversation,
    Heard,
    Prompted,
    Provider,
    ReplySchema,
    Returned,
    Tools,
    Turn,
)
from tests.edges.turns.conftest import Hands

SAMPLES = Path(__file__).parents[2] / "samples" / "vendors" / "streams.json"
GOOD: dict[Provider, list[Any]] = json.loads(SAMPLES.read_text())
STREAMS: dict[Provider, Any] = {"anthropic": MessageStream, "openai": ResponseStream}
BYTES: dict[Provider, Any] = {"anthropic": claudes_bytes, "openai": gpts_bytes}
TOO_MUCH = 2**40  # tokens: what the store's money has room for, at any price


def places(value: Any) -> Iterator[tuple[Any, ...]]:
    """The path to each value inside this one."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in inside:
        yield (key,)
        if isinstance(child, dict | list):
            yield from ((key, *more) for more in places(child))


def put(events: list[Any], place: tuple[Any, ...], value: Any) -> None:
    inside: Any = events
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = value


def heard(provider: Provider, events: list[Any], *, alone: bool = False) -> Turn:
    stream = STREAMS[provider]()
    wire = [f"data: {json.dumps(event)}\n\n".encode() for event in events]
    with translated(stream, vendor=provider, cut=EOFError, other=EOFError):
        hear(wire, stream, Hands(), vendor=provider, seconds=60)
        return stream.turn("", alone=alone)


def bytes_of_the_next_request(provider: Provider, turn: Turn) -> int:
    results = tuple(
        CallResult(call_id=call.id, tool=call.tool, output="ok", is_error=False)
        for call in turn.calls
    )
    conversation = Conversation(
        exchange_id="e",
        pin=AgentPin(agent="a", provider=provider, model="m", effort="low"),
        system="s",
        tools=Tools.EDIT,
        reply=ReplySchema(name="n", description="d", schema_text="{}"),
        messages=(Prompted(text="p"), Heard(content=turn.content), Returned(results=results)),
        max_tokens=1,
    )
    return int(BYTES[provider](conversation))


PLACES = {provider: list(places(events)) for provider, events in GOOD.items()}
STRANGE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**25)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=[]), max_size=5)
    | st.sampled_from(["failed", "incomplete", "error", "refusal", "message", "tool_use", "text"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "code", "message", "x"]), inner, max_size=3)
    ),
    max_leaves=4,
)


@pytest.mark.parametrize("vendor", ["anthropic", "openai"])
@given(data=st.data(), alone=st.booleans())
def test_whatever_a_vendor_says_is_a_turn_or_its_error(
    vendor: Provider, data: st.DataObject, alone: bool
) -> None:
    events = copy.deepcopy(GOOD[vendor])
    put(events, data.draw(st.sampled_from(PLACES[vendor])), data.draw(STRANGE))
    if data.draw(st.booleans()):
        error = {"type": "error", "error": data.draw(STRANGE)}
        events.insert(data.draw(st.integers(0, len(events))), error)

    try:
        turn = heard(vendor, events, alone=alone)
    except VendorError as failed:
        told = f"{failed}".encode() and failed.usage_json
        usage = Usage.model_validate_json(told) if told else None
    else:
        usage = turn.usage if turn.usage_known else None
        assert Turn.model_validate_json(turn.model_dump_json()) == turn
        assert bytes_of_the_next_request(vendor, turn) > 0
    assert usage is None or all(0 <= count < TOO_MUCH for _, count in usage)


ODD: list[Any] = ["many", 5, [], {}, {"output_tokens": 5}]
ODD += [
    {"input_tokens": count, "output_tokens": count} for count in (-5, 5.5, 10**25, "5", True, None)
]
GPTS = [
    {"input_tokens": 5},
    {"input_tokens": 5, "output_tokens": 5, "input_tokens_details": "none"},
    {"input_tokens": 5, "output_tokens": 5, "input_tokens_details": {"cached_tokens": -1}},
]


@pytest.mark.parametrize("usage", [*ODD, *GPTS], ids=str)
def test_usage_that_cannot_be_is_unknown_and_the_answer_counts(usage: Any) -> None:
    *others, end = copy.deepcopy(GOOD["openai"])
    end["response"]["usage"] = usage

    turn = heard("openai", [*others, end])

    assert not turn.usage_known
    assert turn.calls


@pytest.mark.parametrize("usage", ODD, ids=str)
def test_usage_of_claudes_that_cannot_be_is_unknown_and_the_answer_counts(usage: Any) -> None:
    events = copy.deepcopy(GOOD["anthropic"])
    put(events, (0, "message", "usage"), usage)
    put(events, (-2, "usage"), usage)

    turn = heard("anthropic", events)

    assert not turn.usage_known
    assert turn.calls


@pytest.mark.parametrize("last", [{}, {"input_tokens": 5}, {"output_tokens": None}, None], ids=str)
@pytest.mark.parametrize("first", [{"input_tokens": 5}, {"input_tokens": 5, "output_tokens": 1}])
def test_output_that_claude_never_counted_is_unknown(first: Any, last: Any) -> None:
    events = copy.deepcopy(GOOD["anthropic"])
    put(events, (0, "message", "usage"), first)
    put(events, (-2, "usage"), last)

    assert not heard("anthropic", events).usage_known


def test_a_word_of_claudes_that_counts_no_output_leaves_the_estimate() -> None:
    *events, end, _ = copy.deepcopy(GOOD["anthropic"])
    paused = {**end, "delta": {"stop_reason": None}, "usage": {}}

    with pytest.raises(VendorError) as caught:
        heard("anthropic", [*events, paused])

    assert Usage.model_validate_json(caught.value.usage_json).output > len("I read it all.") / 3


@pytest.mark.parametrize("field", ["name", "arguments", "call_id"])
def test_a_call_of_gpts_that_could_not_be_sent_back_is_no_answer(field: str) -> None:
    events = copy.deepcopy(GOOD["openai"])
    put(events, (-2, "item", field), None)

    with pytest.raises(VendorError) as caught:
        heard("openai", events)

    assert caught.value.reason == "unexpected"
    assert caught.value.usage_json


@pytest.mark.parametrize("error", ["overloaded", {"message": ["overloaded"]}, None, ["x"]], ids=str)
def test_an_error_of_any_shape_is_one(error: Any, provider: Provider) -> None:
    with pytest.raises(VendorError) as caught:
        heard(provider, [*GOOD[provider][:5], {"type": "error", "error": error}])

    assert caught.value.reason == "overloaded"
