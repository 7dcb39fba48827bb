"""Briefs of triage and custody: facts fill the prompts, one function per exchange.

Every function takes the prompts by name and the heading. What is shown has a handle or an id; the
`Written` says which handles must be answered, which may be, and what citations may name.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.facts.briefing import (
    BriefLimits,
    Change,
    Heading,
    Held,
    IssueThread,
    Material,
    Written,
)
from harness.facts.checks import Check
from harness.facts.entries import Standing
from harness.facts.forge import ForgeCheck
from harness.facts.journal import ExchangeKind, HandleMap
from harness.facts.leaks import Leak
from harness.words.fences import Part
from harness.words.filling import Section
from harness.words.leaks import leaks_told
from harness.words.material import (
    check_pieces,
    diff_section,
    forge_check_pieces,
    material_section,
    names_pieces,
    thread_pieces,
)
from harness.words.written import LIMITS, Prompts, findings, handles, standings, write
from harness.words.written import precedents as settled_before

CHECK_TARGET = "check"  # what K1 stands for in fix_check
LEAK_TARGET = "leak"  # the same, where a secret holds up the push
CONFLICT_TARGET = "conflict"  # what K1 stands for in update
NO_MATERIAL = Material()


def triage(
    prompts: Prompts,
    heading: Heading,
    threads: Sequence[IssueThread],
    *,
    documents: Material = NO_MATERIAL,
    limits: BriefLimits = LIMITS,
) -> Written:
    """Which issues are worth a pull request; handles are their numbers.

    Whole issues are deferred once the prompt is full; the first is always asked.
    """
    shown, deferred = _pack(threads, limits)
    pieces = [piece for thread in shown for piece in _triage_pieces(thread, limits)]
    numbers = [str(thread.issue.number) for thread in shown]
    return write(
        prompts,
        ExchangeKind.TRIAGE,
        heading,
        required=HandleMap(handles=tuple((number, number) for number in numbers)),
        words={"numbers": ", ".join(numbers)},
        sections={"issues": tuple(pieces), "material": material_section(documents, limits)},
        deferred=deferred,
    )


def implement(
    prompts: Prompts,
    heading: Heading,
    material: Material,
    *,
    base: str,
    limits: BriefLimits = LIMITS,
) -> Written:
    """Write the change for an issue, in a work tree at `base`."""
    return write(
        prompts,
        ExchangeKind.IMPLEMENT,
        heading,
        words={"base": base},
        sections={"material": material_section(material, limits)},
    )


def review(
    prompts: Prompts,
    heading: Heading,
    material: Material,
    change: Change,
    *,
    claimed: Sequence[Standing] = (),
    settled: Sequence[Standing] = (),
    precedents: Sequence[Standing] = (),
    limits: BriefLimits = LIMITS,
    kind: ExchangeKind = ExchangeKind.REVIEW,
) -> Written:
    """Review a change: rulings are required on `claimed`, possible on `settled`.

    S handles number the claimed points first, then the settled ones; their targets are entry ids.
    """
    required = handles("S", (point.entry.id for point in claimed))
    optional = handles("S", (point.entry.id for point in settled), first=len(claimed) + 1)
    return write(
        prompts,
        kind,
        heading,
        required=required,
        optional=optional,
        words={"base": change.base, "head": change.head},
        sections={
            "material": material_section(material, limits),
            "claimed": standings(required, claimed),
            "settled": standings(optional, settled),
            "precedents": settled_before(precedents, limits.precedents),
            "diff": diff_section(change, limits),
        },
    )


def close(
    prompts: Prompts,
    heading: Heading,
    material: Material,
    change: Change,
    *,
    claimed: Sequence[Standing] = (),
    settled: Sequence[Standing] = (),
    precedents: Sequence[Standing] = (),
    limits: BriefLimits = LIMITS,
) -> Written:
    """The closing pass: a review after the rounds are used up."""
    return review(
        prompts,
        heading,
        material,
        change,
        claimed=claimed,
        settled=settled,
        precedents=precedents,
        limits=limits,
        kind=ExchangeKind.CLOSE,
    )


def respond(
    prompts: Prompts,
    heading: Heading,
    material: Material,
    change: Change,
    *,
    points: Sequence[Standing],
    beside: Sequence[Standing] = (),
    precedents: Sequence[Standing] = (),
    limits: BriefLimits = LIMITS,
    kind: ExchangeKind = ExchangeKind.RESPOND,
) -> Written:
    """Answer findings: `points` (F1, ...) each once, `beside` (lesser ones) at will.

    `precedents` were settled here or elsewhere and have no handles.
    """
    required = handles("F", (point.entry.id for point in points))
    optional = handles("F", (point.entry.id for point in beside), first=len(points) + 1)
    return write(
        prompts,
        kind,
        heading,
        required=required,
        optional=optional,
        words={"base": change.base, "head": change.head},
        sections={
            "material": material_section(material, limits),
            "points": standings(required, points),
            "beside": standings(optional, beside),
            "precedents": settled_before(precedents, limits.precedents),
            "diff": diff_section(change, limits),
        },
    )


def fix_own(
    prompts: Prompts,
    heading: Heading,
    material: Material,
    change: Change,
    *,
    points: Sequence[Standing],
    beside: Sequence[Standing] = (),
    precedents: Sequence[Standing] = (),
    limits: BriefLimits = LIMITS,
) -> Written:
    """The reviewer mends what it found itself; handles as in `respond`."""
    return respond(
        prompts,
        heading,
        material,
        change,
        points=points,
        beside=beside,
        precedents=precedents,
        limits=limits,
        kind=ExchangeKind.FIX_OWN,
    )


def fix_check(
    prompts: Prompts,
    heading: Heading,
    material: Material,
    change: Change,
    *,
    check: Check | None,
    forge_checks: Sequence[ForgeCheck] = (),
    leaks: Sequence[Leak] = (),
    limits: BriefLimits = LIMITS,
) -> Written:
    """Answer a red check, red required checks of the forge or secrets under the handle K1.

    What `material` says of the head's checks is left out: it stands under K1.
    """
    around = material.model_copy(update={"head_check": None, "forge_checks": ()})
    red = check_pieces("head", check, id_="K1") if check else []
    for one in forge_checks:
        red += forge_check_pieces(one, id_="K1")
    if leaks:
        red.append(Part(id="K1", what="why nothing is pushed", text=leaks_told(leaks)))
    return write(
        prompts,
        ExchangeKind.FIX_CHECK,
        heading,
        required=handles("K", [LEAK_TARGET if leaks else CHECK_TARGET]),
        words={"base": change.base, "head": change.head},
        sections={
            "material": material_section(around, limits),
            "check": tuple(red),
            "diff": diff_section(change, limits),
        },
    )


def update(
    prompts: Prompts,
    heading: Heading,
    material: Material,
    *,
    base: str,
    head: str,
    conflicts: Sequence[str],
    limits: BriefLimits = LIMITS,
) -> Written:
    """Resolve the conflicts of a merge of the base into the branch, under the handle K1."""
    return write(
        prompts,
        ExchangeKind.UPDATE,
        heading,
        required=handles("K", [CONFLICT_TARGET]),
        words={"base": base, "head": head},
        sections={
            "material": material_section(material, limits),
            "conflicts": tuple(names_pieces("K1", "files in conflict", conflicts)),
        },
    )


def rebut(
    prompts: Prompts,
    heading: Heading,
    material: Material,
    change: Change,
    *,
    points: Sequence[Standing],
    limits: BriefLimits = LIMITS,
) -> Written:
    """The raiser answers what was claimed or objected about its points (S1, ...)."""
    required = handles("S", (point.entry.id for point in points))
    return write(
        prompts,
        ExchangeKind.REBUT,
        heading,
        required=required,
        words={"base": change.base, "head": change.head},
        sections={
            "material": material_section(material, limits),
            "points": standings(required, points),
            "diff": diff_section(change, limits),
        },
    )


def same(
    prompts: Prompts,
    heading: Heading,
    *,
    held: Sequence[Held],
    points: Sequence[Standing],
) -> Written:
    """Which held findings (F1, ...) are settled points (S1, ...) in other words."""
    required = handles("F", (one.target for one in held))
    known = handles("S", (point.entry.id for point in points))
    return write(
        prompts,
        ExchangeKind.SAME,
        heading,
        required=required,
        known=known,
        sections={
            "findings": findings(required, held),
            "points": standings(known, points),
        },
    )


def adjudicate(
    prompts: Prompts,
    heading: Heading,
    material: Material,
    change: Change,
    *,
    held: Sequence[Held],
    limits: BriefLimits = LIMITS,
) -> Written:
    """One reviewer on the other's findings (F1, ...)."""
    required = handles("F", (one.target for one in held))
    return write(
        prompts,
        ExchangeKind.ADJUDICATE,
        heading,
        required=required,
        words={"base": change.base, "head": change.head},
        sections={
            "material": material_section(material, limits),
            "findings": findings(required, held),
            "diff": diff_section(change, limits),
        },
    )


def _triage_pieces(thread: IssueThread, limits: BriefLimits) -> Section:
    return tuple(thread_pieces(thread, limits, id_=str(thread.issue.number)))


def _pack(
    threads: Sequence[IssueThread], limits: BriefLimits
) -> tuple[list[IssueThread], tuple[int, ...]]:
    """The threads that fit whole, in their order, and the numbers of those that wait."""
    shown: list[IssueThread] = []
    deferred: list[int] = []
    used = 0
    for thread in threads:
        pieces = _triage_pieces(thread, limits)
        size = sum(len(piece.text) for piece in pieces)
        if shown and (deferred or used + size > limits.prompt):
            deferred.append(thread.issue.number)
        else:
            shown.append(thread)
            used += size
    return shown, tuple(deferred)
