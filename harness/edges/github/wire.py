"""One request to GitHub and its answer: the only place where PyGithub is asked.

PyGithub does the connection, the headers and the addresses. It does not retry (a POST tried again
is a second comment), does not pace (the outbox does, for all processes) and does not follow a
301: that the item moved is news, not a detour.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, Protocol
from urllib.parse import urlsplit

from harness.edges.github.trouble import from_graphql, translate
from harness.edges.waiting import read_date
from harness.errors import ForgeError

TIMEOUT = 30  # seconds to connect, and again to wait for an answer
API_VERSION = "2022-11-28"
AGENT = "harness-maintainer"
GOOD = range(200, 300)
NOT_MODIFIED = 304


class Etags(Protocol):
    """What was answered before, for conditional requests that cost no quota."""

    def etag(self, url: str) -> tuple[str, str] | None:
        """(etag, body) last stored for this address."""
        ...

    def store_etag(self, url: str, etag: str, body: str) -> None: ...


@dataclass(frozen=True)
class Answer:
    """A good answer; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        """The body, parsed. Raises ForgeError unexpected when it is no JSON."""
        try:
            return json.loads(self.text)
        except ValueError:
            raise ForgeError(
                "GitHub answered something that is no JSON", reason="unexpected", status=self.status
            ) from None


class Wire:
    """A connection for one thread. `token` is asked at every request, so that it may be renewed.

    With `now`, nothing is sent while GitHub asked to wait: ForgeError rate_limited at once.
    """

    def __init__(
        self,
        api_url: str,
        token: Callable[[], str],
        *,
        timeout: int = TIMEOUT,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        self._api_url = api_url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._seen: datetime | None = None
        self._limited = 0
        self._now = now
        self._limit: ForgeError | None = None  # the last one met; the pace may still put it off

    @property
    def host(self) -> str:
        """The host people know the forge by."""
        return (urlsplit(self._api_url).hostname or "").removeprefix("api.")

    def forge_time(self) -> datetime:
        """The Date header last seen; asks once (for free) when none was."""
        if self._seen is None:
            self.ask("GET", "/rate_limit", good=range(200, 500))
        return self._seen or datetime.now(UTC)

    def close(self) -> None:
        """Close the connections; asking again opens new ones."""
        made = self.__dict__.pop("_requester", None)
        if made is not None:
            made.close()

    def ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        given: object = None,
        etags: Etags | None = None,
        good: range = GOOD,
    ) -> Answer:
        """Ask once. `path` is quoted, or an address that GitHub gave. Raises ForgeError."""
        self._refuse_while_held(method, path)
        key = f"{path}?{json.dumps(query, sort_keys=True)}" if query else path
        known = etags.etag(key) if etags and method == "GET" else None
        headers = {"If-None-Match": known[0]} if known else {}
        answer = self._send(method, path, query, headers, given)
        if answer.status == NOT_MODIFIED and known:
            return _stored(known[1])
        if answer.status not in good:
            raise self._trouble(method, path, answer)
        self._limited = 0
        if etags and method == "GET" and answer.headers.get("etag"):
            etags.store_etag(key, answer.headers["etag"], _to_store(answer))
        return answer

    def pages(
        self, path: str, *, query: Mapping[str, str] | None = None, etags: Etags | None = None
    ) -> Iterator[Answer]:
        """All pages of a list, a hundred rows each, along GitHub's own links."""
        answer = self.ask("GET", path, query={"per_page": "100"} | dict(query or {}), etags=etags)
        yield answer
        while following := next_page(answer.headers.get("link", "")):
            answer = self.ask("GET", following, etags=etags)
            yield answer

    def graphql(self, what: str, query: str, variables: Mapping[str, object]) -> Any:
        """The `data` of a GraphQL answer; `what` names it in errors. Raises ForgeError."""
        given = {"query": query, "variables": dict(variables)}
        answer = self.ask("POST", self._requester.graphql_url, given=given)
        said = answer.json
        if not isinstance(said, dict) or not isinstance(said.get("data", {}), dict | None):
            raise ForgeError(f"GitHub answered {what} strangely", reason="unexpected", status=200)
        errors = said.get("errors")
        if errors:
            if any(isinstance(one, dict) and one.get("type") == "RATE_LIMITED" for one in errors):
                raise self._rate_limited(answer, str(errors[0].get("message", "")))
            raise from_graphql(what, errors)
        return said["data"]

    # -- how it is done ------------------------------------------------------------------------
    @cached_property
    def _requester(self) -> Any:  # PyGithub's own object, used here only
        import github

        from harness.edges.github.moved import NoRetries

        logging.getLogger("github").setLevel(logging.WARNING)  # it logs whole bodies at DEBUG
        return github.Github(
            auth=_auth(self._token),
            base_url=self._api_url,
            timeout=self._timeout,
            user_agent=AGENT,
            retry=NoRetries.make(),
            seconds_between_requests=None,
            seconds_between_writes=None,
            api_version=API_VERSION,
        ).requester

    def _send(
        self,
        method: str,
        path: str,
        query: Mapping[str, str] | None,
        headers: dict[str, str],
        given: object,
    ) -> Answer:
        from requests.exceptions import RequestException

        from harness.edges.github.moved import Moved

        what = f"{method} {plain(path)}"
        headers = {"Accept": "application/vnd.github+json", **headers}
        try:
            status, got, text = self._requester.requestJson(
                method, path, parameters=dict(query or {}), headers=headers, input=given
            )
        except Moved as moved:
            message = f"GitHub answered 301 to {what}: it was transferred or renamed"
            raise ForgeError(message, reason="moved", status=301, to=moved.to) from None
        except RequestException as error:  # its text may quote headers: the name is enough
            message = f"GitHub could not be reached for {what} ({type(error).__name__})"
            raise ForgeError(message, reason="unreachable") from None
        except (AssertionError, RuntimeError, ValueError) as error:
            message = f"PyGithub gave up on {what} ({type(error).__name__})"
            raise ForgeError(message, reason="unexpected") from None
        self._seen = read_date(got.get("date", "")) or self._seen
        return Answer(status, got, text or "")

    def _trouble(self, method: str, path: str, answer: Answer) -> ForgeError:
        error = translate(
            f"{method} {plain(path)}",
            answer.status,
            answer.headers,
            answer.text,
            now=self._seen or datetime.now(UTC),
            limited=self._limited,
        )
        self._limited += error.reason == "rate_limited"
        if error.reason == "rate_limited":
            self._limit = error
        return error

    def _refuse_while_held(self, method: str, path: str) -> None:
        until = self._limit.not_before if self._limit else None
        if until is None or self._now is None:
            return
        if self._now() >= until:
            self._limit = None
            return
        raise ForgeError(
            f"GitHub asked to wait until {until:%Y-%m-%d %H:%M:%S} UTC; "
            f"{method} {plain(path)} was not sent",
            reason="rate_limited",
            not_before=until,
        )

    def _rate_limited(self, answer: Answer, message: str) -> ForgeError:
        headers = {"x-ratelimit-remaining": "0", **answer.headers}
        text = json.dumps({"message": message})
        as_rest = Answer(429, headers, text)
        return self._trouble("POST", "/graphql", as_rest)


def plain(path: str) -> str:
    """A path without its query, for messages."""
    return urlsplit(path).path


def next_page(link: str) -> str:
    """The address of rel="next" in a Link header, "" on the last page (RFC 8288)."""
    for part in link.split(","):
        address, _, rest = part.strip().partition(">")
        if 'rel="next"' in rest:
            return address.removeprefix("<")
    return ""


def _to_store(answer: Answer) -> str:
    return json.dumps({"link": answer.headers.get("link", ""), "text": answer.text})


def _stored(body: str) -> Answer:
    kept = json.loads(body)
    return Answer(200, {"link": kept["link"]}, kept["text"])


def _auth(token: Callable[[], str]) -> Any:  # PyGithub is imported only when it is used
    """PyGithub's idea of a credential, around a callable."""
    from github.Auth import Auth

    class Asked(Auth):
        """Asks for the token at every request."""

        @property
        def token_type(self) -> str:
            return "Bearer"

        @property
        def token(self) -> str:
            return token().strip()

        def authentication(self, headers: dict[str, Any]) -> None:
            headers["Authorization"] = f"Bearer {self.token}"

        def mask_authentication(self, headers: dict[str, Any]) -> None:
            headers["Authorization"] = "Bearer (masked)"

    return Asked()


def before(at: datetime) -> str:
    """A minute before, as `since` wants it: clocks of one forge differ a little."""
    return (at - timedelta(seconds=60)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
