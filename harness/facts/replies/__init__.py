"""What agents answer: one closed, strict model per reply; the descriptions travel as prompt.

Model-written shapes stay apart from host-written ones: nothing here can suppress, settle or mark
anything as posted. Keys stand in the order evidence, scenario, words, classification, verdict:
constrained decoding writes in schema order, and what comes first is decided first.
"""

from __future__ import annotations

from harness.facts.replies.adjudication import AdjudicationReply, VerdictReply
from harness.facts.replies.checkin import (
    CheckinCheck,
    CheckinCheckReply,
    CheckinDone,
    CheckinFixReply,
    CheckinReply,
    CheckinVerdict,
)
from harness.facts.replies.implementation import ImplementationReply
from harness.facts.replies.parts import EvidenceReply, Reply
from harness.facts.replies.rebuttal import AnswerReply, RebuttalReply
from harness.facts.replies.response import DispositionReply, ResponseReply
from harness.facts.replies.review import (
    FindingReply,
    NewIssueReply,
    NotReviewed,
    ReviewReply,
    RulingReply,
)
from harness.facts.replies.same import SameAnswer, SameReply
from harness.facts.replies.screen import ScreenReply, ScreenVerdict
from harness.facts.replies.triage import IssueOpinion, TriageReply

AnyReply = (
    TriageReply
    | ImplementationReply
    | ReviewReply
    | ResponseReply
    | AdjudicationReply
    | RebuttalReply
    | SameReply
    | ScreenReply
    | CheckinReply
    | CheckinCheckReply
    | CheckinFixReply
)

__all__ = [
    "AdjudicationReply",
    "AnswerReply",
    "AnyReply",
    "CheckinCheck",
    "CheckinCheckReply",
    "CheckinDone",
    "CheckinFixReply",
    "CheckinReply",
    "CheckinVerdict",
    "DispositionReply",
    "EvidenceReply",
    "FindingReply",
    "ImplementationReply",
    "IssueOpinion",
    "NewIssueReply",
    "NotReviewed",
    "RebuttalReply",
    "Reply",
    "ResponseReply",
    "ReviewReply",
    "RulingReply",
    "SameAnswer",
    "SameReply",
    "ScreenReply",
    "ScreenVerdict",
    "TriageReply",
    "VerdictReply",
]
