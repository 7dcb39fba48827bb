"""What a reviewer thinks of the findings of another."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from harness.facts.replies.parts import EvidenceReply, Handle, Reply


class VerdictReply(Reply):
    """Your verdict on one finding of the other reviewer."""

    handle: Handle
    evidence: tuple[EvidenceReply, ...] = Field(
        description="What you found when you went there. Agreeing needs a quote of the defect."
    )
    reasoning: str = Field(
        description="Why the defect is or is not there. When you disagree: the whole argument."
    )
    severity: Literal["blocking", "non-blocking", "nit"] = Field(
        description="Your own view of its weight, also when you agree. blocking: must not be "
        "merged as it is. non-blocking: a true gain that need not hold this change up. nit: taste."
    )
    agrees: bool = Field(
        description="true only after you read the code and found the defect there. What you cannot "
        "confirm is false: it should not cost a maintainer time."
    )


class AdjudicationReply(Reply):
    """Your verdicts on the findings of the other reviewer."""

    verdicts: tuple[VerdictReply, ...] = Field(
        description="One for every finding shown, each exactly once."
    )
