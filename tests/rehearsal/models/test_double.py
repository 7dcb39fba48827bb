from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import closing
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from harness.edges.anthropic_turns import AnthropicTurns
from harness.edges.openai_turns import OpenAITurns
from harness.errors import VendorError
from harness.facts.money import Usage
from harness.facts.turns import Conversation, Heard, Prompted, Tools, Turn
from harness.rehearsal.models import (
    Counted,
    Dead,
    ModelDouble,
    Overloaded,
    Prose,
    Question,
    Said,
    Tale,
    Unscripted,
    on,
    reply,
    say,
    shell,
)

BRIEF = "exchange: review demo/shop#1 round 1\nPlease look."
OK = reply({"verdict": "approve"})
TURNS = {"anthropic": AnthropicTurns, "openai": OpenAITurns}


@pytest.fixture(params=["anthropic", "openai"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def ask(models: ModelDouble, conversation: Conversation, clock: Any) -> Turn:
    kind = TURNS[conversation.pin.provider]
    with closing(kind(lambda: "key", models.url, clock=clock)) as turns:
        return turns.ask(conversation)


def question(turn: int = 0, headline: str = "review o/r#1 round 1", model: str = "m") -> Question:
    return Question(provider="openai", model=model, headline=headline, turn=turn, brief="", last="")


def test_a_tale_is_told_turn_by_turn_by_who_fits_first() -> None:
    tale = Tale(
        on("review *#1 *", say("a"), say("b"), model="gpt-*"),
        on("review *", say("c")),
        on("implement *", say("d"), ...),
    )

    assert tale(question(0, model="gpt-6")) == say("a")
    assert tale(question(1, model="gpt-6")) == say("b")
    assert tale(question(0, model="claude")) == say("c")
    assert tale(question(7, "implement o/r#2 round 0")) == say("d")
    for unsaid in (question(2, model="gpt-6"), question(1), question(0, "triage o/r")):
        with pytest.raises(Unscripted):
            tale(unsaid)


def test_a_line_may_follow_from_the_question() -> None:
    tale = Tale(on("*", lambda asked: say(f"turn {asked.turn} of {asked.kind}")))

    assert tale(question()) == say("turn 0 of review")
    assert tale(question()) == tale(question())


def test_a_script_sees_the_question_as_it_was_asked(
    provider: str, clock: Any, converse: Any
) -> None:
    seen: list[Question] = []

    def script(asked: Question) -> Said:
        seen.append(asked)
        return say("Hm.", OK)

    with ModelDouble(script) as models:
        conversation = converse(provider, BRIEF, Tools.NOTHING)
        turn = ask(models, conversation, clock)
        more = (Heard(content=turn.content), Prompted(text="Are you sure?"))
        messages = (*conversation.messages, *more)
        ask(models, conversation.model_copy(update={"messages": messages}), clock)

    assert [(one.turn, one.headline, one.last) for one in seen] == [
        (0, "review demo/shop#1 round 1", BRIEF),
        (1, "review demo/shop#1 round 1", "Are you sure?"),
    ]
    assert {one.provider for one in seen} == {provider}


def test_what_the_script_does_not_say_is_an_error_that_names_it(
    provider: str, clock: Any, converse: Any
) -> None:
    with ModelDouble(Tale(on("triage *", OK))) as models:
        with pytest.raises(VendorError) as caught:
            ask(models, converse(provider, BRIEF), clock)

        assert caught.value.reason == "bad_request"
        assert "the script has no turn 1" in models.requests[0].said_no
        assert "review demo/shop#1 round 1" in models.requests[0].said_no


def test_no_tool_is_used_where_none_is_offered(provider: str, clock: Any, converse: Any) -> None:
    with ModelDouble(Tale(on("*", shell("ls")))) as models:
        with pytest.raises(VendorError):
            ask(models, converse(provider, BRIEF, Tools.NOTHING), clock)

        assert "none is offered" in models.requests[0].said_no


def test_a_fault_hits_what_fits_and_only_so_often(provider: str, clock: Any, converse: Any) -> None:
    with ModelDouble(Tale(on("*", OK))) as models:
        models.fail(Overloaded(), times=2, headline="review *", turn=0)
        models.fail(Overloaded(), headline="implement *")
        models.fail(Overloaded(), model="nobody's")
        models.fail(Overloaded(), turn=1)
        conversation = converse(provider, BRIEF)
        for _ in range(2):
            with pytest.raises(VendorError):
                ask(models, conversation, clock)

        turn = ask(models, conversation, clock)

    assert [call.tool for call in turn.calls] == ["reply"]


def test_a_script_may_fail_by_itself(provider: str, clock: Any, converse: Any) -> None:
    with ModelDouble(Tale(on("*", Prose("So so.")))) as models:
        turn = ask(models, converse(provider, BRIEF), clock)

    assert turn.text == "So so."


def test_tokens_can_be_claimed(provider: str, clock: Any, converse: Any) -> None:
    claimed = Counted(input=5, cache_read=1_000, cache_write=200, output=77)
    with ModelDouble(Tale(on("*", say(OK, counted=claimed)))) as models:
        turn = ask(models, converse(provider, BRIEF), clock)

        assert models.requests[0].used == claimed
    assert turn.usage == Usage(input=5, cache_read=1_000, cache_write=200, output=77)


def test_the_record_holds_no_credentials(provider: str, clock: Any, converse: Any) -> None:
    with ModelDouble(Tale(on("*", OK))) as models:
        ask(models, converse(provider, BRIEF), clock)

        [request] = models.requests
    assert request.status == 200
    assert request.question is not None
    assert "Bearer" not in str(request)
    assert "authorization" not in request.headers


def test_a_cached_prompt_lapses_with_the_doubles_clock(
    provider: str, clock: Any, converse: Any
) -> None:
    with ModelDouble(Tale(on("*", OK)), clock=clock) as models:
        conversation = converse(provider, BRIEF + "x" * 8_000)
        ask(models, conversation, clock)
        again = ask(models, conversation, clock)
        clock.wait(timedelta(hours=1).total_seconds())
        later = ask(models, conversation, clock)

    assert again.usage.cache_read > 1_024
    assert later.usage.cache_read == 0


def test_the_date_is_the_rehearsals(clock: Any) -> None:
    with ModelDouble(Tale(), clock=clock) as models:
        answer = httpx2.post(models.url + "/v1/responses", content=b"{}")

    assert answer.headers["date"] == "Tue, 01 Dec 2026 00:00:00 GMT"


CLIENT = """
import sys, anthropic, openai
url = sys.argv[1]
brief = "exchange: review demo/shop#1 round 1"
with anthropic.Anthropic(api_key="key", base_url=url) as one:
    said = [{"role": "user", "content": brief}]
    answer = one.messages.create(model="claude-opus-5-5", max_tokens=99, messages=said)
    print(answer.content[0].text)
with openai.OpenAI(api_key="key", base_url=url) as other:
    print(other.responses.create(model="gpt-6-sol", input=brief).output_text)
"""


@pytest.mark.slow
def test_another_process_may_ask() -> None:
    with ModelDouble(Tale(on("*", say("Hello.")))) as models:
        asked = subprocess.run(
            [sys.executable, "-c", CLIENT, models.url], capture_output=True, text=True, check=True
        )

        assert [request.provider for request in models.requests] == ["anthropic", "openai"]
    assert asked.stdout == "Hello.\nHello.\n"


def test_nothing_is_left_of_a_double(clock: Any, converse: Any) -> None:
    before = threading.active_count()
    turns = AnthropicTurns(lambda: "key", "", clock=clock)

    with ModelDouble(Tale(on("*", OK))) as models, closing(turns):
        models.fail(Dead())
        turns = AnthropicTurns(lambda: "key", models.url, clock=clock)
        with pytest.raises(VendorError):
            turns.ask(converse("anthropic", BRIEF))
        turns.ask(converse("anthropic", BRIEF))  # and keep the connection open
        url = models.url
    turns.close()

    assert threading.active_count() == before
    with pytest.raises(httpx2.ConnectError):
        httpx2.post(url, content=b"")
