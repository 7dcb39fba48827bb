"""POST /v1/messages and /v1/messages/count_tokens."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise

from harness.doors.clock import Clock
from harness.rehearsal.models.answer import (
    Answer,
    Json,
    consult,
    counted,
    first_line,
    too_long,
)
from harness.rehearsal.models.anthropic_answer import Spoken, message, message_events
from harness.rehearsal.models.anthropic_judge import judge_messages
from harness.rehearsal.models.anthropic_request import (
    CountRequest,
    Custom,
    Message,
    MessagesRequest,
    Text,
    Thinking,
    ToolResult,
)
from harness.rehearsal.models.faults import (
    BadSignature,
    Fault,
    Faults,
    Overflow,
    Overloaded,
    Paused,
    RateLimited,
    Refuses,
    Status,
    Truncated,
)
from harness.rehearsal.models.refusal import Refusal, read_closed
from harness.rehearsal.models.script import Question, Script
from harness.rehearsal.models.tokens import LIFETIMES, BreakpointCache, Piece, Split, count

_INVALID = "invalid_request_error"


class AnthropicApi:
    """Anthropic, as far as the harness knows it."""

    def __init__(self, script: Script, faults: Faults, clock: Clock, window: int) -> None:
        self._script, self._faults, self._clock, self._window = script, faults, clock, window
        self._cache = BreakpointCache()
        self._paused: set[str] = set()

    def answer(self, body: Json) -> Answer:
        """Judge, ask the script, speak. Raises Refusal and Unscripted."""
        request = read_closed(MessagesRequest, body, _INVALID)
        judge_messages(request, was_paused=lambda last: _digest(last) in self._paused)
        question = _question(request)
        said, fault = consult(self._script, self._faults, question)
        if no := _status(fault):
            raise no
        pieces = _pieces(request)
        tokens = sum(count(piece.text) for piece in pieces)
        if fault == Overflow(late=False) or tokens + request.max_tokens > self._window:
            raise too_long(_INVALID, tokens, self._window)
        seed = _seed(body)
        spoken = Spoken(
            said,
            model=request.model,
            seed=seed,
            thinks=request.thinking is not None and request.thinking.type == "adaptive",
            offered=any(isinstance(tool, Custom) for tool in request.tools),
        )
        stop = _stop(spoken, fault, request.max_tokens)
        used = counted(said, self._split(request, pieces), spoken.tokens()[0])
        whole = message(spoken, model=request.model, seed=seed, stop=stop, used=used)
        if stop == "pause_turn":
            sent = [{k: v for k, v in block.items() if v is not None} for block in spoken.blocks]
            paused = Message.model_validate({"role": "assistant", "content": sent})
            self._paused.add(_digest(paused))
        events = message_events(whole, spoken) if request.stream else None
        return Answer(question, whole, events, used, fault, error_body("overloaded_error", "Busy"))

    def count(self, body: Json) -> Json:
        """How many tokens the prompt has."""
        request = read_closed(CountRequest, body, _INVALID)
        sent = {**request.model_dump(by_alias=True, exclude_none=True), "max_tokens": 1}
        whole = MessagesRequest.model_validate(sent)
        return {"input_tokens": sum(count(piece.text) for piece in _pieces(whole))}

    def _split(self, request: MessagesRequest, pieces: list[Piece]) -> Split:
        return self._cache.split(request.model, pieces, self._clock.now())


def error_body(kind: str, said: str) -> Json:
    """An error as Anthropic words it."""
    return {"type": "error", "error": {"type": kind, "message": said}, "request_id": None}


def _question(request: MessagesRequest) -> Question:
    brief = _text(request.messages[0])
    return Question(
        provider="anthropic",
        model=request.model,
        headline=first_line(brief),
        turn=sum(message.role == "assistant" for message in request.messages),
        brief=brief,
        last=_text(request.messages[-1]),
        heard=tuple(
            _text(after)
            for before, after in pairwise(request.messages)
            if before.role == "assistant"
        ),
    )


def _text(said: Message) -> str:
    texts: list[str] = []
    for block in said.blocks:
        if isinstance(block, Text):
            texts.append(block.text)
        elif isinstance(block, ToolResult):
            inner = block.content
            texts += [inner] if isinstance(inner, str) else [part.text for part in inner]
    return "\n".join(texts)


def _status(fault: Fault | None) -> Refusal | None:
    match fault:
        case Overloaded(status):
            return Refusal(status, "overloaded_error", "Overloaded")
        case RateLimited(retry_after):
            said = "This request would exceed your rate limit."
            return Refusal(429, "rate_limit_error", said, retry_after=retry_after)
        case BadSignature():
            said = "messages.1.content.0: Invalid `signature` in `thinking` block"
            return Refusal(400, _INVALID, said)
        case Status(status, kind, said):
            return Refusal(status, kind, said)
    return None


def _stop(spoken: Spoken, fault: Fault | None, max_tokens: int) -> str:
    total = spoken.tokens()[0]
    match fault:
        case Truncated(share):
            spoken.cut(int(total * share))
            return "max_tokens"
        case Refuses(filtered):
            spoken.cut(int(total * 0.5) if filtered else 0)
            if not filtered:
                spoken.blocks.clear()
                spoken.inputs.clear()
            return "refusal"
        case Paused():
            return "pause_turn"
        case Overflow(late=True):
            spoken.cut(int(total * 0.5))
            return "model_context_window_exceeded"
    if total > max_tokens:
        spoken.cut(max_tokens)
        return "max_tokens"
    return "tool_use" if spoken.has_calls else "end_turn"


def _pieces(request: MessagesRequest) -> list[Piece]:
    """The prompt in the order of the cache: tools, system, messages; settings change the last."""
    system = request.system
    if isinstance(system, str):
        system = [Text(type="text", text=system)] if system else []
    blocks = [(m.role, block) for m in request.messages for block in m.blocks]
    settings = request.model_dump_json(include={"thinking", "tool_choice", "output_config"})
    before = [_piece("", block) for block in [*request.tools, *system]]
    return [*before, Piece(settings), *(_piece(role, block) for role, block in blocks)]


def _piece(role: str, block: object) -> Piece:
    mark = getattr(block, "cache_control", None)
    text = "" if isinstance(block, Thinking) else role
    dump = block.model_dump_json(exclude={"cache_control"}, exclude_none=True)  # type: ignore[attr-defined]  # all are pydantic
    return Piece(text + dump, LIFETIMES[mark.ttl] if mark else None)


def _digest(said: Message) -> str:
    return hashlib.sha256(said.model_dump_json(exclude_none=True).encode()).hexdigest()


def _seed(body: Json) -> str:
    told = {key: value for key, value in body.items() if key != "stream"}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
