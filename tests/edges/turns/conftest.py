"""One conversation, one clock, and both vendors' turns against the model double."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from harness.edges.anthropic_turns import AnthropicTurns
from harness.edges.connecting import TIMEOUTS, Timeouts
from harness.edges.openai_turns import OpenAITurns
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
from harness.rehearsal.models import ModelDouble

SCHEMA = {
    "type": "object",
    "description": "What came of it.",
    "properties": {"verdict": {"type": "string"}, "n": {"type": "integer"}},
    "required": ["verdict", "n"],
    "additionalProperties": False,
}
MODELS = {"anthropic": "claude-opus-5-5", "openai": "gpt-6-sol"}


class Hands:
    """A clock that is moved by hand; `ticks` is how far each look at `monotonic` moves it."""

    def __init__(self) -> None:
        self.time = datetime(2026, 12, 1, 10, tzinfo=UTC)
        self.ticks = 0.0
        self._measured = 0.0

    def now(self) -> datetime:
        return self.time

    def wait(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)

    def monotonic(self) -> float:
        self._measured += self.ticks
        return self._measured


class Talk:
    """A conversation that goes on."""

    def __init__(self, turns: AnthropicTurns | OpenAITurns, conversation: Conversation) -> None:
        self.turns = turns
        self.conversation = conversation

    def ask(self) -> Turn:
        return self.turns.ask(self.conversation)

    def add(self, *messages: Prompted | Heard | Returned) -> None:
        self.conversation = self.conversation.model_copy(
            update={"messages": (*self.conversation.messages, *messages)}
        )

    def go_on(self, output: str = "ok", *, is_error: bool = False, code: int | None = 0) -> Turn:
        """Ask, and answer all calls."""
        turn = self.ask()
        results = tuple(
            CallResult(call_id=c.id, tool=c.tool, output=output, is_error=is_error, exit=code)
            for c in turn.calls
        )
        self.add(Heard(content=turn.content), Returned(results=results))
        return turn


class Room:
    """Where talks begin; everything in it is closed at the end of the test."""

    def __init__(self, stack: ExitStack, clock: Hands) -> None:
        self._stack = stack
        self.clock = clock

    def turns(
        self, provider: Provider, url: str, key: Any = lambda: "key", timeouts: Timeouts = TIMEOUTS
    ) -> AnthropicTurns | OpenAITurns:
        kind = {"anthropic": AnthropicTurns, "openai": OpenAITurns}[provider]
        turns = kind(key, url, clock=self.clock, timeouts=timeouts)
        self._stack.callback(turns.close)
        return turns

    def talk(
        self,
        provider: Provider,
        models: ModelDouble | str,
        *,
        brief: str = "Please look.",
        tools: Tools = Tools.EDIT,
        timeouts: Timeouts = TIMEOUTS,
        **changed: Any,
    ) -> Talk:
        url = models if isinstance(models, str) else models.url
        conversation = Conversation(
            exchange_id="0123456789abcdef" * 2,
            pin=AgentPin(agent="a", provider=provider, model=MODELS[provider], effort="high"),
            system="You maintain a repository.",
            tools=tools,
            reply=ReplySchema(
                name="review", description="Answer here.", schema_text=json.dumps(SCHEMA)
            ),
            messages=(Prompted(text=f"exchange: review demo/shop#1 round 1\n{brief}"),),
            max_tokens=8_000,
        )
        turns = self.turns(provider, url, timeouts=timeouts)
        return Talk(turns, conversation.model_copy(update=changed))


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def room(clock: Hands) -> Iterator[Room]:
    with ExitStack() as stack:
        yield Room(stack, clock)


@pytest.fixture(params=["anthropic", "openai"])
def provider(request: pytest.FixtureRequest) -> Provider:
    return request.param  # type: ignore[no-any-return]  # a literal of the list above
