"""What every brief comes to: text, handles, ids that may be cited, and what was said aloud."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from harness.facts.briefing import BriefLimits, Heading, Held, Written
from harness.facts.entries import Standing
from harness.facts.journal import ExchangeKind, HandleMap
from harness.rules.cleaning import count_of
from harness.words.fences import Part
from harness.words.filling import Note, Section, fill
from harness.words.points_told import finding_part, standing_part

Prompts = Mapping[str, str]

LIMITS = BriefLimits()
NO_HANDLES = HandleMap(handles=())


def handles(prefix: str, targets: Iterable[str], *, first: int = 1) -> HandleMap:
    """Handles F1, F2, ... for what they stand for, numbered from `first`."""
    pairs = ((f"{prefix}{n}", target) for n, target in enumerate(targets, start=first))
    return HandleMap(handles=tuple(pairs))


def write(
    prompts: Prompts,
    kind: ExchangeKind,
    heading: Heading,
    *,
    sections: Mapping[str, Section],
    words: Mapping[str, str] | None = None,
    required: HandleMap = NO_HANDLES,
    optional: HandleMap = NO_HANDLES,
    known: HandleMap = NO_HANDLES,
    deferred: tuple[int, ...] = (),
) -> Written:
    """The brief of an exchange; `known` handles are named in answers, never answered themselves."""
    common = {"repo": heading.repo, "item": str(heading.item), **(words or {})}
    system, prompt = fill(prompts, kind, heading, words=common, sections=sections)
    documents = [
        piece for piece in sections.get("material", ()) if isinstance(piece, Part) and piece.id
    ]
    return Written(
        system=system,
        prompt=prompt,
        handles=HandleMap(handles=required.handles + optional.handles + known.handles),
        required_handles=tuple(handle for handle, _ in required.handles),
        optional_handles=tuple(handle for handle, _ in optional.handles),
        citable=tuple(part.id for part in documents),
        documents=tuple((part.id, part.text) for part in documents),
        aloud=tuple(
            piece.text
            for section in sections.values()
            for piece in section
            if isinstance(piece, Note)
        ),
        deferred=deferred,
    )


def standings(given: HandleMap, points: Sequence[Standing]) -> Section:
    """Points of the ledger, each under its handle."""
    pairs = zip(given.handles, points, strict=True)
    return tuple(standing_part(handle, point) for (handle, _), point in pairs)


def precedents(points: Sequence[Standing], limit: int) -> Section:
    """Settled points without handles, so that nothing is answered about them; the first ones."""
    parts = tuple(standing_part("", point) for point in points[:limit])
    left = len(points) - limit
    note = Note(text=f"Left out: {count_of(left, 'more settled point')}.")
    return (*parts, note) if left > 0 else parts


def findings(given: HandleMap, held: Sequence[Held]) -> Section:
    """Findings as they were raised, each under its handle."""
    pairs = zip(given.handles, held, strict=True)
    return tuple(finding_part(handle, one.finding) for (handle, _), one in pairs)
