"""Whether a label says to leave an item alone, and whether naming the item says otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from harness.facts.forge import Happening


def skipping(labels: Iterable[str], skip_labels: Iterable[str]) -> frozenset[str]:
    """Those of an item's labels that say to leave it alone, folded."""
    skip = {label.casefold() for label in skip_labels}
    return frozenset(label.casefold() for label in labels) & skip


def set_since(on: frozenset[str], timeline: Iterable[Happening], named_at: datetime) -> bool:
    """Whether one of these was set after the operator named the item: the later word counts."""
    return any(
        one.kind == "labeled" and one.detail.casefold() in on and one.at > named_at
        for one in timeline
    )
