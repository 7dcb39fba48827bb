"""Whether code may be written for the text that an issue has right now."""

from __future__ import annotations

from datetime import datetime

from harness.facts.decisions import Approval
from harness.facts.forge import Author, Happening, Issue, Permission
from harness.facts.triage import Allowance, LabelEvent
from harness.rules.allowance import may_implement
from harness.rules.standing import is_bot
from harness.rules.triage import text_hash
from harness.runs.desk import Desk


def parked(desk: Desk, issue: Issue) -> str:
    """Why it may not be worked, "" where it may; an approval that was just given is recorded."""
    allowance = read_allowance(desk, issue)
    if allowance.approval is not None:
        desk.store.record_approval(allowance.approval)
    return allowance.reason


def read_allowance(desk: Desk, issue: Issue) -> Allowance:
    """What its author, its label and the operator allow."""
    timeline = desk.reading.timeline(issue.number)
    events = tuple(
        LabelEvent(
            label=one.detail,
            added=one.kind == "labeled",
            by=one.actor.login,
            permission=_may(desk, one.actor),
            at=one.at,
        )
        for one in timeline
        if one.kind in {"labeled", "unlabeled"}
        and one.detail.casefold() == desk.choice.triage.go_label.casefold()
    )
    return may_implement(
        issue,
        _may(desk, issue.author),
        desk.choice.triage,
        repo_id=desk.repo_id,
        approvals=desk.store.approvals(desk.repo_id, issue.number),
        label_events=events,
        naming=_naming(desk, issue) if issue.number in desk.named else None,
        last_edited=_last_edited(desk, issue, timeline) if events else None,
        generation=1 if desk.store.is_filed(desk.repo_id, issue.number) else 0,
    )


def _naming(desk: Desk, issue: Issue) -> Approval:
    """The operator names it: they approve the text that it has at the first look of their run."""
    return Approval(
        repo_id=desk.repo_id,
        item=issue.number,
        text_hash=text_hash(issue),
        by=f"the operator (run {desk.run_id})",
        at=desk.started,
    )


def _may(desk: Desk, author: Author) -> Permission:
    """What somebody may do here; a bot, whatever the forge lets it do, allows nothing."""
    if author.id != desk.me.id and is_bot(author, desk.settings.github.bots):
        return Permission.NONE
    return desk.reading.permission(author.login)


def _last_edited(desk: Desk, issue: Issue, timeline: tuple[Happening, ...]) -> datetime | None:
    """When somebody last changed the text that an approval is about."""
    edits = [one.at for one in timeline if one.kind == "renamed"]
    body = desk.reading.body_edited(issue.number)
    return max([*edits, *([body] if body else [])], default=None)
