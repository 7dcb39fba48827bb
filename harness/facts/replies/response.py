"""What an author did about findings."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from harness.facts.replies.parts import EvidenceReply, Handle, IssueBody, IssueTitle, Reply


class DispositionReply(Reply):
    """What you did about one point."""

    handle: Handle
    evidence: tuple[EvidenceReply, ...] = Field(
        description="Proof. Required when refuted (what shows that the finding is wrong) and when "
        "filed (what shows that it is not this change's). Quotes may stand in the tree as you "
        "leave it."
    )
    reasoning: str = Field(
        description="fixed: what you changed and why that mends it. refuted or filed: the whole "
        "argument, since its raiser decides on it; no apology, no politeness."
    )
    new_issue_title: IssueTitle
    new_issue_body: IssueBody
    action: Literal["fixed", "refuted", "filed"] = Field(
        description="fixed: valid, in scope, and done in this tree. refuted: wrong, or not worth "
        "acting on. filed: valid, but not this change's; give title and body of the issue."
    )


class ResponseReply(Reply):
    """Your answer to the points; your edits stand in the tree."""

    dispositions: tuple[DispositionReply, ...] = Field(
        description="One for every point that was put to you, each exactly once."
    )
    summary: str = Field(
        description="One or two sentences: what the code does now that it did not do before you "
        "answered."
    )
