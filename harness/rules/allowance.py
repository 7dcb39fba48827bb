"""Who may have code written: authority comes from write access, pinned to the text it was given on.

A label counts by the event that set it and the permission of who did, never by being there. What
was approved is the text of that moment: an edit, or taking the label off, parks the issue again.
Naming an issue approves its text in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from harness.facts.decisions import Approval
from harness.facts.forge import Issue, Permission
from harness.facts.settings import TriageSettings
from harness.facts.triage import Allowance, LabelEvent
from harness.rules.triage import text_hash


def may_implement(
    issue: Issue,
    author_permission: Permission,
    settings: TriageSettings,
    *,
    repo_id: int,
    approvals: Sequence[Approval] = (),
    label_events: Sequence[LabelEvent] = (),
    naming: Approval | None = None,
    generation: int = 0,
    last_edited: datetime | None = None,
) -> Allowance:
    """Whether code may be written for this issue, or why it is parked.

    `naming`: the approval that it is to be named on the command line of this run. `generation`: 0
    for people's issues, 1 for one we filed while working one of those, and so on. `last_edited`:
    where the forge tells it.
    """
    if naming is not None and all(one.by != naming.by for one in approvals):
        return Allowance(allowed=True, reason="", approval=naming)
    if generation == 0 and settings.implement == "anyone":
        return _allowed()
    if generation and generation <= settings.max_generations:
        return _allowed()
    if generation == 0 and settings.implement == "write-access" and author_permission.may_write:
        return _allowed()
    on_label = [event for event in label_events if _is(event.label, settings.go_label)]
    return _by_approval(issue, settings, repo_id, approvals, on_label, last_edited, generation)


def _by_approval(
    issue: Issue,
    settings: TriageSettings,
    repo_id: int,
    approvals: Sequence[Approval],
    events: Sequence[LabelEvent],
    last_edited: datetime | None,
    generation: int,
) -> Allowance:
    label = settings.go_label
    newest = max(approvals, key=lambda approval: approval.at, default=None)
    telling = [event for event in events if event.permission.may_write or not event.added]
    event = max(telling, key=lambda one: one.at, default=None)
    if event is not None and (newest is None or event.at > newest.at):
        if not event.added:
            return _parked(f'{event.by} took the label "{label}" off')
        if _is_set(issue, label):
            return _approved_by_label(issue, repo_id, event, last_edited)
    if newest is None and events and _is_set(issue, label):
        return _parked(f'{events[-1].by}, who set the label "{label}", has no write access')
    if newest is None:
        return _parked(_not_yet(issue, label, generation))
    if newest.text_hash == text_hash(issue):
        return _allowed()
    return _parked(f"it was edited after {newest.by} approved it; approve the new text")


def _approved_by_label(
    issue: Issue, repo_id: int, event: LabelEvent, last_edited: datetime | None
) -> Allowance:
    if last_edited is not None and last_edited > event.at:
        return _parked(f"it was edited after {event.by} approved it; approve the new text")
    approval = Approval(
        repo_id=repo_id, item=issue.number, text_hash=text_hash(issue), by=event.by, at=event.at
    )
    return Allowance(allowed=True, reason="", approval=approval)


def _not_yet(issue: Issue, label: str, generation: int) -> str:
    if generation:
        whose = "the harness filed it itself"
    else:
        whose = f"it is by {issue.author.login or 'a deleted account'}"
    return f'{whose}; somebody with write access has to set the label "{label}"'


def _is_set(issue: Issue, label: str) -> bool:
    return any(_is(one, label) for one in issue.labels)


def _is(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _allowed() -> Allowance:
    return Allowance(allowed=True, reason="")


def _parked(reason: str) -> Allowance:
    return Allowance(allowed=False, reason=reason)
