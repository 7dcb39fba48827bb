"""Values that the tests of words are made of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from harness.facts.checks import Check
from harness.facts.entries import (
    Disposition,
    Entry,
    EntryKey,
    Event,
    EventKind,
    Standing,
    State,
)
from harness.facts.findings import Evidence, Finding, Severity
from harness.facts.places import Anchor

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
HEAD = "b" * 40


def finding(title: str = "It divides by zero", **other: Any) -> Finding:  # any field
    fields: dict[str, Any] = {
        "handle": "F1",
        "raised_by": "bob",
        "head": HEAD,
        "anchor": Anchor(file="calc.py", start_line=3, end_line=5, commit=HEAD, text="x"),
        "title": title,
        "failure_scenario": "`div(1, 0)` raises.",
        "detail": "The divisor is not checked. Then it goes on.",
        "suggestion": "",
        "evidence": (),
        "citations": (),
        "category": "correctness",
        "severity": Severity.BLOCKING,
        "in_scope": True,
        "issue": None,
    }
    return Finding(**fields | other)


def event(kind: EventKind, actor: str, reasoning: str, clock: int, **other: Any) -> Event:
    fields: dict[str, Any] = {
        "id": f"e{clock}",
        "entry_id": "entry",
        "clock": clock,
        "at": NOW + timedelta(minutes=clock),
        "kind": kind,
        "scope": "branch:harness/issue-5",
        "actor": actor,
        "by_person": False,
        "run_id": "r",
        "round": 1,
        "head": HEAD,
        "reasoning": reasoning,
        "evidence": (),
        "anchor": None,
    }
    return Event(**fields | other)


def quote(text: str, line: int = 3, file: str = "calc.py") -> Evidence:
    return Evidence(kind="quote", file=file, line=line, text=text)


def standing(
    state: State,
    found: Finding | None = None,
    events: tuple[Event, ...] = (),
    claim: Disposition | None = None,
    number: int = 1,
) -> Standing:
    its = found or finding()
    entry = Entry(
        id=f"entry{number}",
        key=EntryKey(repo_id=7, title_key="k", file="calc.py"),
        title=its.title,
        category=its.category,
        fingerprint=f"v1:{number:016x}",
        created_at=NOW,
    )
    return Standing(
        entry=entry,
        scope="branch:harness/issue-5",
        state=state,
        by_person=False,
        claim=claim,
        finding=its,
        events=events,
        aliases=(),
    )


def check(state: str = "green", **other: Any) -> Check:  # any field
    fields: dict[str, Any] = {
        "command": "make test",
        "sha": HEAD,
        "state": state,
        "exit": 0,
        "seconds": 2.0,
        "failing": (),
        "tail": "",
    }
    return Check(**fields | other)
