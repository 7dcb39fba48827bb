"""A GitHub App as what we log in as: a JWT for the App, installation tokens renewed in time.

Source: docs.github.com, "Generating a JSON Web Token (JWT) for a GitHub App": RS256, `iat` a minute
back against clocks that differ, `exp` at most ten minutes ahead. Installation tokens live an hour.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from urllib.parse import quote

from harness.edges.github.shapes import Shape, read
from harness.edges.github.wire import Wire
from harness.errors import ForgeError

EARLY = timedelta(minutes=5)  # a token is renewed so long before it ends


class _Installation(Shape):
    id: int
    permissions: dict[str, str]


class _Token(Shape):
    token: str
    expires_at: datetime


class _App(Shape):
    slug: str


class AppToken:
    r"""Called, it gives a token that is good for at least five minutes. One per thread.

    `now` is the clock's: in a rehearsal tokens end in the rehearsal's own time. `told` is given
    each token before it is used, so that it can be masked. The key is PEM; where a variable cannot
    hold line breaks, `\n` stands for one.
    """

    def __init__(
        self,
        api_url: str,
        *,
        app_id: str,
        private_key: str,
        repo: str,
        now: Callable[[], datetime],
        told: Callable[[str], None] | None = None,
    ) -> None:
        self._app_id = app_id
        self._private_key = private_key.replace("\\n", "\n")
        self._repo = repo
        self._now = now
        self._told = told
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

    def permissions(self) -> Mapping[str, str]:
        """What the installation may do: `read` or `write` by GitHub's name of the permission."""
        return self._installation().permissions

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def _renew(self) -> _Token:
        installation = self._installation().id
        given = {"repositories": [self._repo.partition("/")[2]]}
        path = f"/app/installations/{installation}/access_tokens"
        made = read(_Token, self._wire.ask("POST", path, given=given))
        if self._told is not None:
            self._told(made.token)
        return made

    def _installation(self) -> _Installation:
        path = f"/repos/{quote(self._repo)}/installation"
        try:
            return read(_Installation, self._wire.ask("GET", path))
        except ForgeError as error:
            if error.reason != "gone":
                raise
            message = (
                f"{self._repo} is not there, or App {self._app_id} is not installed on it: "
                "install it, and look at [github] app_id"
            )
            raise ForgeError(message, reason="gone", status=error.status) from None

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
