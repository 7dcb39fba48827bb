"""Switchable faults: what a forge does on a bad day."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any, Literal

FaultKind = Literal[
    "error_before",  # `status` (502) and nothing happened
    "error_after",  # it happened, and `status` (502) is answered
    "drop_before",  # the connection closes without an answer, nothing happened
    "drop_after",  # the connection closes without an answer, it happened
    "late",  # `status` (502) is answered, and it happens `seconds` later
    "lag",  # lists leave out what is younger than `seconds`
    "secondary_limit",  # 403, with Retry-After when `retry_after` is not None
    "primary_limit",  # 403, X-RateLimit-Reset `seconds` from now (negative: in the past)
    "too_many",  # 429, with Retry-After when `retry_after` is not None
    "unauthorised",  # 401
    "forbidden",  # 403 without a rate limit
    "not_found",  # 404
    "garbage",  # 200 with a body that is no JSON
]


@dataclass
class Fault:
    """Strikes requests of `method` ("" any, "write" all but GET) whose path matches `path`.

    The path is without the API's prefix; a GraphQL query counts as a GET. A push is struck only
    where `path` says `git-receive-pack`, by errors, drops and `late`.

    `after` lets that many matching requests pass first, `times` is how often it strikes (-1: until
    it is switched off).
    """

    kind: FaultKind
    method: str = ""
    path: str = ""
    after: int = 0
    times: int = 1
    seconds: float = 0.0
    status: int = 502
    message: str = "Server Error"  # said with `status`
    retry_after: int | None = None

    def strikes(self, method: str, path: str) -> bool:
        """Whether this request is struck; counts."""
        if self.times == 0 or not self._meets(method, path):
            return False
        if self.after > 0:
            self.after -= 1
            return False
        self.times -= self.times > 0
        return True

    def _meets(self, method: str, path: str) -> bool:
        wanted = self.method in {"", method} or (self.method == "write" and method != "GET")
        return wanted and re.search(self.path, path) is not None

    def told(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


class Faults:
    """The faults that are switched on."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def switch_on(self, fault: Fault) -> Fault:
        """From now on."""
        self._faults.append(fault)
        return fault

    def switch_off(self) -> None:
        """All of them."""
        self._faults.clear()

    def struck(self, method: str, path: str, *, named: str = "") -> Fault | None:
        """The first fault that strikes this request (lags are asked for apart) and `named` it."""
        faults = (one for one in self._faults if one.kind != "lag" and named in one.path)
        return next((fault for fault in faults if fault.strikes(method, path)), None)

    def lag(self, path: str) -> float:
        """By how many seconds this list lags."""
        lags = (fault for fault in self._faults if fault.kind == "lag")
        return max((lag.seconds for lag in lags if lag.strikes("GET", path)), default=0.0)

    def listed(self) -> list[dict[str, Any]]:
        """All that are on."""
        return [fault.told() for fault in self._faults if fault.times]
