"""What agents answer: one closed, strict model per reply; the descriptions travel as prompt.

Model-written shapes stay apart from host-written ones: nothing here can suppress, settle or mark
anything as posted. Keys stand in the order evidence, scenario, words, classification, verdict:
constrained decoding writes in schema order, and what comes first is decided first.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Reply(BaseModel):
    """A closed object, parsed strictly."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class EvidenceReply(Reply):
    kind: Literal["quote", "removed", "command"]
    path: str
    line: int
    text: str


class IssueOpinion(Reply):
    issue: int
    reason: str
    depends_on: tuple[int, ...]
    complexity: Literal["s", "m", "l"]
    risk: Literal["low", "medium", "high"]
    tracker: bool
    worth_doing: bool


class TriageReply(Reply):
    issues: tuple[IssueOpinion, ...]


class ImplementationReply(Reply):
    problem: str
    changes: tuple[str, ...]
    testing: tuple[str, ...]
    notes: str
    summary: str
    reason: str
    not_worth_doing: bool


class NewIssueReply(Reply):
    problem: str
    reproduction: str
    impact: str
    expected: str


class FindingReply(Reply):
    file: str
    start_line: int
    end_line: int
    evidence: tuple[EvidenceReply, ...]
    failure_scenario: str
    title: str
    detail: str
    suggestion: str
    citations: tuple[str, ...]
    category: Literal[
        "correctness",
        "security",
        "data",
        "performance",
        "tests",
        "maintainability",
        "architecture",
        "spec",
    ]
    in_scope: bool
    issue: NewIssueReply | None
    severity: Literal["blocking", "non-blocking", "nit"]


class RulingReply(Reply):
    handle: str
    evidence: tuple[EvidenceReply, ...]
    reasoning: str
    agrees: bool


class NotReviewed(Reply):
    path: str
    reason: str


class ReviewReply(Reply):
    findings: tuple[FindingReply, ...]
    rulings: tuple[RulingReply, ...]
    not_reviewed: tuple[NotReviewed, ...]
    summary: str
    risk: Literal["low", "medium", "high"]
    next_action: Literal["merge", "fix_myself", "hand_back"]
    verdict: Literal["approve", "changes_requested"]


class DispositionReply(Reply):
    handle: str
    evidence: tuple[EvidenceReply, ...]
    reasoning: str
    new_issue_title: str
    new_issue_body: str
    action: Literal["fixed", "refuted", "filed"]


class ResponseReply(Reply):
    dispositions: tuple[DispositionReply, ...]
    summary: str


class VerdictReply(Reply):
    handle: str
    evidence: tuple[EvidenceReply, ...]
    reasoning: str
    severity: Literal["blocking", "non-blocking", "nit"]
    agrees: bool


class AdjudicationReply(Reply):
    verdicts: tuple[VerdictReply, ...]


class AnswerReply(Reply):
    handle: str
    evidence: tuple[EvidenceReply, ...]
    reasoning: str
    stands: bool


class RebuttalReply(Reply):
    answers: tuple[AnswerReply, ...]


class SameAnswer(Reply):
    handle: str
    reasoning: str
    same_as: str


class SameReply(Reply):
    answers: tuple[SameAnswer, ...]


class ScreenVerdict(Reply):
    handle: str
    reason: str
    title: str
    duplicate_of_issue: int
    duplicate_of_handle: str
    verdict: Literal["still_relevant", "already_fixed", "not_worth_it", "duplicate"]


class ScreenReply(Reply):
    entries: tuple[ScreenVerdict, ...]


class CheckinVerdict(Reply):
    handle: str
    request: str
    reasoning: str
    new_issue_title: str
    new_issue_body: str
    unambiguous: bool
    ask: Literal["implement", "defer", "decline", "answer", "nothing"]


class CheckinReply(Reply):
    verdicts: tuple[CheckinVerdict, ...]


class CheckinCheck(Reply):
    handle: str
    reasoning: str
    unambiguous: bool
    ask: Literal["implement", "defer", "decline", "answer", "nothing"]
    agrees: bool


class CheckinCheckReply(Reply):
    checks: tuple[CheckinCheck, ...]


class CheckinDone(Reply):
    handle: str
    summary: str
    changed: bool


class CheckinFixReply(Reply):
    done: tuple[CheckinDone, ...]


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
