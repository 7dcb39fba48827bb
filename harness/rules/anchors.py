"""Which findings can stand beside the code, and which go to the body with their place.

A forge takes an inline comment only on new-side lines inside one hunk of the reviewed diff, and of
a span only `start_line < line` (GitHub REST, pulls/comments). One bad anchor would lose the whole
review there, so it is never sent.
"""

from __future__ import annotations

from harness.facts.findings import Finding
from harness.facts.intents import InlineNote
from harness.facts.places import Diff, Place
from harness.facts.value import Fact
from harness.rules.hunks import is_inline


class Divided(Fact):
    """Findings by where they can be said; each kind in the order given."""

    inline: tuple[Finding, ...]
    body: tuple[Finding, ...]


def divide_findings(findings: tuple[Finding, ...], diff: Diff) -> Divided:
    """Divide them by the diff that was reviewed."""
    inline = tuple(one for one in findings if is_inline(diff, place_of(one)))
    return Divided(inline=inline, body=tuple(one for one in findings if one not in inline))


def inline_note(finding: Finding, diff: Diff, body: str) -> InlineNote | None:
    """The comment beside the finding's lines, None where the forge would refuse it."""
    place = place_of(finding)
    if not is_inline(diff, place):
        return None
    start = place.start_line if place.start_line < place.end_line else 0
    return InlineNote(path=place.file, start_line=start, line=place.end_line, body=body)


def place_of(finding: Finding) -> Place:
    """Where the finding stands at the head it was raised at."""
    anchor = finding.anchor
    return Place(file=anchor.file, start_line=anchor.start_line, end_line=anchor.end_line)
