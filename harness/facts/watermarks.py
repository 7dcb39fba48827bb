"""How far a conversation has been answered."""

from __future__ import annotations

from datetime import datetime

from harness.facts.value import Fact


class Watermark(Fact):
    """Answered up to this comment; one edited after `seen_until` counts as unanswered again."""

    repo_id: int
    item: int
    conversation: str  # a thread's id, "issue" for top-level comments, "reviews" for review bodies
    comment: int
    seen_until: datetime
