"""A prompt is filled: sections of our own sentences and fenced parts go in for its names."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

from harness.facts.briefing import Heading
from harness.facts.exchanges import EXCHANGES
from harness.facts.journal import ExchangeKind
from harness.facts.turns import Tools
from harness.facts.value import Fact
from harness.words.fences import Part, derive_fence, fence_part


class Note(Fact):
    """A sentence of ours about what was cut, dropped or cleaned, said where it happened."""

    text: str


Section = tuple[Part | Note, ...]
"""Paragraphs in order: parts are fenced, notes stand as they are."""

NOTHING: Section = (Note(text="None."),)


def first_line(kind: ExchangeKind, heading: Heading) -> str:
    """`exchange: KIND REPO#N round R`."""
    return f"exchange: {kind.value} {heading.repo}#{heading.item} round {heading.round}"


def fill(
    prompts: Mapping[str, str],
    kind: ExchangeKind,
    heading: Heading,
    *,
    words: Mapping[str, str],
    sections: Mapping[str, Section],
) -> tuple[str, str]:
    """System and prompt of an exchange.

    Every name of the template must be among `words`, `sections` or `fence`: a missing one is a
    KeyError, never a blank.
    """
    form = EXCHANGES[kind]
    mark = derive_fence(heading.key, _fenced_texts(sections))
    values = {name: _render(mark, section) for name, section in sections.items()}
    body = Template(prompts[form.prompt]).substitute(**words, **values, fence=mark)
    return system_text(prompts, form.tools), f"{first_line(kind, heading)}\n\n{body.strip()}\n"


def system_text(prompts: Mapping[str, str], tools: Tools) -> str:
    """The house rules with what this exchange may do; the same bytes for the same tools."""
    may = prompts[f"may_{tools.value}"].strip()
    return Template(prompts["house"]).substitute(may=may).strip() + "\n"


def _fenced_texts(sections: Mapping[str, Section]) -> list[str]:
    parts = [piece for section in sections.values() for piece in section if isinstance(piece, Part)]
    return [text for part in parts for text in (part.id, part.what, part.text)]


def _render(mark: str, section: Section) -> str:
    pieces = (
        fence_part(mark, piece) if isinstance(piece, Part) else f"[{piece.text}]"
        for piece in section or NOTHING
    )
    return "\n\n".join(pieces)
