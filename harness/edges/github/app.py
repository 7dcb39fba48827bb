"""A GitHub App as what we log in as: a JWT for the App, installation tokens renewed in time.

Source: docs.github.com, "Generating a JSON Web Token (JWT) for a GitHub App": RS256, `iat` a minute
back against clocks that differ, `exp` at most ten minutes ahead. Installation tokens live an hour.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from urllib.parse import quote

from harness.edges.github.shapes import Shape, read
from harness.edges.github.wire import Wire
from harness.errors import ForgeError

EARLY = timedelta(minutes=5)  # a token is renewed so long before it ends


class _Installation(Shape):
    id: int


class _Token(Shape):
    token: str
    expires_at: datetime


class _App(Shape):
    slug: str


class AppToken:
    """Called, it gives a token that is good for at least five minutes. One per thread.

    `now` is the clock's: in a rehearsal tokens end in the rehearsal's own time.
    """

    def __init__(
        self, api_url: str, *, app_id: str, private_key: str, repo: str, now: Callable[[], datetime]
    ) -> None:
        self._app_id = app_id
        self._private_key = private_key
        self._repo = repo
        self._now = now
        self._wire = Wire(api_url, self._jwt)
        self._kept: _Token | None = None
        self._login = ""

    def __call__(self) -> str:
        """An installation token. Raises ForgeError."""
        if self._kept is None or self._now() >= self._kept.expires_at - EARLY:
            self._kept = self._renew()
        return self._kept.token

    def bot(self) -> str:
        """The login that the App writes under: `slug[bot]`."""
        if not self._login:
            self._login = f"{read(_App, self._wire.ask('GET', '/app')).slug}[bot]"
        return self._login

    def _renew(self) -> _Token:
        path = f"/repos/{quote(self._repo)}/installation"
        installation = read(_Installation, self._wire.ask("GET", path)).id
        given = {"repositories": [self._repo.partition("/")[2]]}
        path = f"/app/installations/{installation}/access_tokens"
        return read(_Token, self._wire.ask("POST", path, given=given))

    def _jwt(self) -> str:
        import jwt

        now = self._now()
        claims = {
            "iat": int((now - timedelta(seconds=60)).timestamp()),
            "exp": int((now + timedelta(minutes=9)).timestamp()),
            "iss": self._app_id,
        }
        try:
            return jwt.encode(claims, self._private_key, algorithm="RS256")
        except (jwt.PyJWTError, TypeError, ValueError) as error:
            message = f"the App's private key cannot be used ({type(error).__name__})"
            raise ForgeError(message, reason="unauthorised") from None
