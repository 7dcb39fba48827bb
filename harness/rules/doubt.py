"""Which writes may be made again after doubt: those of which there can only be one."""

from __future__ import annotations

from harness.facts.intents import (
    CommentOn,
    CreateIssue,
    MakeCheckRun,
    PostReview,
    ReplyIn,
    Write,
)

_COUNTED = (CommentOn, CreateIssue, ReplyIn, PostReview, MakeCheckRun)


def is_safe_again(write: Write) -> bool:
    """Whether making it twice makes no second one: unique by content, by state or by its pin."""
    return not isinstance(write, _COUNTED)
