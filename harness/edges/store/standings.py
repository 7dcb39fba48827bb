"""From the story of an entry to its standings: one per scope, or as seen from one scope.

As seen from a scope, that scope holds before the entry's files and these before the repository,
but a person's ruling in any of them holds before a model's. Where none of them has a state, the
entry is shown with the scope it was last spoken of: a precedent, which binds nothing here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from harness.facts.entries import Entry, Event, EventKind, Standing
from harness.facts.value import Fact
from harness.rules.fold import Folded, carries_state, fold, in_order, last_put, order


class Story(Fact):
    """An entry with everything that happened to it, in all scopes."""

    entry: Entry
    aliases: tuple[tuple[str, str], ...]  # (title key, file)
    events: tuple[Event, ...]


def standing_from(story: Story, scope: str) -> Standing | None:
    """The standing as seen from a scope; None for an entry that nobody ever raised."""
    folds = _folds(story)
    seen = [one for one in _visible(story, scope) if one in folds]
    ruled = [one for one in seen if folds[one].by_person]
    if not seen:
        return _precedent(story, folds)
    chosen = (ruled or seen)[0]
    return _standing(story, chosen, folds[chosen], visible={*seen, scope})


def standings_of(story: Story) -> Iterator[Standing]:
    """One standing per scope that has a state."""
    for scope, folded in _folds(story).items():
        standing = _standing(story, scope, folded, visible={scope})
        if standing:
            yield standing


def _precedent(story: Story, folds: dict[str, Folded]) -> Standing | None:
    spoken = [event.scope for event in sorted(story.events, key=order) if event.scope in folds]
    if not spoken:
        return None
    scope = spoken[-1]
    standing = _standing(story, scope, folds[scope], visible={scope})
    return standing and standing.model_copy(update={"precedent": True})


def _visible(story: Story, scope: str) -> tuple[str, ...]:
    """The scopes that count from here, narrowest first."""
    files = (story.entry.key.file, *(file for _, file in story.aliases))
    return tuple(dict.fromkeys((scope, *(f"file:{file}" for file in files), "repo")))


def _folds(story: Story) -> dict[str, Folded]:
    """What each scope comes to, of those that have a state."""
    revoking = [event for event in story.events if event.kind is EventKind.REVOKED]
    by_scope: dict[str, list[Event]] = defaultdict(list)
    for event in story.events:
        by_scope[event.scope].append(event)
    folds = {}
    for scope, events in by_scope.items():
        told = [*events, *revoking] if revoking else events
        if any(carries_state(event) for event in (in_order(told) if revoking else told)):
            folds[scope] = fold(told)
    return folds


def _standing(story: Story, scope: str, folded: Folded, visible: set[str]) -> Standing | None:
    events = sorted((event for event in story.events if event.scope in visible), key=order)
    finding = last_put(events) or last_put(sorted(story.events, key=order))
    if finding is None:
        return None
    return Standing(
        entry=story.entry,
        scope=scope,
        state=folded.state,
        by_person=folded.by_person,
        claim=folded.claim,
        finding=finding,
        events=tuple(events),
        aliases=tuple(sorted({title_key for title_key, _ in story.aliases})),
    )
