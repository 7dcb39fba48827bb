"""Reading what a reply's claims are checked against: the pair of rules/evidence.py, driven."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from harness.facts.briefing import Written
from harness.facts.entries import Disposition, State
from harness.facts.journal import Brief
from harness.facts.judgement import Judgement
from harness.facts.places import Diff
from harness.facts.sources import FileText, RanCommand, Read, Sources
from harness.facts.trees import Left
from harness.rules.judge import judge, wanted
from harness.rules.proof import as_text, command_of, commands_of, removed_lines
from harness.rules.scrub import MASK
from harness.runs.desk import Desk


def make_judge(
    desk: Desk, brief: Brief, scope: str, written: Written, left: Callable[[], Left | None]
) -> Callable[[str], Judgement]:
    """A judge for the replies of one exchange; what does not change is read once."""
    cached: list[Sources] = []

    def judged(text: str) -> Judgement:
        if not cached:
            cached.append(_lasting(desk, brief, scope, written))
        there = left()
        reads = wanted(brief, text)
        mask = desk.scrub if MASK in text else str
        now = cached[0].model_copy(
            update={
                "texts": tuple(
                    file for read in reads for file in _read(desk, brief, there, read, mask)
                ),
                "removed": _and_masked(cached[0].removed, mask),
                "commands": _commands(desk, brief),
                "trees": _trees(desk, brief, there),
                "left": there,
            }
        )
        return judge(brief, text, now)

    return judged


def _lasting(desk: Desk, brief: Brief, scope: str, written: Written) -> Sources:
    """What stays the same for the whole exchange."""
    diff = _diff(desk, brief)
    gone = {file.old_path for file in diff.files if file.old_path} if diff else set()
    paths = frozenset(desk.trees.paths(brief.head)) if brief.head else frozenset()
    return Sources(
        removed=removed_lines(diff) if diff else (),
        known_paths=paths | gone,
        head_paths=paths,
        claims=tuple(_claims(desk, brief, scope)),
        documents=tuple((name, desk.scrub(text)) for name, text in written.documents),
    )


def _diff(desk: Desk, brief: Brief) -> Diff | None:
    if not brief.item or not brief.head or brief.head == brief.base:
        return None
    return desk.trees.diff(brief.base, brief.head)


def _claims(desk: Desk, brief: Brief, scope: str) -> Iterable[tuple[str, Disposition]]:
    """What was claimed about each shown handle."""
    if not brief.branch:
        return
    entries = dict(brief.handles.handles)
    standings = desk.store.by_id(entries.values(), scope)
    claimed = {
        one.entry.id: one.claim for one in standings if one.state is State.CLAIMED and one.claim
    }
    yield from ((handle, claimed[one]) for handle, one in entries.items() if one in claimed)


def _and_masked(
    removed: tuple[tuple[str, str], ...], mask: Callable[[str], str]
) -> tuple[tuple[str, str], ...]:
    masked = ((path, mask(text)) for path, text in removed)
    return tuple(dict.fromkeys((*removed, *masked)))


def _read(
    desk: Desk, brief: Brief, left: Left | None, read: Read, mask: Callable[[str], str]
) -> tuple[FileText, ...]:
    """The text as it is and, where it holds a secret, as the agent was shown it: masked."""
    treeish = brief.head if read.side == "head" else (left.tree_sha if left else "")
    raw = desk.trees.read(treeish, read.path) if treeish else None
    text = None if raw is None else as_text(raw)
    texts = dict.fromkeys((text, None if text is None else mask(text)))
    return tuple(FileText(side=read.side, path=read.path, text=one) for one in texts)


def _commands(desk: Desk, brief: Brief) -> tuple[RanCommand, ...]:
    """Every command that a journal of this item has, and the checks of its head."""
    ran = [
        command
        for exchange in desk.store.exchanges(brief.repo_id, brief.item)
        for command in commands_of(desk.store.journal(exchange.id))
    ]
    check = desk.store.check(brief.repo_id, brief.head, desk.choice.check)
    if check is not None:
        ran.append(command_of(check, brief.head))
    return tuple(ran)


def _trees(desk: Desk, brief: Brief, left: Left | None) -> tuple[str, ...]:
    """The trees at which a command counts: the head's own, and the one that was left."""
    here = (brief.head, desk.trees.tree_of(brief.head)) if brief.head else ()
    return (*here, left.tree_sha) if left else here
