"""Values of the ledger, made short: a factory that every test here takes as `make`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from harness.facts.entries import Disposition, Entry, EntryKey, Event, EventKind
from harness.facts.findings import Evidence, Finding, Severity
from harness.facts.places import Anchor

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Making:
    """Ledger values with defaults; every argument that matters to a test is named there."""

    noon = NOON

    def quote(self, text: str, file: str = "a.py", line: int = 3) -> Evidence:
        return Evidence(kind="quote", file=file, line=line, text=text)

    def anchor(
        self, file: str = "a.py", start: int = 3, end: int = 3, text: str = "if a < b:"
    ) -> Anchor:
        return Anchor(file=file, start_line=start, end_line=end, commit="a" * 40, text=text)

    def finding(self, **changes: object) -> Finding:
        plain = {
            "handle": "F1",
            "raised_by": "claude",
            "head": "a" * 40,
            "anchor": self.anchor(),
            "title": "The last page is lost",
            "failure_scenario": "31 rows, page size 10: row 31 is never shown",
            "detail": "Integer division drops the rest.",
            "suggestion": "",
            "evidence": (self.quote("if a < b:"),),
            "citations": (),
            "category": "correctness",
            "severity": Severity.BLOCKING,
            "in_scope": True,
            "issue": None,
        }
        return Finding.model_validate({**plain, **changes})

    def event(self, kind: EventKind, clock: int = 1, **changes: object) -> Event:
        plain = {
            "id": f"{kind}-{clock}",
            "entry_id": "e1",
            "clock": clock,
            "at": NOON + timedelta(seconds=clock),
            "kind": kind,
            "scope": "branch:harness/issue-12",
            "actor": "claude",
            "by_person": False,
            "run_id": "run",
            "round": 1,
            "head": "a" * 40,
            "reasoning": "",
            "evidence": (),
            "anchor": None,
        }
        return Event.model_validate({**plain, **changes})

    def ruled(self, disposition: Disposition | None, clock: int, **changes: object) -> Event:
        return self.event(
            EventKind.RULED,
            clock,
            **{"disposition": disposition, "by_person": True, "actor": "maintainer", **changes},
        )

    def entry(self, title_key: str = "the last page is lost", **changes: object) -> Entry:
        plain = {
            "id": "e1",
            "key": EntryKey(repo_id=1, title_key=title_key, file="a.py"),
            "title": "The last page is lost",
            "category": "correctness",
            "fingerprint": "v1:0000000000000000",
            "created_at": NOON,
        }
        return Entry.model_validate({**plain, **changes})


@pytest.fixture(scope="session")
def make() -> Making:
    return Making()
