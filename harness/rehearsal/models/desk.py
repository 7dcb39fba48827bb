"""The double's front desk: which API a request is for, what it gets, and the record of it all."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from harness.doors.clock import Clock
from harness.facts.turns import Provider
from harness.rehearsal.models.answer import Answer, Json
from harness.rehearsal.models.anthropic_api import AnthropicApi
from harness.rehearsal.models.anthropic_api import error_body as anthropic_error
from harness.rehearsal.models.catalogue import bad_key, known_model, looking_for, no_model
from harness.rehearsal.models.faults import Fault, Faults, Overloaded, Status
from harness.rehearsal.models.openai_api import OpenAIApi
from harness.rehearsal.models.openai_api import error_body as openai_error
from harness.rehearsal.models.refusal import Refusal
from harness.rehearsal.models.script import Counted, Question, Script, Unscripted

_SECRET = {"authorization", "x-api-key", "cookie", "proxy-authorization"}


@dataclass(frozen=True)
class Recorded:
    """One request as it came, without its credentials, and what it got."""

    provider: Provider
    path: str
    headers: dict[str, str]
    raw: bytes
    body: Json
    status: int
    said_no: str  # the error message, "" where it was answered
    question: Question | None  # None where it was refused, or no question
    used: Counted | None
    fault: Fault | None


@dataclass(frozen=True)
class Response:
    """What goes back."""

    status: int
    body: Json
    answer: Answer | None = None  # where it may be streamed or cut by a fault
    retry_after: str = ""
    dies: bool = False


class Desk:
    """Both APIs behind one address."""

    def __init__(self, script: Script, clock: Clock, window: int) -> None:
        self.clock = clock
        self.faults = Faults()
        self.stopping = threading.Event()
        self.recorded: list[Recorded] = []
        self._anthropic = AnthropicApi(script, self.faults, clock, window)
        self._openai = OpenAIApi(script, self.faults, clock, window)
        self.lost: set[str] = set()  # models that are no more
        self.refused: set[str] = set()  # keys that are not valid
        self._lock = threading.Lock()  # held while one question is judged and recorded

    def post(self, path: str, headers: Mapping[str, str], raw: bytes) -> Response:
        """Answer a POST, and record it."""
        provider: Provider = "anthropic" if "/messages" in path else "openai"
        with self._lock:
            try:
                body = _json(raw)
                self._check_headers(provider, headers)
                self._check_model(provider, str(body.get("model")))
                response = self._route(path, body)
            except Refusal as no:
                response = Response(no.status, _error(provider, no), retry_after=no.retry_after)
            except (Unscripted, ValueError) as error:
                unsaid = Refusal(400, "invalid_request_error", str(error))
                response = Response(400, _error(provider, unsaid))
            self.recorded.append(_record(provider, path, headers, raw, response))
        return response

    def get(self, path: str, headers: Mapping[str, str]) -> Response:
        """What there is to know of a model, or a refusal. It is no question and is not recorded."""
        provider: Provider = "anthropic" if "anthropic-version" in headers else "openai"
        with self._lock:
            try:
                self._check_headers(provider, headers)
                return self._model(provider, path.partition("?")[0].removeprefix("/v1"))
            except Refusal as no:
                return Response(no.status, _error(provider, no), retry_after=no.retry_after)

    def _model(self, provider: Provider, path: str) -> Response:
        room, _, model = path.removeprefix("/").partition("/")
        if room != "models" or not model:
            raise Refusal(404, "not_found_error", f"no such path: {path}")
        model = unquote(model)
        self._check_model(provider, model)
        match self.faults.take(looking_for(provider, model)):
            case Status(status, kind, said):
                raise Refusal(status, kind, said)
            case Overloaded(status):
                raise Refusal(status, "overloaded_error", "Overloaded")
            case None:
                return Response(200, known_model(provider, model))
            case _:
                return Response(0, {}, dies=True)

    def _check_headers(self, provider: Provider, headers: Mapping[str, str]) -> None:
        bearer = headers.get("authorization", "").removeprefix("Bearer").strip()
        key = headers.get("x-api-key") or bearer
        if not key:
            raise Refusal(401, "authentication_error", "No API key was given.")
        if provider == "anthropic" and "anthropic-version" not in headers:
            raise Refusal(400, "invalid_request_error", "anthropic-version: header is required")
        if key in self.refused:
            raise bad_key(provider)

    def _check_model(self, provider: Provider, model: str) -> None:
        if model in self.lost:
            raise no_model(provider, model)

    def _route(self, path: str, body: Json) -> Response:
        match path.partition("?")[0].removeprefix("/v1"):
            case "/messages":
                answer = self._anthropic.answer(body)
            case "/responses":
                answer = self._openai.answer(body)
            case "/messages/count_tokens":
                return Response(200, self._anthropic.count(body))
            case "/responses/input_tokens":
                return Response(200, self._openai.count(body))
            case unknown:
                raise Refusal(404, "not_found_error", f"no such path: {unknown}")
        return Response(200, answer.whole, answer)


def _json(raw: bytes) -> Json:
    try:
        body = json.loads(raw)
    except ValueError as error:
        raise Refusal(400, "invalid_request_error", "The body is not valid JSON.") from error
    if not isinstance(body, dict):
        raise Refusal(400, "invalid_request_error", "The body is not an object.")
    return body


def _error(provider: Provider, no: Refusal) -> Json:
    if provider == "anthropic":
        return anthropic_error(no.kind, no.message)
    return openai_error(no.kind, no.message, no.status)


def _record(
    provider: Provider, path: str, headers: Mapping[str, str], raw: bytes, response: Response
) -> Recorded:
    answer = response.answer
    error = response.body.get("error") or {}
    try:
        body = json.loads(raw)
    except ValueError:
        body = {}
    return Recorded(
        provider=provider,
        path=path,
        headers={name: value for name, value in headers.items() if name not in _SECRET},
        raw=raw,
        body=body,
        status=response.status,
        said_no=error.get("message", "") if answer is None else "",
        question=answer.question if answer else None,
        used=answer.used if answer else None,
        fault=answer.fault if answer else None,
    )
