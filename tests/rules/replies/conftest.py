"""Briefs and replies in their smallest form."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from harness.facts.exchanges import EXCHANGES
from harness.facts.journal import Brief, ExchangeKind, HandleMap
from harness.facts.turns import AgentPin

BriefMaker = Callable[..., Brief]
Json = dict[str, Any]


@pytest.fixture
def make_brief() -> BriefMaker:
    def make(
        kind: str,
        required: tuple[str, ...] = (),
        optional: tuple[str, ...] = (),
        known: tuple[str, ...] = (),
        citable: tuple[str, ...] = (),
    ) -> Brief:
        form = EXCHANGES[ExchangeKind(kind)]
        shown = (*required, *optional, *known)
        return Brief(
            kind=ExchangeKind(kind),
            repo_id=1,
            item=12,
            round=1,
            attempt=1,
            pin=AgentPin(agent="first", provider="anthropic", model="m", effort="low"),
            head="b" * 40,
            base="a" * 40,
            decision="",
            system="",
            prompt="",
            tools=form.tools,
            reply_name=form.reply,
            handles=HandleMap(handles=tuple((handle, f"entry-{handle}") for handle in shown)),
            required_handles=required,
            optional_handles=optional,
            citable=citable,
        )

    return make


QUOTE: Json = {"kind": "quote", "path": "a.py", "line": 2, "text": "return total / count"}


class Replies:
    """Replies as JSON values, each field to be overridden."""

    quote = QUOTE

    def finding(self, **over: Any) -> Json:
        return {
            "file": "a.py",
            "start_line": 2,
            "end_line": 2,
            "evidence": [QUOTE],
            "failure_scenario": "mean([]) divides by zero",
            "title": "mean of nothing crashes",
            "detail": "It divides by len(values).",
            "suggestion": "",
            "citations": [],
            "category": "correctness",
            "in_scope": True,
            "issue": None,
            "severity": "blocking",
            **over,
        }

    def ruling(self, handle: str, **over: Any) -> Json:
        return {"handle": handle, "evidence": [QUOTE], "reasoning": "so", "agrees": True, **over}

    def review(self, *findings: Json, rulings: tuple[Json, ...] = (), **over: Any) -> str:
        return json.dumps(
            {
                "findings": list(findings),
                "rulings": list(rulings),
                "not_reviewed": [],
                "summary": "s",
                "risk": "low",
                "next_action": "hand_back" if findings else "merge",
                "verdict": "changes_requested" if findings else "approve",
                **over,
            }
        )

    def response(self, *dispositions: Json) -> str:
        return json.dumps({"dispositions": list(dispositions), "summary": "s"})

    def disposition(self, handle: str, **over: Any) -> Json:
        return {
            "handle": handle,
            "evidence": [QUOTE],
            "reasoning": "because",
            "new_issue_title": "",
            "new_issue_body": "",
            "action": "refuted",
            **over,
        }

    def opinion(self, issue: int, **over: Any) -> Json:
        return {
            "issue": issue,
            "reason": "real",
            "depends_on": [],
            "complexity": "s",
            "risk": "low",
            "tracker": False,
            "worth_doing": True,
            **over,
        }

    def implementation(self, **over: Any) -> str:
        return json.dumps(
            {
                "problem": "p",
                "changes": [],
                "testing": [],
                "notes": "",
                "summary": "s",
                "reason": "",
                "not_worth_doing": False,
                **over,
            }
        )


@pytest.fixture
def replies() -> Replies:
    return Replies()
