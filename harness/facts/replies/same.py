"""Whether a finding is a point that was shown before."""

from __future__ import annotations

from pydantic import Field

from harness.facts.replies.parts import Handle, Reply


class SameAnswer(Reply):
    """Whether one finding is a point that was shown before."""

    handle: Handle
    reasoning: str = Field(
        description="What makes them the same defect, or what tells them apart, one sentence."
    )
    same_as: str = Field(
        description='The S handle of the point that this finding is, in other words; "" when it is '
        "a new point."
    )


class SameReply(Reply):
    """Which findings are points that were shown before."""

    answers: tuple[SameAnswer, ...] = Field(
        description="One for every finding shown, each exactly once."
    )
