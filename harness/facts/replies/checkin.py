"""What people ask for on a pull request, and what was done about it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from harness.facts.replies.parts import Handle, IssueBody, IssueTitle, Reply


class CheckinVerdict(Reply):
    """What one person's comment asks for, and what should be done about it."""

    handle: Handle
    request: str = Field(
        description="What is asked, in your own words, complete enough to be acted on without the "
        'comment. "" when nothing is asked.'
    )
    reasoning: str = Field(
        description="Why. For decline and answer it is posted as it is: write it to the person, "
        "with facts from the code, not about yourself; no promise, no date."
    )
    new_issue_title: IssueTitle
    new_issue_body: IssueBody
    unambiguous: bool = Field(
        description="false when the comment reads two ways or you had to guess. A false costs a "
        "question; a wrong true costs somebody a commit."
    )
    ask: Literal["implement", "defer", "decline", "answer", "nothing"] = Field(
        description="implement: right, and belongs on this branch. defer: right, but work of its "
        "own; give title and body of the issue. decline: should not be made. answer: a question. "
        "nothing: nothing is asked."
    )


class CheckinReply(Reply):
    """What the comments of people on this pull request ask for."""

    verdicts: tuple[CheckinVerdict, ...] = Field(
        description="One for every comment put to you, each exactly once."
    )


class CheckinCheck(Reply):
    """Your check of one verdict of the other agent."""

    handle: Handle
    reasoning: str = Field(
        description="What the comment and the code say. When you disagree and ask is decline or "
        "answer: written to the person."
    )
    unambiguous: bool = Field(
        description="false when the comment reads two ways or you had to guess."
    )
    ask: Literal["implement", "defer", "decline", "answer", "nothing"] = Field(
        description="Your own reading; it counts only when agrees is false. implement: right, and "
        "belongs on this branch. defer: right, but work of its own. decline: should not be made. "
        "answer: a question. nothing: nothing is asked."
    )
    agrees: bool = Field(
        description="true only after you went to the code and would do the same. Otherwise false."
    )


class CheckinCheckReply(Reply):
    """Your checks of the other agent's verdicts."""

    checks: tuple[CheckinCheck, ...] = Field(
        description="One for every verdict shown, each exactly once."
    )


class CheckinDone(Reply):
    """What you did about one request."""

    handle: Handle
    summary: str = Field(
        description="What was changed, or why nothing should be, one or two sentences to the "
        "person who asked; it is posted in that thread as it is."
    )
    changed: bool = Field(
        description="true when the tree holds the change that was asked for. false is a good "
        "answer when the change turns out to be wrong."
    )


class CheckinFixReply(Reply):
    """What you did about the requests; your edits stand in the tree."""

    done: tuple[CheckinDone, ...] = Field(
        description="One for every request put to you, each exactly once."
    )
