"""Whether recorded follow-ups are still true."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from harness.facts.replies.parts import Handle, Reply


class ScreenVerdict(Reply):
    """Whether one recorded follow-up is still true."""

    handle: Handle
    reason: str = Field(
        description="Why, in one or two sentences: it is the only record of a follow-up that is "
        "dropped. already_fixed names the function or change that did it."
    )
    title: str = Field(
        description="The title, unchanged unless it says nothing; then one that names the defect."
    )
    duplicate_of_issue: int = Field(
        description="Number of the issue that already says this; 0 when there is none."
    )
    duplicate_of_handle: str = Field(
        description='Handle of the other follow-up that says the same; "" when there is none.'
    )
    verdict: Literal["still_relevant", "already_fixed", "not_worth_it", "duplicate"] = Field(
        description="still_relevant: true of the code as it is, and whenever you are unsure. "
        "already_fixed: no longer true. not_worth_it: true, and not worth anybody's time. "
        "duplicate: said by the issue or the follow-up that you name."
    )


class ScreenReply(Reply):
    """Which recorded follow-ups are still true."""

    entries: tuple[ScreenVerdict, ...] = Field(
        description="One for every follow-up shown, each exactly once."
    )
