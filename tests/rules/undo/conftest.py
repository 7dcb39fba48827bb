"""Rows of an outbox and a forge, made short."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from harness.facts.forge import (
    Author,
    Comment,
    ForgeReview,
    Happening,
    Issue,
    Pull,
    Thread,
)
from harness.facts.intents import Intent, Precondition, Receipt, Write
from harness.facts.undoing import (
    BranchNow,
    CommitNow,
    ForgeNow,
    ItemNow,
    PullNow,
    StatusNow,
    UndoPlan,
    Verdict,
    Withdrawn,
)
from harness.rules.undo import plan_undo

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
US = Author(id=1, login="harness-bot", kind="user")
ADA = Author(id=2, login="ada", kind="user")
WORDS = Withdrawn(status="withdrawn", review="This review was withdrawn.")


@dataclass
class World:
    """A story of intents and a forge to hold it against; `run` is taken back."""

    run: str = "run-a"
    story: list[Intent] = field(default_factory=list)
    items: dict[int, ItemNow] = field(default_factory=dict)
    branches: list[BranchNow] = field(default_factory=list)
    commits: list[CommitNow] = field(default_factory=list)
    statuses: list[StatusNow] = field(default_factory=list)
    moved: dict[int, str] = field(default_factory=dict)

    def wrote(self, write: Write, *, run: str = "", **fields: Any) -> Intent:
        """A row of the outbox, delivered; `id` and `number` go to its receipt."""
        receipt = Receipt(
            id=fields.pop("id", 0), number=fields.pop("number", 0), sha=fields.pop("sha", "")
        )
        name = f"intent-{len(self.story)}"
        state = fields.get("state", "delivered")
        given = {
            "id": name,
            "run_id": run or self.run,
            "repo_id": 1,
            "item": 12,
            "purpose": f"purpose-{name}",
            "write": write,
            "needs": Precondition(),
            "why": "",
            "nonce": f"{len(self.story):032x}",
            "forge_time": NOON,
            "state": state,
            "reason": "",
            "receipt": receipt if state == "delivered" else None,
            "attempts": 1,
            "created_at": NOON,
        }
        self.story.append(Intent.model_validate(given | fields))
        return self.story[-1]

    def stands(self, number: int = 12, **fields: Any) -> None:
        """An issue as it is now; keys of Issue and of ItemNow."""
        rest = {name: fields.pop(name, ()) for name in ("timeline", "comments", "reviews")}
        rest |= {"threads": fields.pop("threads", ()), "pull": fields.pop("pull", None)}
        issue = {
            "id": number,
            "number": number,
            "title": "t",
            "body": "b",
            "author": ADA,
            "state": "open",
            "state_reason": "",
            "labels": (),
            "assignees": (),
            "locked": False,
            "is_pull": rest["pull"] is not None,
            "created_at": NOON,
            "updated_at": NOON,
            "url": "",
        }
        self.items[number] = ItemNow(issue=Issue.model_validate(issue | fields), **rest)

    def verdicts(self) -> tuple[Verdict, ...]:
        """What becomes of the run's writes, newest first."""
        now = ForgeNow(
            me=US.id,
            items=self.items,
            branches=tuple(self.branches),
            commits=tuple(self.commits),
            statuses=tuple(self.statuses),
            moved=self.moved,
        )
        plan: UndoPlan = plan_undo(self.run, tuple(self.story), now, WORDS)
        return plan.verdicts


@pytest.fixture
def world() -> World:
    """Nothing written, nothing there."""
    return World()


def comment(number: int, body: str, author: Author = US, **fields: Any) -> Comment:
    given = {
        "id": number,
        "node_id": "",
        "where": "issue",
        "author": author,
        "body": body,
        "created_at": NOON,
        "updated_at": NOON,
        "url": "",
        "reply_to": 0,
    }
    return Comment.model_validate(given | fields)


def happening(kind: str, actor: Author, detail: str = "") -> Happening:
    return Happening(kind=kind, actor=actor, at=NOON, detail=detail)


def commit(
    sha: str, *, is_merge: bool = False, on_branch: bool = True, on_base: bool = False
) -> CommitNow:
    return CommitNow(
        sha=sha,
        branch="harness/issue-12",
        is_merge=is_merge,
        on_branch=on_branch,
        on_base=on_base,
    )


def thread(*comments: Comment, path: str = "a.py") -> Thread:
    return Thread(
        id="T", path=path, line=1, resolved=False, outdated=False, resolved_by="", comments=comments
    )


def review(number: int, body: str) -> ForgeReview:
    return ForgeReview(
        id=number, author=US, state="COMMENTED", body=body, commit="c" * 40, submitted_at=NOON
    )


def pull_now(
    number: int = 5,
    *,
    commits: int = 1,
    merge_parents: int = 0,
    squashes_ours: bool = False,
    **fields: Any,
) -> PullNow:
    given = {
        "id": number,
        "number": number,
        "title": "t",
        "body": "b",
        "author": US,
        "state": "open",
        "merged": False,
        "merge_sha": "",
        "draft": False,
        "locked": False,
        "head_ref": "harness/issue-12",
        "head_sha": "h" * 40,
        "head_repo": "ada/shop",
        "base_ref": "main",
        "base_sha": "b" * 40,
        "labels": (),
        "assignees": (),
        "mergeable": True,
        "mergeable_state": "clean",
        "created_at": NOON,
        "updated_at": NOON,
        "url": "",
    }
    pull = Pull.model_validate(given | fields)
    return PullNow(
        pull=pull, commits=commits, merge_parents=merge_parents, squashes_ours=squashes_ours
    )


def told(verdicts: Iterable[Verdict]) -> list[str]:
    """Each verdict in a word, with what is written or why not."""
    return [
        f"{type(one).__name__} {getattr(one, 'why', '')}"
        if not hasattr(one, "write")
        else f"TakeBack {one.write.kind}"
        for one in verdicts
    ]
