"""What an agent thinks of open issues."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from harness.facts.replies.parts import Reply


class IssueOpinion(Reply):
    """Your opinion on one issue."""

    issue: int = Field(description="The issue's number.")
    reason: str = Field(
        description="One sentence: why it is or is not worth a pull request. When the work is "
        "declined it is posted as it is on an issue that may stay open: write it to the person "
        "who opened it, with the fact that decides it, not as a verdict."
    )
    depends_on: tuple[int, ...] = Field(
        description="Numbers of other issues of this list that must be done first; usually empty."
    )
    complexity: Literal["s", "m", "l"] = Field(
        description="s: one place, an hour. m: several places, a day. l: more, or unclear."
    )
    risk: Literal["low", "medium", "high"] = Field(
        description="What breaks if the change is wrong. low: tests show it. medium: users may "
        "notice. high: data, security or a public interface."
    )
    tracker: bool = Field(
        description="true when the issue exists to hold together work that is filed elsewhere "
        "(an epic, a checklist of other issues). Judge what it is, not what you think of it."
    )
    worth_doing: bool = Field(
        description="true when the issue is worth a pull request now. false for a duplicate, "
        "something stale or already fixed, nothing to reproduce or act on, a change that would "
        "make the code worse, and a tracker."
    )


class TriageReply(Reply):
    """Which of the shown issues are worth a pull request."""

    issues: tuple[IssueOpinion, ...] = Field(
        description="One opinion for every issue shown, each exactly once."
    )
