"""A store on a temporary file, and one valid fact of every kind to start from."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from harness.edges.store import SqliteStore
from harness.facts.decisions import Decision, ItemReport, Outcome, Run
from harness.facts.entries import Disposition, Entry, EntryKey, Event, EventKind
from harness.facts.findings import Evidence, Finding, Severity
from harness.facts.intents import CommentOn, Intent, Precondition
from harness.facts.journal import Answered, Asked, Brief, ExchangeKind, HandleMap
from harness.facts.money import Caps, MicroDollars, Usage
from harness.facts.places import Anchor
from harness.facts.turns import AgentPin, Stop, Tools, Turn

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Made:
    """Facts with all fields filled, each changed by keyword."""

    noon = NOON
    day = "2026-11-30"
    wide = Caps(exchange=10**9, item=10**9, repo_day=10**9, day=10**9)

    def run(self, **fields: Any) -> Run:
        given = {"id": "run", "command": "run", "dry": False, "started_at": NOON}
        rest = {"ended_at": None, "exit_code": None, "reports": ()}
        return Run.model_validate(given | rest | fields)

    def brief(self, **fields: Any) -> Brief:
        given = {
            "kind": ExchangeKind.REVIEW,
            "repo_id": 1,
            "item": 12,
            "round": 1,
            "attempt": 1,
            "pin": AgentPin(agent="ann", provider="anthropic", model="m", effort="medium"),
            "head": "h" * 40,
            "base": "b" * 40,
            "decision": "",
            "system": "You review.",
            "prompt": "exchange: review o/r#12 round 1",
            "tools": Tools.READ,
            "reply_name": "review",
            "handles": HandleMap(handles=(("S1", "entry-1"),)),
            "required_handles": (),
            "optional_handles": ("S1",),
            "citable": ("AGENTS.md",),
        }
        return Brief.model_validate(given | fields)

    def asked(self, n: int, bound: int) -> Asked:
        return Asked(n=n, bound=MicroDollars(bound), max_tokens=8_000)

    def answered(self, n: int, cost: int, **fields: Any) -> Answered:
        turn = {
            "content": '[{"type": "text", "text": "hm"}]',
            "text": "hm",
            "calls": (),
            "stop": Stop.END,
            "usage": Usage(input=10, cache_read=20, cache_write=30, output=40),
            "usage_known": True,
            "model": "m",
            "request_id": "req",
        }
        return Answered(n=n, turn=Turn.model_validate(turn | fields), cost=MicroDollars(cost))

    def entry(self, name: str, **fields: Any) -> Entry:
        key = {"repo_id": 1, "title_key": name, "file": "a.py", "ordinal": 1}
        known = {field: fields.pop(field) for field in tuple(fields) if field in key}
        given = {
            "id": f"entry-{name}",
            "key": EntryKey.model_validate(key | known),
            "title": name,
            "category": "correctness",
            "fingerprint": f"v1:{sha256(name.encode()).hexdigest()[:16]}",
            "created_at": NOON,
        }
        return Entry.model_validate(given | fields)

    def finding(self, title: str, **fields: Any) -> Finding:
        given = {
            "handle": "F1",
            "raised_by": "ann",
            "head": "h" * 40,
            "anchor": Anchor(file="a.py", start_line=1, end_line=2, commit="h" * 40, text="x = 1"),
            "title": title,
            "failure_scenario": "empty input",
            "detail": "It crashes.",
            "suggestion": "",
            "evidence": (Evidence(kind="quote", file="a.py", line=1, text="x = 1"),),
            "citations": (),
            "category": "correctness",
            "severity": Severity.BLOCKING,
            "in_scope": True,
            "issue": None,
        }
        return Finding.model_validate(given | fields)

    def event(self, event_id: str, name: str, kind: EventKind | str, **fields: Any) -> Event:
        """An event of the entry of this name; raised and reraised carry a finding."""
        raises = kind in {EventKind.RAISED, EventKind.RERAISED}
        given = {
            "id": event_id,
            "entry_id": f"entry-{name}",
            "clock": 1,
            "at": NOON,
            "kind": kind,
            "scope": "pr:5",
            "actor": "ann",
            "by_person": False,
            "run_id": "run",
            "round": 1,
            "head": "h" * 40,
            "reasoning": f"because of {event_id}",
            "evidence": (Evidence(kind="quote", file="a.py", line=1, text="x = 1"),),
            "anchor": None,
            "finding": self.finding(name) if raises else None,
        }
        return Event.model_validate(given | fields)

    def refuted(self, name: str, scope: str = "pr:5") -> tuple[Event, ...]:
        """Raised, refuted, and agreed by its raiser."""
        return (
            self.event(f"{name}-1", name, "raised", scope=scope),
            self.event(f"{name}-2", name, "claimed_refuted", scope=scope, actor="bob"),
            self.event(f"{name}-3", name, "agreed", scope=scope, disposition=Disposition.REFUTED),
        )

    def intent(self, purpose: str, **fields: Any) -> Intent:
        nonce = sha256(purpose.encode()).hexdigest()[:32]
        given = {
            "id": f"intent-{purpose}",
            "run_id": "run",
            "repo_id": 1,
            "item": 12,
            "purpose": purpose,
            "write": CommentOn(number=12, body="Hello."),
            "needs": Precondition(),
            "why": "to say so",
            "nonce": nonce,
            "forge_time": NOON,
            "state": "open",
            "reason": "",
            "receipt": None,
            "attempts": 0,
            "created_at": NOON,
        }
        return Intent.model_validate(given | fields)

    def decision(self, **fields: Any) -> Decision:
        given = {
            "repo_id": 1,
            "issue": 12,
            "verdict": "scheduled",
            "opinions": (),
            "complexity": "s",
            "risk": "low",
            "depends_on": (3,),
            "made_on": "hash",
            "at": NOON,
        }
        return Decision.model_validate(given | fields)

    def report(self, item: int = 12, **fields: Any) -> ItemReport:
        given = {"repo": "o/r", "item": item, "title": "Crash", "outcome": Outcome.APPROVED}
        return ItemReport.model_validate(given | {"reason": "done", "pull": 13} | fields)

    def after(self, seconds: float) -> datetime:
        return NOON + timedelta(seconds=seconds)


@pytest.fixture(scope="session")
def made() -> Made:
    return Made()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore.open(path)
    yield opened
    opened.close()


@pytest.fixture
def running(store: SqliteStore, made: Made) -> SqliteStore:
    """A store in which the run `run` has started."""
    store.start_run(made.run())
    return store


class Others:
    """Other processes at work on a store; each is told to go by a line."""

    def __init__(self) -> None:
        self._all: list[subprocess.Popen[str]] = []

    def start(self, work: str, path: Path, *rest: object) -> subprocess.Popen[str]:
        script = Path(__file__).parent / "other_process.py"
        process = subprocess.Popen(
            [sys.executable, str(script), work, str(path), *map(str, rest)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._all.append(process)
        return process

    def hear(self, process: subprocess.Popen[str]) -> str:
        """The next line it says."""
        assert process.stdout
        return process.stdout.readline().strip()

    def tell(self, process: subprocess.Popen[str]) -> None:
        """Let it go on."""
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()

    def end(self) -> None:
        for process in self._all:
            process.kill()
            process.communicate()


@pytest.fixture
def others() -> Iterator[Others]:
    processes = Others()
    yield processes
    processes.end()
