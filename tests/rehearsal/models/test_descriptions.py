from __future__ import annotations

import importlib
import inspect
import json
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import openai
import pytest

from harness.edges.anthropic_turns import AnthropicTurns
from harness.edges.openai_turns import OpenAITurns
from harness.edges.sse import decode_events
from harness.errors import VendorError
from harness.facts.turns import CallResult, Conversation, Heard, Prompted, Returned, Tools, Turn
from harness.rehearsal.models import (
    Empty,
    Fails,
    Fault,
    ModelDouble,
    Overflow,
    Overloaded,
    Prose,
    RateLimited,
    Recorded,
    Refuses,
    Tale,
    Truncated,
    create,
    edit,
    on,
    remove,
    reply,
    say,
    shell,
    think,
    use,
    view,
)

ADDITIONS = json.loads(
    (Path(__file__).parents[2] / "samples" / "vendors" / "additions.json").read_text()
)
BRIEF = "exchange: review demo/shop#1 round 1\nPlease look."
ALONE = "exchange: same demo/shop#1 round 1\nIs it the same?"
VERDICT = {"verdict": "approve"}
NAMES = {
    "anthropic": ("CreateMessageParams", "Message", "MessageStreamEvent"),
    "openai": ("CreateResponse", "Response", "ResponseStreamEvent"),
}
TURNS = {"anthropic": AnthropicTurns, "openai": OpenAITurns}
HEADERS_OF_OPENAI = {"authorization": "Bearer key"}
HEADERS = {"authorization": "Bearer key", "anthropic-version": "2026-10-21"}

WHOLE_STORY = Tale(
    on(
        "review *",
        say("I look first.", shell("ls", "git log", timeout_seconds=5)),
        say(think("A bug."), view("a.py", 1, 3), edit("a.py", "x = 1", "x = 2")),
        say(create("b.py", "y = 1\n"), remove("c.py"), use("nobody_offered_this", {"a": [1]})),
        say("Done.", reply(VERDICT)),
        ...,
    ),
    on("same *", say(think("Easy."), reply(VERDICT)), ...),
)


def answered(turn: Turn) -> Returned:
    return Returned(
        results=tuple(
            CallResult(call_id=call.id, tool=call.tool, output="ok", is_error=False, exit=0)
            for call in turn.calls
        )
    )


def whole_story(
    models: ModelDouble, provider: str, clock: Any, converse: Any
) -> tuple[Recorded, ...]:
    """Every kind of turn, answered to the end, and one without tools."""
    with closing(TURNS[provider](lambda: "key", models.url, clock=clock)) as turns:
        tell_all(turns, provider, converse)
    return models.requests


def tell_all(turns: AnthropicTurns | OpenAITurns, provider: str, converse: Any) -> None:
    conversation: Conversation = converse(provider, BRIEF)
    for _ in range(4):
        turn = turns.ask(conversation)
        said = (*conversation.messages, Heard(content=turn.content), answered(turn))
        conversation = conversation.model_copy(update={"messages": said})
    turns.ask(converse(provider, BRIEF, Tools.READ))
    alone = converse(provider, ALONE, Tools.NOTHING)
    turn = turns.ask(alone)
    nudged = (*alone.messages, Heard(content=turn.content), Prompted(text="Not that."))
    turns.ask(alone.model_copy(update={"messages": nudged}))


def first_request(models: ModelDouble, provider: str, clock: Any, converse: Any) -> Recorded:
    with closing(TURNS[provider](lambda: "key", models.url, clock=clock)) as turns:
        turns.ask(converse(provider, BRIEF))
    return models.requests[0]


def ask_again(models: ModelDouble, request: Recorded, *, stream: bool) -> httpx2.Response:
    body = json.dumps({**request.body, "stream": stream})
    return httpx2.post(models.url + request.path, content=body, headers=HEADERS)


@pytest.fixture
def models() -> Iterator[ModelDouble]:
    with ModelDouble(WHOLE_STORY) as double:
        yield double


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_every_request_is_as_the_vendor_describes_it(
    provider: str, models: ModelDouble, descriptions: Any, clock: Any, converse: Any
) -> None:
    requests = whole_story(models, provider, clock, converse)

    faults = [descriptions[provider].faults(NAMES[provider][0], one.body) for one in requests]

    assert len(requests) == 7
    assert faults == [[]] * 7


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_every_answer_is_as_the_vendor_describes_it(
    provider: str, models: ModelDouble, descriptions: Any, clock: Any, converse: Any
) -> None:
    described, (_, whole, event) = descriptions[provider], NAMES[provider]

    for request in whole_story(models, provider, clock, converse):
        assert described.faults(whole, ask_again(models, request, stream=False).json()) == []
        for one in decode_events([ask_again(models, request, stream=True).content]):
            assert described.faults(event, one) == []


BENT: list[Fault] = [
    Truncated(),
    Refuses(),
    Refuses(filtered=True),
    Empty(),
    Prose(),
    Fails(),
]


@pytest.mark.parametrize("fault", BENT, ids=str)
@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_a_faulty_answer_is_as_the_vendor_describes_it(
    provider: str,
    fault: Fault,
    models: ModelDouble,
    descriptions: Any,
    clock: Any,
    converse: Any,
) -> None:
    described, (_, whole, event) = descriptions[provider], NAMES[provider]
    request = first_request(models, provider, clock, converse)

    models.fail(fault, times=2)
    plain, streamed = (ask_again(models, request, stream=stream) for stream in (False, True))

    assert described.faults(whole, plain.json()) == []
    for one in decode_events([streamed.content]):
        assert described.faults(event, one) == []


@pytest.mark.parametrize(
    "fault", [Overloaded(), RateLimited(), Overflow()], ids=["overloaded", "rate", "overflow"]
)
def test_an_error_is_as_anthropic_describes_it(
    fault: Fault, models: ModelDouble, descriptions: Any, clock: Any, converse: Any
) -> None:
    request = first_request(models, "anthropic", clock, converse)

    models.fail(fault)
    error = ask_again(models, request, stream=True)

    assert error.status_code >= 400
    assert descriptions["anthropic"].faults("ErrorResponse", error.json()) == []


def test_an_error_is_as_openai_describes_it(
    models: ModelDouble, descriptions: Any, clock: Any, converse: Any
) -> None:
    request = first_request(models, "openai", clock, converse)

    models.fail(RateLimited())
    error = ask_again(models, request, stream=True)

    assert error.status_code == 429
    assert descriptions["openai"].faults("ErrorResponse", error.json()) == []


def test_a_model_is_as_the_vendors_describe_it(models: ModelDouble, descriptions: Any) -> None:
    theirs = {"x-api-key": "key", "anthropic-version": "2026-10-21"}

    info = httpx2.get(f"{models.url}/v1/models/claude-opus-5-5", headers=theirs)
    model = httpx2.get(f"{models.url}/models/gpt-6-sol", headers=HEADERS_OF_OPENAI)

    assert descriptions["anthropic"].faults("ModelInfo", info.json()) == []
    assert descriptions["openai"].faults("Model", model.json()) == []


def test_a_key_or_model_that_is_not_there_is_refused_as_the_vendors_describe_it(
    models: ModelDouble, descriptions: Any
) -> None:
    theirs = {"x-api-key": "key", "anthropic-version": "2026-10-21"}
    places = (("anthropic", "/v1/models/m", theirs), ("openai", "/models/m", HEADERS_OF_OPENAI))
    models.lose_model("m")
    unknown = {vendor: httpx2.get(models.url + path, headers=h) for vendor, path, h in places}
    models.refuse_key("key")
    refused = {vendor: httpx2.get(models.url + path, headers=h) for vendor, path, h in places}

    for vendor, described in descriptions.items():
        assert (unknown[vendor].status_code, refused[vendor].status_code) == (404, 401)
        assert described.faults("ErrorResponse", unknown[vendor].json()) == []
        assert described.faults("ErrorResponse", refused[vendor].json()) == []


def test_the_descriptions_find_a_fault(
    models: ModelDouble, descriptions: Any, clock: Any, converse: Any
) -> None:
    for provider in ("anthropic", "openai"):
        request = whole_story(models, provider, clock, converse)[-1]
        asked, whole, event = NAMES[provider]
        described = descriptions[provider]
        answer = ask_again(models, request, stream=False).json()

        assert described.faults(asked, {**request.body, "temprature": 1}) != []
        assert described.faults(whole, {**answer, "usage": None}) != []
        assert described.faults(whole, {**answer, "id": 3}) != []
        assert described.faults(whole, {**answer, "secret": 3}) != []
        assert described.faults(event, {"type": "response.nonsense"}) != []


def test_anthropics_sdk_validates_every_answer_strictly(
    models: ModelDouble, clock: Any, converse: Any
) -> None:
    requests = whole_story(models, "anthropic", clock, converse)
    client = anthropic.Anthropic(
        api_key="key", base_url=models.url, max_retries=0, _strict_response_validation=True
    )

    with client:
        assert client.models.retrieve("claude-opus-5-5").lifecycle == "active"
        for request in requests:
            body = {key: value for key, value in request.body.items() if key != "stream"}
            whole = client.messages.create(**body)
            with client.messages.create(**body, stream=True) as stream:
                kinds = {event.type for event in stream}
            count = client.messages.count_tokens(**without(body, "max_tokens"))

            uses = any(block.type == "tool_use" for block in whole.content)
            assert whole.usage.output_tokens > 0
            assert whole.stop_reason == ("tool_use" if uses else "end_turn")
            assert {"message_start", "message_delta", "message_stop"} <= kinds
            assert count.input_tokens > 100


def test_openais_sdk_validates_every_answer_strictly(
    models: ModelDouble, clock: Any, converse: Any
) -> None:
    requests = whole_story(models, "openai", clock, converse)
    client = openai.OpenAI(
        api_key="key", base_url=models.url, max_retries=0, _strict_response_validation=True
    )

    with client:
        assert client.models.retrieve("gpt-6-sol").object == "model"
        for request in requests:
            body = {key: value for key, value in request.body.items() if key != "stream"}
            whole = client.responses.create(**body)
            with client.responses.create(**body, stream=True) as stream:
                kinds = {event.type for event in stream}
            counted = without(body, "max_output_tokens", "include", "store", "prompt_cache_key")
            count = client.responses.input_tokens.count(**counted)

            assert whole.usage is not None
            assert whole.usage.output_tokens > 0
            assert {"response.created", "response.completed"} <= kinds
            assert count.input_tokens > 100


def without(body: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key not in keys}


@pytest.mark.parametrize(
    "addition",
    [one for vendor in ADDITIONS.values() for one in vendor],
    ids=lambda addition: addition["why"],
)
def test_an_addition_to_a_description_is_shown_by_the_sdk(addition: dict[str, Any]) -> None:
    package, seen = addition["sdk"].split()
    shown = addition["shown_by"]

    source = inspect.getsource(importlib.import_module(shown["module"]))

    assert shown["text"] in source
    assert version(package).split(".")[0] == seen.split(".")[0]


def test_the_wire_is_refused_where_a_conversation_would_be_wrong(
    models: ModelDouble, clock: Any, converse: Any
) -> None:
    for provider in ("anthropic", "openai"):
        turns = TURNS[provider](lambda: "key", models.url, clock=clock)
        with closing(turns):
            conversation = converse(provider, BRIEF)
            turn = turns.ask(conversation)
            unanswered = (Heard(content=turn.content), Prompted(text="And?"))
            wrong = conversation.model_copy(
                update={"messages": (*conversation.messages, *unanswered)}
            )

            with pytest.raises(VendorError) as caught:
                turns.ask(wrong)

        assert caught.value.reason == "bad_request"
