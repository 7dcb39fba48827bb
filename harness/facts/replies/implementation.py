"""What an author did about an issue."""

from __future__ import annotations

from pydantic import Field

from harness.facts.replies.parts import Reply


class ImplementationReply(Reply):
    """What you changed; it becomes the body of the pull request."""

    problem: str = Field(
        description="Two to four short sentences: what you found to be wrong in the code and what "
        "it cost. Not the issue in other words."
    )
    changes: tuple[str, ...] = Field(
        description="One line per change of behaviour, functions and files in backticks. Not a "
        "list of files. May be empty."
    )
    testing: tuple[str, ...] = Field(
        description="The exact commands that you ran, one per line, and the test that covers the "
        "change. Commands that were not run in this exchange are marked as not run."
    )
    notes: str = Field(
        description='What a reviewer would otherwise have to ask; "" when there is nothing.'
    )
    summary: str = Field(
        description="One plain sentence of about 200 characters with one fact: what the code does "
        "now that it did not do before."
    )
    reason: str = Field(
        description="When the issue turns out not worth doing: why, in one or two sentences to "
        'the person who opened it; it is posted as it is. Otherwise "".'
    )
    not_worth_doing: bool = Field(
        description="true when, after reading the code, no change should be made. Then leave the "
        "tree unchanged and give the reason. Otherwise false, and the tree holds your change."
    )
