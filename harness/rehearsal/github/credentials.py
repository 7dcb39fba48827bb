"""Who asks: login tokens, and Apps with their short-lived installation tokens."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from harness.rehearsal.github.answers import Refusal
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.rows import Account
from harness.rehearsal.github.smart_http import token_of

LIFETIME = timedelta(hours=1)  # of an installation token
LONGEST_JWT = timedelta(minutes=10)


@dataclass(frozen=True)
class App:
    """A registered App; its public key judges its JWTs. It is installed on every repository."""

    id: int
    slug: str
    public_key: str
    installation: int
    bot: Account
    owner: Account


@dataclass(frozen=True)
class Issued:
    """An installation token."""

    account: Account
    expires_at: datetime


class Credentials:
    """Knows every token that was given out."""

    def __init__(self, forge: Forge) -> None:
        self._forge = forge
        self.apps: dict[int, App] = {}
        self._issued: dict[str, Issued] = {}

    def add_app(self, slug: str, public_key: str) -> App:
        """Register an App and install it."""
        bot = self._forge.add_account(f"{slug}[bot]", kind="Bot")
        owner = self._forge.add_account("apps-owner", kind="Organization")
        app = App(self._forge.next_id(), slug, public_key, self._forge.next_id(), bot, owner)
        self.apps[app.id] = app
        return app

    def identify(self, authorization: str) -> Account | None:
        """Whose request this is, None for nobody's. Raises Refusal 401 on a bad token."""
        token = token_of(authorization)
        if not authorization or _is_jwt(token):
            return None  # an App itself is nobody in repositories; its routes ask for `app`
        found = self.of_token(token)
        if found is None:
            raise Refusal(401, "Bad credentials")
        return found

    def of_token(self, token: str) -> Account | None:
        """Whose token this is, None for an unknown or expired one."""
        issued = self._issued.get(token)
        if issued is not None:
            return issued.account if self._forge.now < issued.expires_at else None
        return self._forge.account_of_token(token)

    def scopes(self, authorization: str) -> dict[str, str]:
        """The scopes of a classic token, as GitHub tells them; other credentials have none."""
        token = token_of(authorization)
        classic = self._forge.account_of_token(token) is not None
        return {"X-OAuth-Scopes": "repo, workflow"} if classic else {}

    def app(self, authorization: str) -> App:
        """The App whose JWT this is. Raises Refusal 401 as GitHub does."""
        import jwt

        token = token_of(authorization)
        if not _is_jwt(token):
            raise Refusal(401, "A JSON web token could not be decoded")
        claims = _claims(token)
        app = self.apps.get(int(str(claims.get("iss", "0"))))
        if app is None:
            raise Refusal(404, "Integration not found")
        try:
            options: Any = {"verify_exp": False, "verify_iat": False}
            jwt.decode(token, app.public_key, algorithms=["RS256"], options=options)
        except jwt.InvalidTokenError:
            raise Refusal(401, "A JSON web token could not be decoded") from None
        self._refuse_times(claims)
        return app

    def _refuse_times(self, claims: dict[str, Any]) -> None:
        now = self._forge.now.timestamp()
        issued, expires = float(claims.get("iat", now + 1)), float(claims.get("exp", 0))
        if issued > now:
            raise Refusal(401, "'Issued at' claim ('iat') must be an Integer representing the past")
        if expires <= now:
            raise Refusal(
                401, "'Expiration time' claim ('exp') must be a numeric value in the future"
            )
        if expires > now + LONGEST_JWT.total_seconds():
            raise Refusal(401, "'Expiration time' claim ('exp') is too far in the future")

    def issue(self, app: App) -> tuple[str, datetime]:
        """A token for an App's installation, good for an hour of rehearsal time."""
        expires_at = self._forge.stamp + LIFETIME
        token = f"ghs_{app.slug}_{self._forge.next_id()}"
        self._issued[token] = Issued(app.bot, expires_at)
        return token, expires_at


def _is_jwt(token: str) -> bool:
    return token.count(".") == 2  # noqa: PLR2004 - header, claims, signature


def _claims(token: str) -> dict[str, Any]:
    part = token.split(".")[1]
    try:
        claims = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except ValueError:
        claims = None
    if not isinstance(claims, dict) or not str(claims.get("iss", "0")).isdigit():
        raise Refusal(401, "A JSON web token could not be decoded")
    return claims
