"""A 301 is news, not a detour: it ends the request, and says where the thing lies now."""

from __future__ import annotations

from typing import Any

from urllib3 import BaseHTTPResponse
from urllib3.util import Retry


class Moved(Exception):  # noqa: N818 - it says what happened
    """`to` is the address that GitHub gave, "" where it gave none."""

    def __init__(self, to: str) -> None:
        super().__init__(to)
        self.to = to


class NoRetries(Retry):
    """Nothing is sent twice. Raises Moved at a 301, before it is followed."""

    @classmethod
    def make(cls) -> NoRetries:
        """For every method."""
        return cls(total=0, read=False, status_forcelist={301}, allowed_methods=None)

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: BaseHTTPResponse | None = None,
        *args: Any,
        **rest: Any,
    ) -> NoRetries:
        """Called where a request would be tried again."""
        if response is not None:
            response.drain_conn()
            raise Moved(response.headers.get("Location", ""))
        return super().increment(method, url, response, *args, **rest)
