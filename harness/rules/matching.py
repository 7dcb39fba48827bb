"""Which entry a finding is: by handle, key, alias, rename; and what it may be: by anchor, or near.

Only who says the same of the same lines is the same for sure. Of the same words in another place
with other text, a second entry is made; other words in the place of a settled point are possibly
that point, and so are (with `near`) the same claim in other words elsewhere in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from harness.facts.entries import Standing
from harness.facts.findings import Finding
from harness.facts.places import Place
from harness.facts.value import Fact
from harness.rules.anchors import place_of
from harness.rules.binding import Bond, Ground
from harness.rules.cores import fold_core
from harness.rules.identity import title_key
from harness.rules.staleness import binding_anchor, has_lines

MARGIN = 3  # design 7: the same finding stands within three lines

Near = Callable[[Finding, Standing], bool]
Rule = Literal[
    "handle", "key", "alias", "rename", "anchor", "near", "anchor+near", "said_same", "none"
]


class Match(Fact):
    """The entry a finding is (or None), by which rule; `possibly` are settled ones it may be."""

    standing: Standing | None
    rule: Rule
    possibly: tuple[str, ...] = ()


NO_MATCH = Match(standing=None, rule="none")


def never_near(_finding: Finding, _standing: Standing) -> bool:
    """Nothing is near: words are compared by their keys alone."""
    return False


def match_finding(
    finding: Finding,
    standings: Iterable[Standing],
    shown: dict[str, str],
    ground: Ground,
    near: Near = never_near,
) -> Match:
    """Match it against all entries that are known for its words, its file and what was shown."""
    around = [one for one in standings if _same_file(finding, one, ground)]
    cited = {shown[one] for one in finding.citations if one in shown}
    for one in around:
        if one.entry.id in cited:
            return Match(standing=one, rule="handle")
    worded: tuple[tuple[Rule, list[Standing]], ...] = (
        ("key", [one for one in around if is_same_key(finding, one)]),
        ("alias", [one for one in around if _is_alias(finding, one)]),
        ("rename", [one for one in around if _is_renamed(finding, one, ground)]),
    )
    for rule, candidates in worded:
        if (found := _best(finding, candidates, ground)) is not None:
            return Match(standing=found, rule=rule)
    other_words = [one for one in around if not is_same_key(finding, one)]
    return _match_place(finding, other_words, ground, near)


def is_same_key(finding: Finding, standing: Standing) -> bool:
    """Whether title and file are the same, whatever the ordinal."""
    key = standing.entry.key
    return (key.title_key, key.file) == (title_key(finding.title), finding.anchor.file)


# -- by words -------------------------------------------------------------------------------------
def _is_alias(finding: Finding, standing: Standing) -> bool:
    file = finding.anchor.file
    known_files = {standing.entry.key.file, standing.finding.anchor.file}
    return title_key(finding.title) in standing.aliases and file in known_files


def _is_renamed(finding: Finding, standing: Standing, ground: Ground) -> bool:
    wordings = {standing.entry.key.title_key, *standing.aliases}
    return (
        bool(finding.anchor.file)
        and title_key(finding.title) in wordings
        and finding.anchor.file in ground.files_of(standing) - {standing.entry.key.file}
    )


def _best(finding: Finding, candidates: list[Standing], ground: Ground) -> Standing | None:
    """The entry of these words whose place it is; None when all are clearly elsewhere."""
    ranked = [(_nearness(finding, one, ground), one) for one in candidates]
    possible = [(rank, one) for rank, one in ranked if rank is not None]
    if not possible:
        return None
    return min(possible, key=lambda pair: (pair[0], pair[1].entry.key.ordinal))[1]


def _nearness(finding: Finding, standing: Standing, ground: Ground) -> int | None:
    """0: its lines touch the entry's; 1: its text is the entry's; 2: unknown; None: elsewhere."""
    anchor, place = binding_anchor(standing), ground.place_now(standing)
    if not has_lines(anchor) or not has_lines(finding.anchor):
        return 2
    if place is not None and _touches(place_of(finding), place, margin=0):
        return 0
    if fold_core(finding.anchor.text) == fold_core(anchor.text):
        return 1
    return 2 if place is None else None


# -- by place -------------------------------------------------------------------------------------
def _match_place(finding: Finding, standings: list[Standing], ground: Ground, near: Near) -> Match:
    bound = [one for one in standings if ground.bond(one) in {Bond.BINDS, Bond.POSSIBLY}]
    anchored = [one for one in bound if _same_anchor(finding, one, ground)]
    both = [one for one in anchored if near(finding, one)]
    if both:
        return Match(standing=both[0], rule="anchor+near")
    if anchored:
        ids = tuple(one.entry.id for one in anchored)
        return Match(standing=None, rule="anchor", possibly=ids)
    ids = tuple(one.entry.id for one in bound if near(finding, one))
    return Match(standing=None, rule="near", possibly=ids) if ids else NO_MATCH


def _same_anchor(finding: Finding, standing: Standing, ground: Ground) -> bool:
    anchor, place = binding_anchor(standing), ground.place_now(standing)
    if not has_lines(anchor) or not has_lines(finding.anchor):
        return False
    if place is not None and _touches(place_of(finding), place, margin=MARGIN):
        return True
    return fold_core(finding.anchor.text) == fold_core(anchor.text)


def _same_file(finding: Finding, standing: Standing, ground: Ground) -> bool:
    """Whether both are about one file; what is said in general is about every file."""
    file = finding.anchor.file
    return not (file and standing.entry.key.file) or file in ground.files_of(standing)


def _touches(one: Place, other: Place, *, margin: int) -> bool:
    return (
        one.file == other.file
        and one.start_line <= other.end_line + margin
        and other.start_line <= one.end_line + margin
    )
