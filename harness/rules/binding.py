"""Whether an entry binds at a head: its scope covers the place and its code still stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from harness.facts.entries import Standing, State
from harness.facts.matching import Holding, SettleContext
from harness.facts.places import Place
from harness.rules.history import is_gone
from harness.rules.staleness import binding_anchor, has_lines


class Bond(StrEnum):
    """How an entry meets a finding that is the same."""

    BINDS = "binds"  # settled, and its code stands
    POSSIBLY = "possibly"  # settled, and nobody knows where its code stands
    CHANGED = "changed"  # settled, and its code changed
    FREE = "free"  # not settled here


@dataclass(frozen=True)
class Ground:
    """The head on which findings meet entries: scope, renames, and what became of anchors."""

    scope: str
    head: str
    renames: Mapping[str, str]
    holdings: Mapping[str, Holding]

    @classmethod
    def of(cls, context: SettleContext) -> Ground:
        """The ground of a context."""
        return cls(
            scope=context.scope,
            head=context.head,
            renames=dict(context.renames),
            holdings={one.entry_id: one for one in context.holdings},
        )

    def place_now(self, standing: Standing) -> Place | None:
        """Where the entry stands at this head, None when that is not known."""
        holding = self.holdings.get(standing.entry.id)
        if holding is not None and holding.place is not None:
            return holding.place
        anchor = holding.anchor if holding is not None else binding_anchor(standing)
        if anchor is None or anchor.commit != self.head or not has_lines(anchor):
            return None
        return Place(file=anchor.file, start_line=anchor.start_line, end_line=anchor.end_line)

    def files_of(self, standing: Standing) -> frozenset[str]:
        """Every path the entry is known under."""
        key, anchor, place = (
            standing.entry.key.file,
            standing.finding.anchor.file,
            self.place_now(standing),
        )
        renamed = [self.renames[path] for path in (key, anchor) if path in self.renames]
        return frozenset({key, anchor, *renamed, *([place.file] if place else [])})

    def covers(self, standing: Standing) -> bool:
        """Whether the standing's scope says anything here (elsewhere it is a precedent)."""
        if standing.scope in {self.scope, "repo"}:
            return True
        return any(standing.scope == f"file:{path}" for path in self.files_of(standing))

    def bond(self, standing: Standing) -> Bond:
        """Whether the entry binds here. An anchor nobody followed is possibly settled, no more."""
        if not (standing.state.is_settled and self.covers(standing)) or is_gone(standing):
            return Bond.FREE
        anchor = binding_anchor(standing)
        if standing.state is State.SUPPRESSED or not has_lines(anchor):
            return Bond.BINDS
        holding = self.holdings.get(standing.entry.id)
        if holding is None:
            return Bond.BINDS if anchor.commit == self.head else Bond.POSSIBLY
        match holding.verdict:
            case "holds" | "moved" | "placeless":
                return Bond.BINDS
            case "possibly":
                return Bond.POSSIBLY
            case "reopened":
                return Bond.CHANGED
            case "gone":
                return Bond.FREE
