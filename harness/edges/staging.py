"""A dry run's forge: writes stay in memory, are told as they come, and answer later reads.

The whole story can so be thought through: a staged pull request has a number, its branch a tip,
its comments are there to be read. Nothing leaves the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from harness.doors.clock import Clock
from harness.doors.reading import Reading
from harness.edges.git import GitTrees
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
from harness.facts.intents import (
    CloseItem,
    CommentOn,
    DeleteBranch,
    EditComment,
    Intent,
    Label,
    Merge,
    OpenPull,
    Push,
    Receipt,
    ReopenItem,
    SetStatus,
    Unlabel,
)

FIRST_NUMBER = 9_000_001
"""Staged pull requests, issues and comments are numbered from here: no real one gets this far."""


@dataclass
class Staged:
    """What a dry run has written so far."""

    said: Callable[[Intent, Receipt], None]
    receipts: dict[str, Receipt] = field(default_factory=dict)
    tips: dict[str, str] = field(default_factory=dict)
    pulls: dict[int, Pull] = field(default_factory=dict)
    comments: dict[int, list[Comment]] = field(default_factory=dict)
    labels: dict[int, dict[str, bool]] = field(default_factory=dict)
    states: dict[int, Literal["open", "closed"]] = field(default_factory=dict)
    statuses: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)

    def number(self) -> int:
        """The next staged number."""
        return FIRST_NUMBER + len(self.receipts)


@dataclass(frozen=True)
class StagedWriting:
    """Satisfies `doors.writing.Writing` without writing."""

    staged: Staged
    reading: Reading
    clock: Clock

    def deliver(self, intent: Intent) -> Receipt:
        """Keep the write, tell it, give it a number."""
        receipt = self._stage(intent)
        self.staged.receipts[intent.id] = receipt
        self.staged.said(intent, receipt)
        return receipt

    def read_back(self, intent: Intent) -> Receipt | None:
        """What was staged stands."""
        return self.staged.receipts.get(intent.id)

    def unmet(self, intent: Intent) -> str:
        """Whether the item is still as the write needs it, by the forge as it is now."""
        needs = intent.needs
        if needs.head and needs.pull:
            head = StagedReading(self.reading, self.staged).pull(needs.pull).head_sha
            return "" if head == needs.head else f"the head moved to {head[:12]}"
        return ""

    def forge_time(self) -> datetime:
        """The rehearsal's or the real time; nothing is compared with it here."""
        return self.clock.now()

    def _stage(self, intent: Intent) -> Receipt:
        staged, write, number = self.staged, intent.write, self.staged.number()
        at = self.clock.now()
        match write:
            case Push():
                staged.tips[write.branch] = write.sha
            case DeleteBranch():
                staged.tips[write.branch] = ""
            case OpenPull():
                staged.pulls[number] = self._pull(number, write, at)
                return Receipt(id=number, number=number, url=f"(staged #{number})", at=at)
            case CommentOn():
                comment = self._comment(number, write.body, at)
                staged.comments.setdefault(write.number, []).append(comment)
            case EditComment():
                self._edit(write)
            case Label() | Unlabel():
                staged.labels.setdefault(write.number, {})[write.name] = isinstance(write, Label)
            case CloseItem() | Merge():
                staged.states[write.number] = "closed"
            case ReopenItem():
                staged.states[write.number] = "open"
            case SetStatus():
                told = (write.context, write.state, write.description)
                staged.statuses.setdefault(write.sha, []).insert(0, told)
            case _:
                pass  # nothing that this run reads again
        return Receipt(id=number, number=number, url=f"(staged {number})", at=at)

    def _pull(self, number: int, write: OpenPull, at: datetime) -> Pull:
        repo = self.reading.repo()
        return Pull(
            id=number,
            number=number,
            title=write.title,
            body=write.body,
            author=self.reading.whoami(),
            state="open",
            merged=False,
            merge_sha="",
            draft=write.draft,
            locked=False,
            head_ref=write.branch,
            head_sha=self.staged.tips.get(write.branch, ""),
            head_repo=repo.slug,
            base_ref=write.base,
            base_sha="",
            labels=(),
            assignees=(),
            mergeable=True,
            mergeable_state="clean",
            created_at=at,
            updated_at=at,
            url=f"(staged #{number})",
        )

    def _comment(self, number: int, body: str, at: datetime) -> Comment:
        return Comment(
            id=number,
            node_id=f"staged-{number}",
            where="issue",
            author=self.reading.whoami(),
            body=body,
            created_at=at,
            updated_at=at,
            url=f"(staged {number})",
            reply_to=0,
        )

    def _edit(self, write: EditComment) -> None:
        kept = self.staged.comments.setdefault(write.number, [])
        for index, comment in enumerate(kept):
            if comment.id == write.comment_id:
                kept[index] = comment.model_copy(update={"body": write.body})


@dataclass(frozen=True)
class StagedReading:
    """Satisfies `doors.reading.Reading`: the forge as it is, and what was staged on top."""

    real: Reading
    staged: Staged

    def whoami(self) -> Author:
        return self.real.whoami()

    def forge_time(self) -> datetime:
        return self.real.forge_time()

    def repo(self) -> Repo:
        return self.real.repo()

    def permission(self, login: str) -> Permission:
        return self.real.permission(login)

    def open_issues(self) -> tuple[Issue, ...]:
        issues = (self._issue(issue) for issue in self.real.open_issues())
        return tuple(issue for issue in issues if issue.state == "open")

    def issue(self, number: int) -> Issue:
        pull = self.staged.pulls.get(number)
        return self._issue(_as_issue(pull) if pull else self.real.issue(number))

    def body_edited(self, number: int) -> datetime | None:
        return None if number in self.staged.pulls else self.real.body_edited(number)

    def comments(self, number: int) -> tuple[Comment, ...]:
        real = () if number in self.staged.pulls else self.real.comments(number)
        return (*real, *self.staged.comments.get(number, ()))

    def timeline(self, number: int) -> tuple[Happening, ...]:
        return () if number in self.staged.pulls else self.real.timeline(number)

    def pull(self, number: int) -> Pull:
        pull = self.staged.pulls.get(number) or self.real.pull(number)
        head = self.staged.tips.get(pull.head_ref) or pull.head_sha
        state = self.staged.states.get(number, pull.state)
        return pull.model_copy(update={"head_sha": head, "state": state})

    def open_pulls(self) -> tuple[Pull, ...]:
        staged = (self.pull(number) for number in self.staged.pulls)
        return (*self.real.open_pulls(), *staged)

    def pulls_from(self, branch: str) -> tuple[Pull, ...]:
        staged = (self.pull(n) for n, pull in self.staged.pulls.items() if pull.head_ref == branch)
        return (*staged, *self.real.pulls_from(branch))

    def reviews(self, number: int) -> tuple[ForgeReview, ...]:
        return () if number in self.staged.pulls else self.real.reviews(number)

    def threads(self, number: int) -> tuple[Thread, ...]:
        return () if number in self.staged.pulls else self.real.threads(number)

    def is_protected(self, branch: str) -> bool:
        return self.real.is_protected(branch)

    def checks(self, sha: str, base: str) -> tuple[ForgeCheck, ...]:
        return () if sha in self.staged.tips.values() else self.real.checks(sha, base)

    def check_log(self, check: ForgeCheck, limit: int) -> str:
        return self.real.check_log(check, limit)

    def statuses(self, sha: str) -> tuple[tuple[str, str, str], ...]:
        real = () if sha in self.staged.tips.values() else self.real.statuses(sha)
        return (*self.staged.statuses.get(sha, ()), *real)

    def labels(self, number: int) -> tuple[str, ...]:
        real = () if number in self.staged.pulls else self.real.labels(number)
        return self._labels(number, real)

    def scopes(self) -> Iterable[str]:
        return self.real.scopes()

    def _issue(self, issue: Issue) -> Issue:
        return issue.model_copy(
            update={
                "state": self.staged.states.get(issue.number, issue.state),
                "labels": self._labels(issue.number, issue.labels),
            }
        )

    def _labels(self, number: int, real: tuple[str, ...]) -> tuple[str, ...]:
        changed = self.staged.labels.get(number, {})
        kept = [name for name in real if changed.get(name, True)]
        return (*kept, *(name for name, on in changed.items() if on and name not in kept))


class StagedTrees(GitTrees):
    """The real mirror and work trees, with the tips that were staged."""

    staged: Staged

    def tip(self, branch: str) -> str:
        """The staged tip, or the fetched one."""
        return self.staged.tips.get(branch) or super().tip(branch)

    def remote_tip(self, branch: str) -> str:
        """The staged tip, or the remote's."""
        return self.staged.tips.get(branch) or super().remote_tip(branch)


def _as_issue(pull: Pull) -> Issue:
    return Issue(
        id=pull.id,
        number=pull.number,
        title=pull.title,
        body=pull.body,
        author=pull.author,
        state=pull.state,
        state_reason="",
        labels=pull.labels,
        assignees=pull.assignees,
        locked=pull.locked,
        is_pull=True,
        created_at=pull.created_at,
        updated_at=pull.updated_at,
        url=pull.url,
    )
