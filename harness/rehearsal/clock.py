"""The rehearsal's own time, kept by the GitHub double: waiting advances it and returns at once."""

from __future__ import annotations

import json
import time
from datetime import datetime
from urllib.request import ProxyHandler, Request, build_opener


class RehearsalClock:
    """Satisfies `doors.clock.Clock`; `url` is any address of the double (its path is not used)."""

    def __init__(self, url: str) -> None:
        scheme, _, rest = url.partition("://")
        self._address = f"{scheme}://{rest.partition('/')[0]}/_rehearsal/clock"
        self._opener = build_opener(ProxyHandler({}))

    def now(self) -> datetime:
        """The rehearsal's time; each look at it is later than the one before."""
        return self._ask(None)

    def wait(self, seconds: float) -> None:
        """Let the rehearsal's time pass."""
        self._ask({"seconds": seconds})

    def monotonic(self) -> float:
        """Real seconds."""
        return time.monotonic()

    def _ask(self, given: dict[str, float] | None) -> datetime:
        data = None if given is None else json.dumps(given).encode()
        with self._opener.open(Request(self._address, data=data), timeout=30) as answer:  # noqa: S310 - http on loopback
            return datetime.fromisoformat(json.load(answer)["now"])
