"""Every error the harness raises on purpose.

HarnessError
├── ConfigError        the caller's mistake: one sentence, exit 2, nothing written
│   ├── AgentUnusable  a vendor turns an agent away: its key, its account or its model is wrong
│   └── AccessLost     our login may not write to a repository, nor ask what others may do there
├── Refused            a rule says no: the person is told, nothing is tried again by itself
└── DoorError          the world failed: the item waits or ends in error, exit 3
    ├── ForgeError     GitHub: carries status, reason and when to try again
    │   └── InDoubt    a write may have happened, and GitHub does not tell: a person is asked
    ├── GitError       git: carries command, exit code and masked stderr
    ├── VendorError    a model API: carries reason, usage and when to try again
    ├── WorkbenchError the sandbox could not be made
    │   └── SetupFailed  a repository's own `setup` does not work: the operator mends it
    └── StoreError     the store is locked, newer than the code, or damaged
        ├── NewerStore written by a newer harness: the caller's mistake too, exit 2
        └── LeaseLost  somebody else works this item now

"No valid answer" and "out of budget" are results, not errors.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal


class HarnessError(Exception):
    """The root of all errors raised on purpose; `str` is one clear sentence."""


class ConfigError(HarnessError):
    """The caller's mistake: what is wrong and what to do."""


class AgentUnusable(ConfigError):  # noqa: N818 - it says what is the matter
    """An agent that its vendor turned away is not asked again before the operator has acted."""


class AccessLost(ConfigError):  # noqa: N818 - it says what happened
    """Our login may not write to a repository (any more): no item there can be worked."""


class Refused(HarnessError):  # noqa: N818 - it says what happened
    """A rule says no; a person has to act."""


class DoorError(HarnessError):
    """Something outside failed."""


ForgeReason = Literal[
    "unreachable",  # no connection, timeout, 5xx: may have happened
    "rate_limited",  # 403/429, primary or secondary
    "unauthorised",  # 401
    "forbidden",  # 403 without a rate limit, or the credential lacks a permission
    "locked",  # 403 on a locked conversation
    "gone",  # 404 or 410
    "moved",  # 301: transferred or renamed
    "unprocessable",  # 422
    "conflict",  # 405, 409
    "unexpected",  # anything else
]


class ForgeError(DoorError):
    """GitHub answered no, or did not answer.

    `to`: where what was `moved` lies now, "" where that is not known. Of a repository its name, of
    an issue its page.
    """

    def __init__(
        self,
        message: str,
        *,
        reason: ForgeReason,
        status: int = 0,
        not_before: datetime | None = None,
        to: str = "",
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.status = status
        self.not_before = not_before
        self.to = to

    @property
    def may_have_happened(self) -> bool:
        """Whether a write that ended so may have taken effect."""
        return self.reason in {"unreachable", "unexpected"}


class InDoubt(ForgeError):  # noqa: N818 - it says how things stand
    """A write that may be made only once may have happened; it is not made again unasked."""


class GitError(DoorError):
    """A git command failed; arguments and stderr are masked before they get here."""

    def __init__(
        self, message: str, *, command: str = "", exit_code: int = 0, stderr: str = ""
    ) -> None:
        super().__init__(message)
        self.command = command
        self.exit_code = exit_code
        self.stderr = stderr


VendorReason = Literal[
    "unreachable",  # connection refused, reset, timed out, or silent end in mid-stream
    "overloaded",  # 529, 503, or an error event in mid-stream
    "rate_limited",  # 429
    "unauthorised",  # 401, 403
    "unpaid",  # 402, or a limit on spending that is reached
    "misconfigured",  # 404: no such model or address, or a setting that the model does not take
    "bad_request",  # 400 of any other kind: a schema or a setting the vendor refuses
    "overflow",  # the context window is exceeded
    "bad_signature",  # thinking blocks were refused; only a new start helps
    "unexpected",
]


TURNED_AWAY: frozenset[VendorReason] = frozenset({"unauthorised", "unpaid", "misconfigured"})
"""What only the operator can mend: the same for every item, so no item's trouble."""


class VendorError(DoorError):
    """A model API failed; `usage_json` holds what was used, "" where nobody knows."""

    def __init__(
        self,
        message: str,
        *,
        reason: VendorReason,
        not_before: datetime | None = None,
        usage_json: str = "",
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.not_before = not_before
        self.usage_json = usage_json


class WorkbenchError(DoorError):
    """The sandbox could not be made or kept."""


class SetupFailed(WorkbenchError):  # noqa: N818 - it says what happened
    """A repository's `setup` failed; `given_up`: it is not tried again by itself."""

    def __init__(self, message: str, *, output: str = "", given_up: bool = False) -> None:
        super().__init__(message)
        self.output = output
        self.given_up = given_up


class StoreError(DoorError):
    """The store is locked, newer than the code, or damaged."""


class NewerStore(StoreError, ConfigError):  # noqa: N818 - it says what it is
    """The store was written by a newer harness: the caller has to take that one."""


class LeaseLost(StoreError):  # noqa: N818 - it says what happened
    """The item is worked by somebody else now; nothing was written."""
