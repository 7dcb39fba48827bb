"""What happens to a REST request between the socket and its route."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, unquote

from harness.rehearsal.github.answers import Answer, Json, Listing, Refusal
from harness.rehearsal.github.call import Call
from harness.rehearsal.github.credentials import Credentials
from harness.rehearsal.github.faults import Fault, Faults
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.graph.answering import answer_graphql
from harness.rehearsal.github.graph.view import View
from harness.rehearsal.github.heads import follow_all
from harness.rehearsal.github.paging import cut_page
from harness.rehearsal.github.router import Router
from harness.rehearsal.github.shown.addresses import API

logger = logging.getLogger(__name__)

MUTATION = re.compile(rb'"query":\s*"(?:\\n|\s)*mutation')
TICK = 0.05  # rehearsal seconds that a request takes
SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
)


@dataclass(frozen=True)
class Request:
    """A request as it came; header names in lower case, `path` without the API's prefix."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Response:
    """What goes back; status 0 closes the connection without a word."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


Observer = Callable[[Request, Response], None]


class Handling:
    """Answers requests of the API, one at a time."""

    def __init__(self, forge: Forge, router: Router, credentials: Credentials) -> None:
        self.forge = forge
        self.router = router
        self.credentials = credentials
        self.faults = Faults()
        self.observers: list[Observer] = []
        self.writes: list[Json] = []
        self._late: list[tuple[float, Callable[[], object]]] = []

    def handle(self, request: Request) -> Response:
        """Answer, with faults and observers."""
        with self.forge.lock:
            self.pass_time(TICK)
            method = request.method if writes(request) else "GET"
            fault = self.faults.struck(method, request.path)
            answer = self._struck(request, fault) if fault else self._answer(request)
            response = self._finish(request, answer)
        for observer in self.observers:
            observer(request, response)
        return response

    def pass_time(self, seconds: float) -> None:
        """Advance the clock, and let what was late land at its own time."""
        end = self.forge.now.timestamp() + seconds
        for due, act in sorted(self._late, key=lambda pair: pair[0]):
            if due <= end:
                self._late.remove((due, act))
                self.forge.advance(due - self.forge.now.timestamp())
                act()
        self.forge.advance(end - self.forge.now.timestamp())

    def do_later(self, seconds: float, act: Callable[[], object]) -> None:
        """Do this when so much of the rehearsal's time has passed."""
        self._late.append((self.forge.now.timestamp() + seconds, act))

    # -- one answer ----------------------------------------------------------------------------
    def _answer(self, request: Request) -> Answer:
        try:
            answer = self._route(request)
        except Refusal as refusal:
            answer = Answer(refusal.status, refusal.payload, refusal.headers)
        except Exception:
            logger.exception("the rehearsal forge failed at %s %s", request.method, request.path)
            answer = Answer(500, {"message": "Server Error"})
        if writes(request):
            self._note_write(request, answer)
        return answer

    def _route(self, request: Request) -> Answer:
        account = self.credentials.identify(request.headers.get("authorization", ""))
        if request.path in {"/graphql", "/api/graphql"}:
            follow_all(self.forge)
            return answer_graphql(View(self.forge, account), _parsed(request.body))
        path = self._named(request.path)
        handler, places = self.router.find(request.method, path)
        follow_all(self.forge)
        call = Call(
            forge=self.forge,
            method=request.method,
            path=places,
            query=dict(parse_qsl(request.query, keep_blank_values=True)),
            body=_parsed(request.body),
            account=account,
            headers=request.headers,
        )
        answer = handler(call)
        if isinstance(answer, Listing):
            return cut_page(call, answer, path, self.faults.lag(request.path))
        return answer

    def _named(self, path: str) -> str:
        """`/repositories/{id}/...` is `/repos/{owner}/{name}/...`."""
        match path.split("/"):
            case ["", "repositories", number, *rest] if number.isdigit():
                found = self.forge.repositories.get(int(number))
                return "/".join(["", "repos", found.slug, *rest]) if found else path
        return path

    def _note_write(self, request: Request, answer: Answer) -> None:
        self.writes.append(
            {
                "method": request.method,
                "path": unquote(request.path),
                "status": answer.status,
                "body": request.body.decode("utf-8", "replace"),
                "at": self.forge.now.isoformat(),
            }
        )

    # -- faults --------------------------------------------------------------------------------
    def _struck(self, request: Request, fault: Fault) -> Answer:
        match fault.kind:
            case "error_before":
                return Answer(fault.status, {"message": fault.message})
            case "error_after":
                self._answer(request)
                return Answer(fault.status, {"message": fault.message})
            case "drop_before":
                return Answer(0)
            case "drop_after":
                self._answer(request)
                return Answer(0)
            case "late":
                self.do_later(fault.seconds, partial(self._answer, request))
                return Answer(fault.status, {"message": fault.message})
            case "secondary_limit":
                return Answer(403, {"message": SECONDARY}, _retry_after(fault))
            case "too_many":
                return Answer(429, {"message": SECONDARY}, _retry_after(fault))
            case "primary_limit":
                return self._exhausted(fault)
            case "garbage":
                return Answer(200, text="<html>not what you asked for</html>")
            case _:
                return self._plain(fault)

    def _exhausted(self, fault: Fault) -> Answer:
        reset = int(self.forge.now.timestamp() + fault.seconds)
        headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset)}
        return Answer(403, {"message": "API rate limit exceeded for user ID 1."}, headers)

    @staticmethod
    def _plain(fault: Fault) -> Answer:
        status, message = {
            "unauthorised": (401, "Bad credentials"),
            "forbidden": (403, "Resource not accessible by personal access token"),
        }.get(fault.kind, (404, "Not Found"))
        return Answer(status, {"message": message})

    # -- the way out ---------------------------------------------------------------------------
    def _finish(self, request: Request, answer: Answer) -> Response:
        headers = self._common_headers() | answer.headers
        if answer.status < HTTPStatus.BAD_REQUEST and "authorization" in request.headers:
            headers |= self.credentials.scopes(request.headers["authorization"])
        body = b""
        if answer.text is not None:
            body = answer.text.encode()
            headers["Content-Type"] = "text/html; charset=utf-8"
        elif answer.payload is not None:
            body = json.dumps(answer.payload, ensure_ascii=False).encode()
            headers["Content-Type"] = "application/json; charset=utf-8"
        status = answer.status
        if request.method == "GET" and status == HTTPStatus.OK:
            headers["ETag"] = f'W/"{sha256(body + headers.get("Link", "").encode()).hexdigest()}"'
            if headers["ETag"] in request.headers.get("if-none-match", ""):
                status, body = HTTPStatus.NOT_MODIFIED, b""
                del headers["Content-Type"]
        return Response(status, tuple(headers.items()), body)

    def _common_headers(self) -> dict[str, str]:
        now = self.forge.now
        return {
            "Date": now.strftime("%a, %d %b %Y %H:%M:%S GMT"),
            "Server": "rehearsal",
            "X-RateLimit-Limit": "5000",
            "X-RateLimit-Remaining": "4999",
            "X-RateLimit-Reset": str(int(now.timestamp()) + 3600),
        }


def writes(request: Request) -> bool:
    """Whether a request would change something: GraphQL queries are posted too."""
    if request.path.endswith("/graphql"):
        return MUTATION.search(request.body) is not None
    return request.method != "GET"


def _retry_after(fault: Fault) -> dict[str, str]:
    return {} if fault.retry_after is None else {"Retry-After": str(fault.retry_after)}


def _parsed(body: bytes) -> Any:
    if not body:
        return {}
    try:
        return json.loads(body)
    except ValueError:
        raise Refusal(400, "Problems parsing JSON") from None


def without_prefix(path: str) -> str:
    """The path under `/api/v3`, or as it is."""
    return path.removeprefix(API) or "/"
