"""Taking back what a run wrote in one repository: hold its items, revoke, read, decide, write."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import assert_never

from harness.doors.store import Lease
from harness.errors import LeaseLost
from harness.facts.decisions import ItemReport, Outcome
from harness.facts.entries import Event, EventKind
from harness.facts.intents import CloseItem, DeleteComment, Intent, Unlabel
from harness.facts.undoing import (
    ForgeNow,
    LeftThere,
    Moot,
    TakeBack,
    Undone,
    UndoneLine,
    UndoneState,
    Verdict,
)
from harness.rules.forge_names import NEEDS_A_PERSON, item_lease, triage_lease, undo_purpose
from harness.rules.undo import plan_undo, same_verdict, wanted
from harness.runs.desk import Desk
from harness.runs.forge_now import read_forge
from harness.words.targets import target_of
from harness.words.undone import WITHDRAWN, resting_reason


def undo_run(desk: Desk, run_id: str) -> tuple[tuple[UndoneLine, ...], int]:
    """What became of each write, newest first, and how many events of the ledger were revoked.

    Raises LeaseLost, before anything is changed, while another process works one of its items.
    """
    items = _items(desk, run_id)
    with _held(desk, items) as leases:
        desk.trees.sync()
        for item in items:
            _judge(desk, run_id, item)  # what cannot be read leaves all as it was
        _rest(desk, run_id, items)
        revoked = _revoke(desk, run_id)
        lines = [
            line for item in items for line in _undo_item(desk.under(leases[item]), run_id, item)
        ]
    return tuple(lines), revoked


def _items(desk: Desk, run_id: str) -> list[int]:
    """Every item that the run asked about or wrote to, the one it wrote to last in front."""
    wrote = [
        one.item
        for one in reversed(desk.store.intents_of_run(run_id))
        if one.repo_id == desk.repo_id
    ]
    asked = [
        one.brief.item
        for one in reversed(desk.store.exchanges_of_run(run_id))
        if one.brief.repo_id == desk.repo_id
    ]
    return list(dict.fromkeys((*wrote, *asked)))


@contextmanager
def _held(desk: Desk, items: list[int]) -> Iterator[dict[int, Lease]]:
    leases: dict[int, Lease] = {}
    with ExitStack() as ending:
        for item in items:
            key = item_lease(desk.repo_id, item) if item else triage_lease(desk.repo_id)
            lease = desk.store.claim(key, desk.clock.now())
            if lease is None:
                what = f"#{item}" if item else "the triage"
                raise LeaseLost(
                    f"another harness process works {what} of {desk.repo.slug} right now; "
                    "nothing was taken back"
                )
            ending.callback(desk.store.release, lease)
            leases[item] = lease
        yield leases


def _rest(desk: Desk, run_id: str, items: list[int]) -> None:
    """From here on no item is worked by itself; also if this is killed."""
    for item in items:
        note = Undone(
            run_id=run_id, repo_id=desk.repo_id, item=item, by=desk.run_id, at=desk.clock.now()
        )
        desk.store.note_undone(note)


def _revoke(desk: Desk, run_id: str) -> int:
    """Take back what the run recorded in the ledger; what a person ruled stays."""
    events = [
        event
        for event in desk.store.events_of_run(desk.repo_id, run_id)
        if event.kind is not EventKind.REVOKED and not event.by_person
    ]
    desk.store.record_events((), (), [_revoked(desk, event) for event in events])
    return len(events)


def _revoked(desk: Desk, event: Event) -> Event:
    digest = hashlib.sha256(f"revoked/{event.id}".encode()).hexdigest()
    return Event(
        id=digest[:32],
        entry_id=event.entry_id,
        clock=event.clock,
        at=desk.clock.now(),
        kind=EventKind.REVOKED,
        scope=event.scope,
        actor="operator",
        by_person=True,
        run_id=desk.run_id,
        round=event.round,
        head=event.head,
        reasoning=f"run {event.run_id[:8]} is undone",
        evidence=(),
        anchor=None,
        revokes=event.id,
    )


def _undo_item(desk: Desk, run_id: str, item: int) -> list[UndoneLine]:
    """From the rows to the lines."""
    for intent in desk.store.open_intents(desk.repo_id, item):
        if intent.run_id == run_id:
            desk.outbox.give_up(intent, "its run is undone")
        else:
            desk.outbox.finish(intent)
    _remember_again(desk, run_id, desk.store.intents(desk.repo_id, item))
    now, verdicts = _judge(desk, run_id, item)
    lines = _act_on_all(desk, run_id, verdicts)
    if item:
        _record_outcome(desk, run_id, item, now)
    return lines


def _judge(desk: Desk, run_id: str, item: int) -> tuple[ForgeNow, tuple[Verdict, ...]]:
    story = desk.store.intents(desk.repo_id, item)
    now = read_forge(desk, item, wanted(run_id, story))
    return now, plan_undo(run_id, story, now, WITHDRAWN).verdicts


def _act_on_all(desk: Desk, run_id: str, verdicts: tuple[Verdict, ...]) -> list[UndoneLine]:
    """A write takes seconds, in which people act: before the next one all is looked at again."""
    lines, written = [], False
    for verdict in verdicts:
        takes_back = isinstance(verdict, TakeBack)
        again = takes_back and written
        lines.append(_act(desk, _judge_again(desk, run_id, verdict) if again else verdict))
        written = written or takes_back
    return lines


def _judge_again(desk: Desk, run_id: str, before: Verdict) -> Verdict:
    desk.trees.sync()
    _, verdicts = _judge(desk, run_id, before.of.item)
    return same_verdict(before, verdicts)


def _act(desk: Desk, verdict: Verdict) -> UndoneLine:
    match verdict:
        case TakeBack():
            return _take_back(desk, verdict)
        case LeftThere(of=of, why=why, command=command):
            return _line(desk, of, "left", why, command)
        case Moot(of=of, why=why):
            return _line(desk, of, "nothing_to_do", why)
        case _:
            assert_never(verdict)


def _take_back(desk: Desk, verdict: TakeBack) -> UndoneLine:
    intent = desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=verdict.of.item,
        purpose=verdict.purpose,
        write=verdict.write,
        why=verdict.why,
        needs=verdict.needs,
    )
    if intent.state != "delivered":
        return _line(desk, verdict.of, "left", intent.reason)
    _remember(desk, intent)
    return _line(desk, verdict.of, "taken_back", "")


def _remember(desk: Desk, intent: Intent) -> None:
    """What the store says of pull requests and calls follows what was taken back."""
    rows = desk.store.pulls(desk.repo_id, intent.item)
    match intent.write:
        case CloseItem(number=number):
            for row in rows:
                if row.number == number:
                    desk.store.note_pull(row.model_copy(update={"state": "closed"}))
        case DeleteComment(comment_id=comment_id):
            for row in rows:
                if row.status_comment == comment_id:
                    desk.store.note_pull(row.model_copy(update={"status_comment": 0}))
        case Unlabel(name=name) if name == NEEDS_A_PERSON:
            desk.store.item_works_again(desk.repo_id, intent.item)
        case _:
            pass


def _remember_again(desk: Desk, run_id: str, story: tuple[Intent, ...]) -> None:
    """The same for what was taken back right before a kill."""
    taken_back = {undo_purpose(intent.id) for intent in story if intent.run_id == run_id}
    for intent in story:
        if intent.state == "delivered" and intent.purpose in taken_back:
            _remember(desk, intent)


def _record_outcome(desk: Desk, run_id: str, item: int, now: ForgeNow) -> None:
    known = now.items.get(item)
    report = ItemReport(
        repo=desk.repo.slug,
        item=item,
        title=known.issue.title if known else "",
        outcome=Outcome.ABANDONED,
        reason=resting_reason(run_id),
    )
    desk.store.record_outcome(desk.run_id, desk.repo_id, report, desk.clock.now())


def _line(
    desk: Desk,
    of: Intent,
    state: UndoneState,
    why: str,
    command: str = "",
) -> UndoneLine:
    return UndoneLine(
        repo=desk.repo.slug,
        item=of.item,
        kind=of.write.kind,
        target=target_of(of.write),
        state=state,
        why=why,
        command=command,
        url=of.receipt.url if of.receipt else "",
    )
