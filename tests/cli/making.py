"""Facts to fill a store with, and what a command said."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from harness.facts.decisions import ItemReport, Outcome, Run
from harness.facts.entries import Entry, EntryKey, Event, EventKind
from harness.facts.findings import Evidence, Finding, Severity
from harness.facts.forge import Repo
from harness.facts.intents import CommentOn, Intent, Precondition
from harness.facts.journal import Answered, Asked, Brief, ExchangeKind, HandleMap
from harness.facts.money import Caps, MicroDollars, Usage
from harness.facts.places import Anchor
from harness.facts.turns import AgentPin, Stop, Tools, Turn

WIDE = Caps(exchange=10**9, item=10**9, repo_day=10**9, day=10**9)
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SECRETS = {
    "GITHUB_TOKEN": "ghp_not-to-be-shown-1",
    "ANTHROPIC_API_KEY": "sk-ant-not-to-be-shown-2",
    "OPENAI_API_KEY": "sk-not-to-be-shown-3",
}

CONFIG = """\
[github]
api_url = "{api_url}"

[[repos]]
name = "ada/engine"
check = "true"
{repo}

[[repos]]
name = "ada/shop"

[agents.claude]
provider = "anthropic"
model = "claude-opus-5-5"

[agents.gpt]
provider = "openai"
model = "gpt-6.1-sol"

[prices."claude-opus-5-5"]
input = 4.0
output = 20.0

[prices."gpt-6.1-sol"]
input = 2.0
output = 10.0

[sandbox]
kind = "none"

[paths]
state = "{state}"
"""


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its result, parsed."""
        return json.loads(self.out)


Harness = Callable[..., Said]


def make_repo(name: str = "engine", **fields: Any) -> Repo:
    given = {"id": 1, "host": "github.com", "owner": "ada", "name": name}
    given |= {"default_branch": "main", "private": False, "archived": False}
    given |= {"clone_url": f"https://github.com/ada/{name}.git"}
    given |= {"allow_squash": True, "allow_merge": True, "allow_rebase": True}
    return Repo.model_validate(given | fields)


def make_run(run_id: str = "a1b2c3", **fields: Any) -> Run:
    given = {"id": run_id, "command": "run", "dry": False, "started_at": NOON}
    return Run.model_validate(given | {"ended_at": None, "exit_code": None, "reports": ()} | fields)


def make_report(item: int, outcome: Outcome, **fields: Any) -> ItemReport:
    given = {"repo": "ada/engine", "item": item, "title": f"Issue {item}", "outcome": outcome}
    return ItemReport.model_validate(given | {"reason": ""} | fields)


def make_brief(**fields: Any) -> Brief:
    given = {"kind": ExchangeKind.REVIEW, "repo_id": 1, "item": 12, "round": 1, "attempt": 1}
    given |= {"pin": AgentPin(agent="claude", provider="anthropic", model="m", effort="medium")}
    given |= {"head": "h" * 40, "base": "b" * 40, "decision": "", "tools": Tools.READ}
    given |= {"system": "You review.", "prompt": "exchange: review ada/engine#12 round 1"}
    given |= {"reply_name": "review", "handles": HandleMap(handles=()), "citable": ()}
    given |= {"required_handles": (), "optional_handles": (), "branch": "harness/issue-12"}
    return Brief.model_validate(given | fields)


def make_asked(n: int, bound: int) -> Asked:
    return Asked(n=n, bound=MicroDollars(bound), max_tokens=8_000)


def make_answered(n: int, cost: int, usage: Usage) -> Answered:
    given = {"content": "[]", "text": "hm", "calls": (), "stop": Stop.END, "usage": usage}
    turn = Turn.model_validate(given | {"usage_known": True, "model": "m", "request_id": "r"})
    return Answered(n=n, turn=turn, cost=MicroDollars(cost))


def make_finding(title: str) -> Finding:
    anchor = Anchor(file="a.py", start_line=3, end_line=3, commit="h" * 40, text="x = 1")
    given = {"handle": "F1", "raised_by": "claude", "head": "h" * 40, "anchor": anchor}
    given |= {"title": title, "failure_scenario": "empty input", "detail": "It crashes."}
    given |= {"suggestion": "", "citations": (), "category": "correctness"}
    given |= {"severity": Severity.BLOCKING, "in_scope": True, "issue": None}
    quote = Evidence(kind="quote", file="a.py", line=3, text="x = 1")
    return Finding.model_validate(given | {"evidence": (quote,)})


def make_entry(title: str, fingerprint: str = "") -> Entry:
    digest = fingerprint or sha256(title.encode()).hexdigest()[:16]
    return Entry(
        id=f"entry-{title}",
        key=EntryKey(repo_id=1, title_key=title, file="a.py"),
        title=title,
        category="correctness",
        fingerprint=f"v1:{digest}",
        created_at=NOON,
    )


def make_event(title: str, kind: EventKind, minutes: int = 0, **fields: Any) -> Event:
    finding = make_finding(title) if kind is EventKind.RAISED else None
    given = {"id": f"{title}-{kind}-{minutes}", "entry_id": f"entry-{title}", "clock": 1}
    given |= {"at": NOON + timedelta(minutes=minutes), "kind": kind, "scope": "pr:14"}
    given |= {"actor": "claude", "by_person": False, "run_id": "a1b2c3", "round": 1}
    given |= {"head": "h" * 40, "reasoning": "", "evidence": (), "anchor": None}
    return Event.model_validate(given | {"finding": finding} | fields)


def make_intent(purpose: str, **fields: Any) -> Intent:
    given = {"id": f"intent-{purpose}", "run_id": "a1b2c3", "repo_id": 1, "item": 12}
    given |= {"purpose": purpose, "write": CommentOn(number=12, body="Hello.")}
    given |= {"needs": Precondition(), "why": "to say so", "forge_time": NOON, "state": "open"}
    given |= {"nonce": sha256(purpose.encode()).hexdigest()[:32], "reason": "", "receipt": None}
    return Intent.model_validate(given | {"attempts": 0, "created_at": NOON} | fields)
