"""What a reviewer finds, and how it rules on what was claimed."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from harness.facts.replies.parts import EvidenceReply, Handle, Reply


class NewIssueReply(Reply):
    """A defect of its own, for somebody who picks it up cold, months later."""

    problem: str = Field(
        description="What is wrong, with the specifics: function, file, value, message."
    )
    reproduction: str = Field(
        description='Numbered steps that show it, then "Actual result:" with what happens, saying '
        "which part of it is right."
    )
    impact: str = Field(description="Who notices and what it costs, one short paragraph.")
    expected: str = Field(
        description="What should hold instead, as requirements that can be tested, and whether "
        "the defect was there before this change."
    )


class FindingReply(Reply):
    """One defect."""

    file: str = Field(
        description='Path as in the repository, without a line number; "" for a finding about the '
        "change as a whole."
    )
    start_line: int = Field(
        description="First line of the defect in the file as it is at the head; 0 when general."
    )
    end_line: int = Field(
        description="Last line of the defect, no context around it; 0 when general."
    )
    evidence: tuple[EvidenceReply, ...] = Field(
        description="What proves it. Required for a blocking finding: the code that is wrong, "
        "and where it helps the command that shows it."
    )
    failure_scenario: str = Field(
        description="The concrete input or state, then the wrong result or crash that follows; "
        'for a cleanup the concrete cost. "" only below blocking.'
    )
    title: str = Field(
        description="The defect, not the fix, about 80 characters, no severity tag, no line number."
    )
    detail: str = Field(
        description="The first sentence stands alone: it is the short form. Then what goes wrong, "
        "where, and how to reproduce it; for a blocking finding also what you did to confirm it."
    )
    suggestion: str = Field(
        description='Replacement for exactly the lines start_line to end_line; "" when there is '
        "none or it would touch other lines."
    )
    citations: tuple[str, ...] = Field(
        description="Ids of supplied documents (D2), standing rules (R1) or criteria that this "
        "rests on; required for architecture and spec. Also the handle (S3) of a shown settled "
        "or claimed point when this finding is that point again."
    )
    category: Literal[
        "correctness",
        "security",
        "data",
        "performance",
        "tests",
        "maintainability",
        "architecture",
        "spec",
    ] = Field(
        description="The main kind. data: loss or corruption. architecture: against a cited rule "
        "of this project. spec: against a cited requirement, which evidence or detail quotes."
    )
    in_scope: bool = Field(
        description="false only for a real defect that this change did not cause and that is "
        "worth somebody stopping for; an observation is not one. Lines that the diff added are in "
        "scope. Unsure: true."
    )
    issue: NewIssueReply | None = Field(
        description="When in_scope is false: the defect as an issue of its own. Otherwise null."
    )
    severity: Literal["blocking", "non-blocking", "nit"] = Field(
        description="blocking: must not be merged as it is: a real defect, confirmed, with "
        "evidence. non-blocking: a true gain that need not hold this change up. nit: taste. "
        "Unsure: non-blocking."
    )


class RulingReply(Reply):
    """Your ruling on a point shown as claimed, or on a settled one that you raise again."""

    handle: Handle
    evidence: tuple[EvidenceReply, ...] = Field(
        description="What you found when you went there. Required when you agree (a quote, where "
        "the claim is refuted or filed) and when you raise a settled point again (what is new)."
    )
    reasoning: str = Field(
        description="Why the claim holds or does not hold at this head, in a few sentences."
    )
    agrees: bool = Field(
        description="true only after you went to the code: of a claimed fix, the defect is gone "
        "at this head; of a refuted point, it is wrong or not worth acting on; of a filed one, it "
        "is not this change's. false: the point stands, or a settled point is raised again."
    )


class NotReviewed(Reply):
    """A part of the change that you did not look at."""

    path: str = Field(description="Path as in the repository.")
    reason: str = Field(description="Why it was not looked at.")


class ReviewReply(Reply):
    """A review of the change."""

    findings: tuple[FindingReply, ...] = Field(
        description="Every defect found, each once. Empty when there is none."
    )
    rulings: tuple[RulingReply, ...] = Field(
        description="One for every point shown as claimed, and one for each settled point that "
        "you raise again."
    )
    not_reviewed: tuple[NotReviewed, ...] = Field(
        description="What of the change you did not look at; empty when you looked at all of it."
    )
    summary: str = Field(
        description="About 200 characters on the change and its state, no preamble."
    )
    risk: Literal["low", "medium", "high"] = Field(
        description="What breaks if this change is wrong. low: tests show it. medium: users may "
        "notice. high: data, security or a public interface."
    )
    next_action: Literal["merge", "fix_myself", "hand_back"] = Field(
        description="merge: nothing blocks. fix_myself: you would mend what blocks, it is small "
        "and clear. hand_back: the author should."
    )
    verdict: Literal["approve", "changes_requested"] = Field(
        description="changes_requested exactly when a finding in scope blocks or a claimed point "
        "stands; otherwise approve."
    )
