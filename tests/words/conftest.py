"""Facts in their smallest form, and the prompts as they are committed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from harness.facts.briefing import Change, Heading, Held, IssueThread, Said
from harness.facts.checks import Check
from harness.facts.entries import Disposition, Entry, EntryKey, Event, EventKind, Standing, State
from harness.facts.findings import Evidence, Finding, Severity
from harness.facts.forge import Author, Comment, ForgeCheck, Issue, Permission
from harness.facts.places import Anchor
from harness.rooms import read_prompts

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BASE, HEAD = "a" * 40, "b" * 40


class Facts:
    """Values to build briefs from, each field to be overridden."""

    heading = Heading(key="key", repo="octo/calc", item=12, round=2)
    change = Change(base=BASE, head=HEAD, diff="diff --git a/a.py b/a.py\n+return 0\n")

    def issue(self, number: int = 12, **over: Any) -> Issue:
        values: dict[str, Any] = {
            "id": number,
            "number": number,
            "title": "mean crashes",
            "body": "On an empty list.",
            "author": Author(id=1, login="mia", kind="user"),
            "state": "open",
            "state_reason": "",
            "labels": (),
            "assignees": (),
            "locked": False,
            "is_pull": False,
            "created_at": NOW,
            "updated_at": NOW,
            "url": "",
        }
        return Issue(**{**values, **over})

    def said(self, id_: int, body: str, login: str = "bo", may: str = "none") -> Said:
        comment = Comment(
            id=id_,
            node_id="",
            where="issue",
            author=Author(id=2, login=login, kind="user"),
            body=body,
            created_at=NOW,
            updated_at=NOW,
            url="",
            reply_to=0,
        )
        return Said(comment=comment, permission=Permission(may))

    def thread(self, number: int = 12, *said: Said, **over: Any) -> IssueThread:
        return IssueThread(
            issue=self.issue(number, **over), permission=Permission.WRITE, comments=said
        )

    def finding(self, **over: Any) -> Finding:
        values: dict[str, Any] = {
            "handle": "F1",
            "raised_by": "other",
            "head": HEAD,
            "anchor": Anchor(file="a.py", start_line=2, end_line=3, commit=HEAD, text="x"),
            "title": "mean of nothing crashes",
            "failure_scenario": "mean([]) divides by zero",
            "detail": "It divides by the length.",
            "suggestion": "",
            "evidence": (Evidence(kind="quote", file="a.py", line=2, text="return s / n"),),
            "citations": (),
            "category": "correctness",
            "severity": Severity.BLOCKING,
            "in_scope": True,
            "issue": None,
        }
        return Finding(**{**values, **over})

    def held(self, target: str = "F1", **over: Any) -> Held:
        return Held(target=target, finding=self.finding(**over))

    def event(self, kind: EventKind, **over: Any) -> Event:
        values: dict[str, Any] = {
            "id": "e",
            "entry_id": "entry-1",
            "clock": 1,
            "at": NOW,
            "kind": kind,
            "scope": "branch:x",
            "actor": "first",
            "by_person": False,
            "run_id": "r",
            "round": 1,
            "head": HEAD,
            "reasoning": "n is never 0, `load` refuses it",
            "evidence": (),
            "anchor": None,
        }
        return Event(**{**values, **over})

    def standing(self, id_: str = "entry-1", *events: Event, **over: Any) -> Standing:
        entry = Entry(
            id=id_,
            key=EntryKey(repo_id=1, title_key="k", file="a.py"),
            title="t",
            category="correctness",
            fingerprint="v1:0",
            created_at=NOW,
        )
        values: dict[str, Any] = {
            "entry": entry,
            "scope": "branch:x",
            "state": State.CLAIMED,
            "by_person": False,
            "claim": Disposition.REFUTED,
            "finding": self.finding(),
            "events": events,
            "aliases": (),
        }
        return Standing(**{**values, **over})

    def check(self, **over: Any) -> Check:
        values: dict[str, Any] = {
            "command": "make test",
            "sha": BASE,
            "state": "red",
            "exit": 2,
            "seconds": 1.5,
            "failing": ("test_mean",),
            "tail": "1 failed\n",
        }
        return Check(**{**values, **over})

    def forge_check(self, **over: Any) -> ForgeCheck:
        values: dict[str, Any] = {
            "name": "ci / test",
            "state": "red",
            "required": True,
            "url": "",
            "annotations": ("a.py:2: boom",),
            "log": "Error 1\n",
        }
        return ForgeCheck(**{**values, **over})


@pytest.fixture
def facts() -> Facts:
    return Facts()


@pytest.fixture(scope="session")
def prompts() -> Mapping[str, str]:
    return read_prompts()
