"""What a raiser answers to an objection."""

from __future__ import annotations

from pydantic import Field

from harness.facts.replies.parts import EvidenceReply, Handle, Reply


class AnswerReply(Reply):
    """Your answer to an objection, or to a claim, about a point that you raised."""

    handle: Handle
    evidence: tuple[EvidenceReply, ...] = Field(
        description="When you stand: the line, the command or the failing case that shows it. "
        "When you agree that it is fixed: what shows at this head that it is gone. "
        "When you withdraw: may be empty."
    )
    reasoning: str = Field(
        description="Why the point stands, or what in the other side's argument ends it."
    )
    stands: bool = Field(
        description="true only with the line, the input or the failing case that proves the "
        "point. false withdraws it, which costs nothing and ends it; where it is claimed to be "
        "fixed, false says: I went there at this head and it is gone."
    )


class RebuttalReply(Reply):
    """Your answers on the points that you raised."""

    answers: tuple[AnswerReply, ...] = Field(
        description="One for every point put to you, each exactly once."
    )
