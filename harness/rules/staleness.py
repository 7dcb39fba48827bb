"""What became of an anchor at a head: does a settled point still stand where it was settled?

    wanted(anchor, changes) ─ where to look ─ the run reads ─ check(anchor, reads)
       same blob ─ holds
       lines map through the hunks and the text is equal ─ holds
       else found in the file, then in files changed between: once ─ moved, often ─ possibly
       else reopened, or gone with its file; an anchor without lines is placeless

A place where the core already stood before is no place it moved to: of a file whose lines could
be mapped only what was written since counts as found.
"""

from __future__ import annotations

from harness.facts.entries import EventKind, Standing
from harness.facts.matching import Holding
from harness.facts.places import Anchor, Diff, Hunk, Place
from harness.facts.value import Fact
from harness.rules.cores import Span, find_core, full_lines, is_same_core, is_searchable
from harness.rules.fold import in_order


class Wanted(Fact):
    """What has to be read to judge one anchor; empty paths are not read."""

    old_file: str
    new_file: str  # "" when the file is gone at the head
    changed: tuple[str, ...]  # other files, at the head, that were changed between


class Elsewhere(Fact):
    """Another changed file at the head, with the lines that were written since."""

    file: str
    text: str
    written: frozenset[int]


class Reads(Fact):
    """What the run read for one anchor.

    `same_blob`: the file did not change at all. `mapped`: the commit of the anchor is still there,
    so that `hunks` (of `diff -U0 -w --ignore-blank-lines`) go from `old_text` to `new_text`.
    """

    head: str
    new_file: str
    same_blob: bool
    mapped: bool
    old_text: str
    new_text: str
    hunks: tuple[Hunk, ...]
    elsewhere: tuple[Elsewhere, ...] = ()


def binding_anchor(standing: Standing) -> Anchor:
    """The lines the point was last argued about: never those of a silent repeat.

    Where its code had changed when it was reopened or agreed to, that event tells the lines anew.
    """
    argued = (
        event.anchor
        for event in reversed(in_order(standing.events))
        if event.anchor is not None and (event.kind is not EventKind.RERAISED or event.new_evidence)
    )
    return next(argued, standing.finding.anchor)


def has_lines(anchor: Anchor) -> bool:
    """Whether there is anything to follow."""
    return bool(anchor.file and anchor.text.strip()) and anchor.start_line > 0


def wanted(anchor: Anchor, changes: Diff | None, paths: frozenset[str]) -> Wanted:
    """What to read: the file at the head (by its path, else by rename) and what else changed.

    `changes` go from the anchor's commit to the head, None when that commit is gone; `paths` are
    all files of the head.
    """
    files = changes.files if changes else ()
    renamed = (one.new_path for one in files if one.old_path == anchor.file and one.new_path)
    new_file = anchor.file if anchor.file in paths else next(renamed, "")
    others = (one.new_path for one in files if one.shown and one.new_path not in {"", new_file})
    changed = tuple(others) if is_searchable(anchor.text) else ()
    return Wanted(old_file=anchor.file, new_file=new_file, changed=changed)


def check(entry_id: str, anchor: Anchor, reads: Reads | None, since: str) -> Holding:
    """What became of it; `since` is what a reopening names. `reads` None: nothing to follow."""
    if reads is None:
        return _holding(entry_id, "placeless", None)
    if reads.same_blob:
        return _holding(
            entry_id, "holds", _place(reads.new_file, Span(anchor.start_line, anchor.end_line))
        )
    if span := _mapped(anchor, reads):
        return _holding(entry_id, "holds", _place(reads.new_file, span))
    hits = _search(anchor, reads)
    if len(hits) == 1:
        return _holding(entry_id, "moved", hits[0])
    if hits:
        return _holding(entry_id, "possibly", None)
    if not reads.new_file:
        return _holding(entry_id, "gone", None, since)
    changed = _holding(entry_id, "reopened", None, since)
    return changed.model_copy(update={"anchor": _anchor_now(anchor, reads)})


# -- mapping --------------------------------------------------------------------------------------
def _mapped(anchor: Anchor, reads: Reads) -> Span | None:
    """Where the core's lines are now; None when a hunk cuts them or their text differs.

    The diff leaves out blank lines, so lines are counted off without them between two hunks.
    """
    if not reads.mapped or not reads.new_file:
        return None
    bounds = _stretch(anchor, reads.hunks)
    if bounds is None:
        return None
    (old_from, old_to), (new_from, new_to) = bounds
    old = [one for one in full_lines(reads.old_text) if old_from <= one.number <= old_to]
    new = [one for one in full_lines(reads.new_text) if new_from <= one.number <= new_to]
    core = [at for at, one in enumerate(old) if anchor.start_line <= one.number <= anchor.end_line]
    if not core or len(old) != len(new):
        return None
    now = tuple(new[core[0] : core[-1] + 1])
    if not is_same_core(now, full_lines(anchor.text)):
        return None
    return Span(now[0].number, now[-1].number)


def _stretch(anchor: Anchor, hunks: tuple[Hunk, ...]) -> tuple[Span, Span] | None:
    """The unchanged stretch around the core, on both sides; None when a hunk cuts the core."""
    old_from, old_to, new_from, new_to = 1, 1 << 60, 1, 1 << 60
    for hunk in hunks:
        old_first, old_last = _ends(hunk.old_start, hunk.old_count)
        new_first, new_last = _ends(hunk.new_start, hunk.new_count)
        if old_last < anchor.start_line:
            old_from, new_from = old_last + 1, new_last + 1
        elif old_first > anchor.end_line:
            old_to, new_to = old_first - 1, new_first - 1
            break
        else:
            return None
    return Span(old_from, old_to), Span(new_from, new_to)


def _ends(start: int, count: int) -> Span:
    """First and last line of one side; of nothing, the gap after line `start`."""
    return Span(start, start + count - 1) if count else Span(start + 1, start)


def _anchor_now(anchor: Anchor, reads: Reads) -> Anchor:
    """The changed lines as they are at the head, without lines where they were removed or lost."""
    lines = reads.new_text.split("\n")
    start = _carry(anchor.start_line, reads.hunks, first=True)
    end = min(_carry(anchor.end_line, reads.hunks, first=False), len(lines))
    if not reads.mapped or end < start:
        start = end = 0
    text = "\n".join(lines[start - 1 : end]) if start else ""
    return Anchor(file=reads.new_file, start_line=start, end_line=end, commit=reads.head, text=text)


def _carry(line: int, hunks: tuple[Hunk, ...], *, first: bool) -> int:
    """A line of the old side on the new one; inside a hunk, the hunk's first or last."""
    offset = 0
    for hunk in hunks:
        old, new = _ends(hunk.old_start, hunk.old_count), _ends(hunk.new_start, hunk.new_count)
        if old.start <= line <= old.end:
            return new.start if first else new.end
        if line < old.start:
            break
        offset = new.end - old.end
    return line + offset


# -- searching ------------------------------------------------------------------------------------
def _search(anchor: Anchor, reads: Reads) -> tuple[Place, ...]:
    if not is_searchable(anchor.text):
        return ()
    written = _written(reads.hunks) if reads.mapped else None
    here = _find(anchor.text, reads.new_file, reads.new_text, written)
    if here:
        return here
    return tuple(
        place
        for other in reads.elsewhere
        for place in _find(anchor.text, other.file, other.text, other.written)
    )


def _find(core: str, file: str, text: str, written: frozenset[int] | None) -> tuple[Place, ...]:
    if not file:
        return ()
    return tuple(
        _place(file, span)
        for span in find_core(core, text)
        if written is None or not written.isdisjoint(range(span.start, span.end + 1))
    )


def _written(hunks: tuple[Hunk, ...]) -> frozenset[int]:
    return frozenset(
        number
        for hunk in hunks
        for number in range(hunk.new_start, hunk.new_start + hunk.new_count)
    )


def _place(file: str, span: Span) -> Place:
    return Place(file=file, start_line=span.start, end_line=span.end)


def _holding(entry_id: str, verdict: str, place: Place | None, since: str = "") -> Holding:
    return Holding.model_validate(
        {"entry_id": entry_id, "verdict": verdict, "place": place, "since": since}
    )
