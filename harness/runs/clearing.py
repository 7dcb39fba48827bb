"""Removing what nothing needs any more, and saying of everything else why it stays.

A place that others may look into is only removed under the leases of those who would: triage and
every item that is worked here. Whatever somebody works on right now stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from harness.doors.files import Files
from harness.doors.store import Store
from harness.doors.trees import Trees
from harness.doors.workbench import Workbench
from harness.errors import GitError
from harness.facts.forge import Repo
from harness.facts.journal import Exchange
from harness.facts.looking import Cleared
from harness.rules.forge_names import item_lease, triage_lease
from harness.rules.kept_names import LOGS, item_of_transcript, transcript_folder
from harness.rules.outcomes import OVER
from harness.runs.putting_away import tree_name

BODIES_DAYS = 90  # after the item's end
BUILDS_DAYS = 30  # after setup made them; it makes them again where they are needed

_BUSY = "another harness process works here right now"


@dataclass(frozen=True)
class Clearing:
    """One call of `clean`; when `dry`, nothing is removed and everything is said."""

    store: Store
    files: Files
    now: datetime
    dry: bool

    def days_ago(self, days: int) -> datetime:
        """Then."""
        return self.now - timedelta(days=days)


@dataclass(frozen=True)
class Place:
    """A repository with its mirror and work trees."""

    repo: Repo
    trees: Trees


# -- one repository ------------------------------------------------------------------------------
@contextmanager
def hold_leases(clearing: Clearing, places: Sequence[Place]) -> Iterator[frozenset[str]]:
    """Hold all leases under which anybody would look into these places; yields the busy ones."""
    with ExitStack() as ending:
        busy = set()
        for key in (key for place in places for key in _leases(clearing.store, place)):
            lease = clearing.store.claim(key, clearing.now)
            if lease is None:
                busy.add(key)
            else:
                ending.callback(clearing.store.release, lease)
        yield frozenset(busy)


def clear_trees(clearing: Clearing, place: Place, busy: frozenset[str]) -> Iterator[Cleared]:
    """Work trees of this repository, then the garbage of its mirror.

    What git or the disk refuses is told, and stops no other repository.
    """
    for name in place.trees.stale_trees():
        why = _why_kept(clearing.store, place, name, busy)
        if not why and not clearing.dry:
            why = _trouble(partial(place.trees.drop_tree, name))
        yield Cleared(what="work tree", name=name, removed=not why, why=why)
    if not busy and not clearing.dry:
        trouble = _trouble(place.trees.tidy)
        if trouble:
            yield Cleared(what="mirror", name=place.repo.slug, removed=False, why=trouble)


def _trouble(deed: Callable[[], None]) -> str:
    try:
        deed()
    except GitError as error:
        return str(error)
    return ""


def clear_transcripts(clearing: Clearing, repo: Repo) -> Iterator[Cleared]:
    """Transcripts of items of which nothing was said for so long."""
    kept = clearing.files.kept(transcript_folder(repo.slug))
    for item in sorted({item_of_transcript(name) for name, _ in kept}):
        own = [(name, at) for name, at in kept if item_of_transcript(name) == item]
        if max(at for _, at in own) >= clearing.days_ago(BODIES_DAYS):
            continue
        for name, _ in own:
            if not clearing.dry:
                clearing.files.drop(name)
            yield Cleared(what="transcript", name=name, removed=True, why="")


def _leases(store: Store, place: Place) -> list[str]:
    repo_id = place.repo.id
    items = {_item_of(name, repo_id) for name in place.trees.stale_trees()}
    items |= {row.item for row in store.open_pulls(repo_id)}
    return [triage_lease(repo_id), *(item_lease(repo_id, item) for item in sorted(items) if item)]


def _why_kept(store: Store, place: Place, name: str, busy: frozenset[str]) -> str:
    repo_id = place.repo.id
    item = _item_of(name, repo_id)
    if not item:
        return _BUSY if busy else ""
    if item_lease(repo_id, item) in busy:
        return _BUSY
    asked = [one for one in store.exchanges(repo_id, item) if tree_name(one.brief) == name]
    if any(one.result is None for one in asked):
        return f"the question asked in it for #{item} is still open"
    if _is_over(store, repo_id, item):
        return ""
    return _refused(store, asked) if asked else _unknown(place.trees, name)


def _refused(store: Store, asked: list[Exchange]) -> str:
    """Changes that only a person may make, which lie nowhere else."""
    replies = [reply for one in asked if (reply := store.reply(one.id))]
    paths = [path.path for reply in replies if reply.left for path in reply.left.refused]
    return f"a person has to look at {', '.join(paths)} in it" if paths else ""


def _unknown(trees: Trees, name: str) -> str:
    """A tree of no question that the store knows goes only when nothing was changed in it."""
    tree = trees.open_tree(name)
    try:
        changed = tree is not None and not trees.left(tree).is_empty
    except GitError as error:
        return f"it cannot be read: {error}"
    return "it holds changes, and the store does not know whose" if changed else ""


def _is_over(store: Store, repo_id: int, item: int) -> bool:
    if any(row.state == "open" for row in store.pulls(repo_id, item)):
        return False
    ended = {report.item: report.outcome for report, _ in store.outcomes(repo_id)}
    return ended.get(item) in OVER


def _item_of(name: str, repo_id: int) -> int:
    """The item of an editing exchange's tree; 0 for a tree that several share."""
    owner, _, rest = name.partition("-")
    number = rest.partition("-")[0]
    return int(number) if owner == str(repo_id) and number.isdigit() else 0


# -- everything together -------------------------------------------------------------------------
def clear_workbench(clearing: Clearing, workbench: Workbench, *, busy: bool) -> Iterator[Cleared]:
    """What killed processes left, and old builds while nobody works (`busy`)."""
    for name in workbench.leftovers():
        yield Cleared(what="scratch", name=name, removed=True, why="")
    if not clearing.dry:
        workbench.sweep()
    for key in workbench.old_layers(clearing.days_ago(BUILDS_DAYS)):
        if not busy and not clearing.dry:
            workbench.drop_layer(key)
        yield Cleared(what="build", name=key, removed=not busy, why=_BUSY if busy else "")


def clear_words(clearing: Clearing) -> Iterator[Cleared]:
    """What was said in exchanges of items that ended long ago; spend and results stay."""
    before = clearing.days_ago(BODIES_DAYS)
    count = clearing.store.old_bodies(before)
    if count and not clearing.dry:
        count = clearing.store.forget_bodies(before)
    if count:
        yield Cleared(what="journal", name=f"{count:,} texts", removed=True, why="")
    for name, at in clearing.files.kept(LOGS):
        if at < before:
            if not clearing.dry:
                clearing.files.drop(name)
            yield Cleared(what="log", name=name, removed=True, why="")
