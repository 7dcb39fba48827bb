"""Who asks: login tokens."""

from __future__ import annotations

from harness.rehearsal.github.answers import Refusal
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.rows import Account
from harness.rehearsal.github.smart_http import token_of


class Credentials:
    """Knows every token that was given out."""

    def __init__(self, forge: Forge) -> None:
        self._forge = forge

    def identify(self, authorization: str) -> Account | None:
        """Whose request this is, None for nobody's. Raises Refusal 401 on a bad token."""
        if not authorization:
            return None
        found = self._forge.account_of_token(token_of(authorization))
        if found is None:
            raise Refusal(401, "Bad credentials")
        return found

    def of_token(self, token: str) -> Account | None:
        """Whose token this is, None for an unknown one."""
        return self._forge.account_of_token(token)
