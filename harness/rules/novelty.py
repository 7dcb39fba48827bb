"""Whether what is brought against a settled point is new.

New is evidence that nobody gave about this entry before: no earlier evidence in the same path has
an equal, containing or contained text. The anchor's own lines are never new: whoever raises a
point looks at them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from harness.facts.entries import Standing
from harness.facts.findings import Evidence
from harness.facts.places import Anchor
from harness.rules.fold import in_order
from harness.rules.identity import fold_text
from harness.rules.staleness import binding_anchor


def has_new_evidence(
    evidence: tuple[Evidence, ...],
    anchor: Anchor,
    standing: Standing,
    renames: Mapping[str, str],
) -> bool:
    """Whether any of this evidence, given with this anchor, is new against the entry's history."""
    story = in_order(standing.events)
    told = [one for event in story for one in event.evidence]
    if not any(event.finding for event in story):
        told += standing.finding.evidence
    anchors = (anchor, binding_anchor(standing), standing.finding.anchor)
    old = [(one.file, one.text) for one in told] + [(one.file, one.text) for one in anchors]
    folded = [(renames.get(path, path), text) for path, raw in old if (text := fold_text(raw))]
    return any(_is_new(one, folded, renames) for one in evidence)


def _is_new(one: Evidence, old: list[tuple[str, str]], renames: Mapping[str, str]) -> bool:
    text, path = fold_text(one.text), renames.get(one.file, one.file)
    if not text:
        return False
    return not any(
        path == there and (text in known or _holds_words(text, known)) for there, known in old
    )


def _holds_words(text: str, known: str) -> bool:
    """Whether it stands in the text by itself, not as a part of longer words."""
    before = r"(?<!\w)" if known[0].isalnum() else ""
    after = r"(?!\w)" if known[-1].isalnum() else ""
    return re.search(before + re.escape(known) + after, text) is not None
