"""Reading the forge: one repository, nothing that writes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from harness.facts.forge import (
    Author,
    Comment,
    ForgeCheck,
    ForgeReview,
    Happening,
    Issue,
    Permission,
    Pull,
    Repo,
    Thread,
)


class Reading(Protocol):
    """What the forge says of one repository; every method raises ForgeError."""

    def whoami(self) -> Author:
        """Our own account."""
        ...

    def forge_time(self) -> datetime:
        """The Date header last seen (asks once when none was)."""
        ...

    def repo(self) -> Repo: ...

    def permission(self, login: str) -> Permission:
        """What this person may do here; NONE for strangers and unknown accounts.

        Raises AccessLost where we may not ask, which takes write access.
        """
        ...

    def open_issues(self) -> tuple[Issue, ...]:
        """All open issues, pull requests left out, all pages."""
        ...

    def issue(self, number: int) -> Issue:
        """One issue or the issue side of a pull request; ForgeError gone or moved."""
        ...

    def body_edited(self, number: int) -> datetime | None:
        """When an issue's body was last edited, None when never (GraphQL)."""
        ...

    def comments(self, number: int) -> tuple[Comment, ...]:
        """All top-level comments, oldest first."""
        ...

    def timeline(self, number: int) -> tuple[Happening, ...]: ...

    def pull(self, number: int) -> Pull: ...

    def open_pulls(self) -> tuple[Pull, ...]: ...

    def pulls_from(self, branch: str) -> tuple[Pull, ...]:
        """Pull requests of any state whose head is this branch of this repository, newest first."""
        ...

    def reviews(self, number: int) -> tuple[ForgeReview, ...]: ...

    def threads(self, number: int) -> tuple[Thread, ...]:
        """All review threads with all their comments (GraphQL)."""
        ...

    def is_protected(self, branch: str) -> bool:
        """Whether pushing there is guarded (branch protection or rules)."""
        ...

    def checks(self, sha: str, base: str) -> tuple[ForgeCheck, ...]:
        """Check runs and statuses of a commit, `required` by the rules of `base`; ours left out."""
        ...

    def check_log(self, check: ForgeCheck, limit: int) -> str:
        """The last `limit` characters of the log of an Actions check; "" where there is none."""
        ...

    def statuses(self, sha: str) -> tuple[tuple[str, str, str], ...]:
        """Commit statuses as (context, state, description), newest first."""
        ...

    def labels(self, number: int) -> tuple[str, ...]: ...

    def scopes(self) -> Iterable[str]:
        """What this credential cannot do that the harness may need, one sentence each."""
        ...
