"""The comment on an issue that both agents decline, written to the person who opened it."""

from __future__ import annotations

from collections.abc import Sequence

from harness.words.passages import paragraphs, said


def decline_comment(reasons: Sequence[tuple[str, str]], *, closes: bool) -> str:
    """(agent, reason) as `rules.triage.decline_reasons` gives them; `closes`: it is closed too."""
    read = "Two automated reviewers read this issue, each for itself, and came to the same view."
    after = (
        "It is closed for now; a maintainer can open it again."
        if closes
        else "It stays open for a maintainer to decide, and what is added here is read again."
    )
    return paragraphs(*(said(reason) for _, reason in reasons), f"{read} {after}")


def not_worth_doing_comment(reason: str) -> str:
    """The comment when an agent read the code and found nothing worth doing."""
    return paragraphs(
        said(reason),
        "This was found while working on the issue in the code; no pull request is opened. "
        "It stays open for a maintainer to decide, and what is added here is read again.",
    )
