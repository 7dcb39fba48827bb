"""POST /v1/responses and /v1/responses/input_tokens."""

from __future__ import annotations

import hashlib
import json
from itertools import groupby

from harness.doors.clock import Clock
from harness.rehearsal.models.answer import (
    Answer,
    Json,
    consult,
    counted,
    first_line,
)
from harness.rehearsal.models.faults import (
    BadSignature,
    Fails,
    Fault,
    Faults,
    Overflow,
    Overloaded,
    RateLimited,
    Refuses,
    Status,
    Truncated,
)
from harness.rehearsal.models.openai_answer import Spoken, echo, response, response_events
from harness.rehearsal.models.openai_judge import judge_responses
from harness.rehearsal.models.openai_request import (
    Call,
    CountRequest,
    Function,
    FunctionOutput,
    PatchOutput,
    Reasoning,
    ResponsesRequest,
    Say,
    ShellOutput,
    Spoke,
)
from harness.rehearsal.models.refusal import Refusal, read_closed
from harness.rehearsal.models.script import Question, Script
from harness.rehearsal.models.tokens import PrefixCache, count

_MADE = Call | Spoke | Reasoning  # what the model said itself
_MOST = 128_000  # tokens of output where no bound is given
_TOO_LONG = "Your input exceeds the context window of this model."


class OpenAIApi:
    """OpenAI, as far as the harness knows it."""

    def __init__(self, script: Script, faults: Faults, clock: Clock, window: int) -> None:
        self._script, self._faults, self._clock, self._window = script, faults, clock, window
        self._cache = PrefixCache()

    def answer(self, body: Json) -> Answer:
        """Judge, ask the script, speak. Raises Refusal and Unscripted."""
        request = read_closed(ResponsesRequest, body, "invalid_request_error")
        judge_responses(request)
        question = _question(request)
        said, fault = consult(self._script, self._faults, question)
        if no := _status(fault):
            raise no
        prompt = _prompt(body)
        limit = request.max_output_tokens or _MOST
        if fault == Overflow(late=False) or count(prompt) + limit > self._window:
            raise Refusal(400, "context_length_exceeded", _TOO_LONG)
        now, seed = self._clock.now(), _seed(body)
        spoken = Spoken(
            said,
            model=request.model,
            seed=seed,
            sealed=bool(request.include),
            offered=any(isinstance(tool, Function) for tool in request.tools),
        )
        stop = _stop(spoken, fault, limit)
        split = self._cache.split(request.model, request.prompt_cache_key, prompt, now)
        used = counted(said, split, spoken.tokens()[0])
        whole = response(request, spoken, stop=stop, used=used, at=now) | echo(request, body)
        if isinstance(fault, Fails):
            error = {"code": fault.code, "message": "scripted"}
            whole |= {"status": "failed", "error": error, "output": [], "completed_at": None}
        late = isinstance(fault, Overflow)
        gave_up = _gave_up("context_length_exceeded" if late else "server_error")
        events = response_events(whole) if request.stream else None
        return Answer(question, whole, events, used, fault, gave_up)

    def count(self, body: Json) -> Json:
        """How many tokens the prompt has."""
        read_closed(CountRequest, body, "invalid_request_error")
        return {"object": "response.input_tokens", "input_tokens": count(_prompt(body))}


def error_body(code: str, said: str, status: int) -> Json:
    """An error as OpenAI words it."""
    kinds = {401: "authentication_error", 429: "rate_limit_error"}
    kind = "server_error" if status >= 500 else kinds.get(status, "invalid_request_error")  # noqa: PLR2004 - HTTP
    return {"error": {"message": said, "type": kind, "param": None, "code": code}}


def _gave_up(code: str) -> Json:
    return {"type": "error", "code": code, "message": "scripted", "param": None}


def _question(request: ResponsesRequest) -> Question:
    brief = next((_text(item) for item in request.items if isinstance(item, Say)), "")
    spans = [
        (made, "\n".join(map(_text, items)))
        for made, items in groupby(request.items, lambda item: isinstance(item, _MADE))
    ]
    heard = [text for made, text in spans if not made]
    return Question(
        provider="openai",
        model=request.model,
        headline=first_line(brief),
        turn=sum(made for made, _ in spans),
        brief=brief,
        last="" if spans[-1][0] else heard[-1],
        heard=tuple(heard[1:]),
    )


def _text(item: object) -> str:
    match item:
        case Say(content=str() as text):
            return text
        case Say(content=list() as parts):
            return "\n".join(part.text for part in parts)
        case FunctionOutput():
            return item.output
        case PatchOutput():
            return item.output or ""
        case ShellOutput():
            return "\n".join(printed.stdout for printed in item.output)
    return ""


def _status(fault: Fault | None) -> Refusal | None:
    match fault:
        case Overloaded(status):
            known = 503 if status == 529 else status  # noqa: PLR2004 - 529 is Anthropic's own
            return Refusal(known, "server_is_overloaded", "Our servers are currently overloaded.")
        case RateLimited(retry_after):
            said = "Rate limit reached."
            return Refusal(429, "rate_limit_exceeded", said, retry_after=retry_after)
        case BadSignature():
            said = "The encrypted content for item rs_0 could not be verified."
            return Refusal(400, "invalid_encrypted_content", said)
        case Status(status, code, said):
            return Refusal(status, code, said)
    return None


def _stop(spoken: Spoken, fault: Fault | None, limit: int) -> str:
    """Why the response is incomplete, "" when it is not."""
    total = spoken.tokens()[0]
    match fault:
        case Truncated(share):
            spoken.cut(int(total * share))
            return "max_output_tokens"
        case Refuses(filtered=True):
            spoken.cut(int(total * 0.5))
            return "content_filter"
        case Refuses():
            spoken.refuse("I'm sorry, I can't help with that.")
            return ""
    if total > limit:
        spoken.cut(limit)
        return "max_output_tokens"
    return ""


def _prompt(body: Json) -> str:
    order = ("tools", "tool_choice", "text", "reasoning", "instructions", "input")
    return json.dumps([body.get(key) for key in order], ensure_ascii=False)


def _seed(body: Json) -> str:
    told = {key: value for key, value in body.items() if key != "stream"}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
