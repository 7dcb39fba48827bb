"""The closed table of exchanges: which prompt asks, which reply answers, what may be done."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

from harness.facts.journal import ExchangeKind
from harness.facts.replies import (
    AdjudicationReply,
    AnyReply,
    CheckinCheckReply,
    CheckinFixReply,
    CheckinReply,
    ImplementationReply,
    RebuttalReply,
    ResponseReply,
    ReviewReply,
    SameReply,
    ScreenReply,
    TriageReply,
)
from harness.facts.turns import Tools
from harness.facts.value import Fact


class ExchangeForm(Fact):
    """How a kind of exchange is held; `side` is the commit its tree or overlay is made at."""

    prompt: str
    reply: str
    tools: Tools
    side: Literal["base", "head", "none"]


REPLY_TYPES: MappingProxyType[str, type[AnyReply]] = MappingProxyType(
    {
        "triage": TriageReply,
        "implementation": ImplementationReply,
        "review": ReviewReply,
        "response": ResponseReply,
        "adjudication": AdjudicationReply,
        "rebuttal": RebuttalReply,
        "same": SameReply,
        "screen": ScreenReply,
        "checkin": CheckinReply,
        "checkin_check": CheckinCheckReply,
        "checkin_fix": CheckinFixReply,
    }
)
"""Every reply by its name, which is also the name of its schema."""


def _form(
    prompt: str, reply: str, tools: Tools, side: Literal["base", "head", "none"]
) -> ExchangeForm:
    return ExchangeForm(prompt=prompt, reply=reply, tools=tools, side=side)


EXCHANGES: MappingProxyType[ExchangeKind, ExchangeForm] = MappingProxyType(
    {
        ExchangeKind.TRIAGE: _form("triage", "triage", Tools.READ, "base"),
        ExchangeKind.IMPLEMENT: _form("implement", "implementation", Tools.EDIT, "base"),
        ExchangeKind.REVIEW: _form("review", "review", Tools.READ, "head"),
        ExchangeKind.CLOSE: _form("close", "review", Tools.READ, "head"),
        ExchangeKind.RESPOND: _form("respond", "response", Tools.EDIT, "head"),
        ExchangeKind.FIX_OWN: _form("fix_own", "response", Tools.EDIT, "head"),
        ExchangeKind.FIX_CHECK: _form("fix_check", "response", Tools.EDIT, "head"),
        ExchangeKind.UPDATE: _form("update", "response", Tools.EDIT, "head"),
        ExchangeKind.REBUT: _form("rebut", "rebuttal", Tools.READ, "head"),
        ExchangeKind.SAME: _form("same", "same", Tools.NOTHING, "none"),
        ExchangeKind.ADJUDICATE: _form("adjudicate", "adjudication", Tools.READ, "head"),
        ExchangeKind.SCREEN: _form("screen", "screen", Tools.READ, "base"),
        ExchangeKind.CHECKIN: _form("checkin", "checkin", Tools.READ, "head"),
        ExchangeKind.CHECKIN_CHECK: _form("checkin_check", "checkin_check", Tools.READ, "head"),
        ExchangeKind.CHECKIN_FIX: _form("checkin_fix", "checkin_fix", Tools.EDIT, "head"),
    }
)
"""What each exchange is; total over ExchangeKind."""
