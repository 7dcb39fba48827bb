"""What stands in the commits we make: what changed, for which item, and the configured trailers."""

from __future__ import annotations

from collections.abc import Callable

from harness.facts.settings import CommitSettings
from harness.rules.outgoing import OutgoingPolicy, Where, pass_text
from harness.words.passages import paragraphs, shorten

SUBJECT = 72  # the width that git's own tools are made for
NO_SUMMARY = "Change what was asked for"


def commit_message(
    summary: str, *, item: int, settings: CommitSettings, mask: Callable[[str], str]
) -> str:
    """The message of a commit with an agent's changes, passed through the gateway."""
    line = " ".join(summary.split()).rstrip(".") or NO_SUMMARY
    subject = shorten(line, SUBJECT)
    body = f"{line}." if subject != line else ""
    return _passed(paragraphs(subject, body, f"Refs #{item}"), settings, mask)


def merge_message(
    base_ref: str, branch: str, *, settings: CommitSettings, mask: Callable[[str], str]
) -> str:
    """The message of a merge of the base into our branch."""
    return _passed(f"Merge {base_ref} into {branch}", settings, mask)


def squash_title(title: str, pull: int) -> str:
    """The subject that a squashed or merged pull request gets, as GitHub writes it itself."""
    return f"{title} (#{pull})"


def squash_message(summary: str, *, closes: int, settings: CommitSettings) -> str:
    """The body of the commit that a pull request becomes; 0 closes nothing."""
    closing = f"Closes #{closes}" if closes else ""
    return paragraphs(summary, closing, "\n".join(trailers(settings)))


def trailers(settings: CommitSettings) -> tuple[str, ...]:
    """Exactly the configured trailers, and our own sign-off where it is asked for."""
    signed = (f"Signed-off-by: {settings.author}",) if settings.signoff else ()
    return (*settings.trailers, *signed)


def _passed(text: str, settings: CommitSettings, mask: Callable[[str], str]) -> str:
    meant = trailers(settings)
    policy = OutgoingPolicy(mask=mask, trailers=meant)
    return pass_text(paragraphs(text, "\n".join(meant)), Where.COMMIT, policy) + "\n"
