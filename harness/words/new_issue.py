"""The body of an issue that we file, for somebody who picks it up cold, months later."""

from __future__ import annotations

from harness.facts.findings import NewIssue
from harness.words.passages import on_line, paragraphs, said, section, shorten

TITLE = 200


def issue_title(title: str) -> str:
    """One line."""
    return shorten(on_line(title), TITLE)


def issue_body(issue: NewIssue, *, pull: int, fingerprint: str) -> str:
    """The four sections, and where it was found."""
    return paragraphs(
        section("Problem", said(issue.problem)),
        section("Reproduction", said(issue.reproduction)),
        section("Impact", said(issue.impact)),
        section("Expected behaviour", said(issue.expected)),
        found_in(pull, fingerprint),
    )


def filed_body(body: str, *, pull: int, fingerprint: str) -> str:
    """A body that an agent wrote whole, and where it was found."""
    return paragraphs(said(body), found_in(pull, fingerprint))


def found_in(pull: int, fingerprint: str) -> str:
    """Where it comes from; it is not caused by that change."""
    known = fingerprint.removeprefix("v1:")[:8]
    return f"Found while reviewing #{pull}, which did not cause it (ledger entry {known})."
