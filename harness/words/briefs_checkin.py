"""Briefs of check-in and of screening follow-ups: what people wrote, and what was recorded."""

from __future__ import annotations

from collections.abc import Sequence

from harness.facts.briefing import (
    Ask,
    BriefLimits,
    Change,
    Heading,
    Material,
    Said,
    Written,
)
from harness.facts.entries import Standing
from harness.facts.forge import Issue
from harness.facts.journal import ExchangeKind
from harness.rules.cleaning import clean_plain
from harness.words.fences import Part
from harness.words.filling import Section
from harness.words.material import comment_pieces, diff_section, material_section, shown_cleaned
from harness.words.written import LIMITS, Prompts, handles, standings, write


def screen(
    prompts: Prompts,
    heading: Heading,
    *,
    entries: Sequence[Standing],
    issues: Sequence[Issue] = (),
    base: str,
) -> Written:
    """Which recorded follow-ups (E1, ...) are still true of the base."""
    required = handles("E", (entry.entry.id for entry in entries))
    titles = "\n".join(f"{issue.number}: {issue.title}" for issue in issues)
    shown = tuple(shown_cleaned("", "open issues", clean_plain(titles))) if issues else ()
    return write(
        prompts,
        ExchangeKind.SCREEN,
        heading,
        required=required,
        words={"base": base},
        sections={"entries": standings(required, entries), "issues": shown},
    )


def checkin(
    prompts: Prompts,
    heading: Heading,
    material: Material,
    change: Change,
    *,
    comments: Sequence[Said],
    limits: BriefLimits = LIMITS,
) -> Written:
    """What people's comments (C1, ...) ask for; targets are comment ids."""
    required = handles("C", (str(said.comment.id) for said in comments))
    shown = [
        piece
        for (handle, _), said in zip(required.handles, comments, strict=True)
        for piece in comment_pieces(said, limits.thread, id_=handle)
    ]
    return write(
        prompts,
        ExchangeKind.CHECKIN,
        heading,
        required=required,
        words={"base": change.base, "head": change.head},
        sections={
            "material": material_section(material, limits),
            "comments": tuple(shown),
            "diff": diff_section(change, limits),
        },
    )


def checkin_check(
    prompts: Prompts,
    heading: Heading,
    material: Material,
    change: Change,
    *,
    asks: Sequence[Ask],
    limits: BriefLimits = LIMITS,
    kind: ExchangeKind = ExchangeKind.CHECKIN_CHECK,
) -> Written:
    """The other agent checks what the first made of people's comments (C1, ...)."""
    required = handles("C", (str(ask.said.comment.id) for ask in asks))
    shown = [
        piece
        for (handle, _), ask in zip(required.handles, asks, strict=True)
        for piece in _ask_pieces(handle, ask, limits)
    ]
    return write(
        prompts,
        kind,
        heading,
        required=required,
        words={"base": change.base, "head": change.head},
        sections={
            "material": material_section(material, limits),
            "asks": tuple(shown),
            "diff": diff_section(change, limits),
        },
    )


def checkin_fix(
    prompts: Prompts,
    heading: Heading,
    material: Material,
    change: Change,
    *,
    asks: Sequence[Ask],
    limits: BriefLimits = LIMITS,
) -> Written:
    """Make the changes that people asked for (C1, ...) and both agents want."""
    return checkin_check(
        prompts,
        heading,
        material,
        change,
        asks=asks,
        limits=limits,
        kind=ExchangeKind.CHECKIN_FIX,
    )


def _ask_pieces(handle: str, ask: Ask, limits: BriefLimits) -> Section:
    understood = f"request: {ask.request}\nask: {ask.ask}\nreasoning: {ask.reasoning}"
    return (
        *comment_pieces(ask.said, limits.thread, id_=handle),
        Part(id=handle, what="as the other agent understood it", text=understood),
    )
