"""Calling a person, once per item: a label, an assignment, the operator's own notification."""

from __future__ import annotations

from harness.facts.causes import Cause
from harness.facts.decisions import ItemReport
from harness.facts.intents import Assign, Label, Unlabel
from harness.rules.forge_names import (
    NEEDS_A_PERSON,
    assign_purpose,
    label_purpose,
    unlabel_purpose,
)
from harness.runs.desk import Desk


def call_person(desk: Desk, report: ItemReport, cause: Cause, head: str = "") -> bool:
    """Call for this item unless somebody was called and it is not over; whether it was now.

    `head` is where the work stands: once it is elsewhere, a person has acted.
    """
    number = report.pull or report.item
    now = desk.clock.now()
    first = desk.store.call_person(desk.repo_id, report.item, report.reason, now, head, cause)
    if first:
        desk.notify.call(report)  # at once: nobody would know after a kill that it was left out
    called = desk.store.person_called(desk.repo_id, report.item)
    occasion = (called.at if called else now).isoformat()  # the same after a kill right here
    desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=report.item,
        purpose=label_purpose(NEEDS_A_PERSON, occasion),
        write=Label(number=number, name=NEEDS_A_PERSON),
        why=report.reason,
    )
    people = desk.choice.loop.escalate_to
    if people:
        desk.outbox.write(
            run_id=desk.run_id,
            repo_id=desk.repo_id,
            item=report.item,
            purpose=assign_purpose(occasion),
            write=Assign(number=number, logins=people),
            why=report.reason,
        )
    return first


def end_call(
    desk: Desk, item: int, number: int, why: str = "a person has acted since one was called"
) -> None:
    """Nobody is needed any more: the label comes off, and the item works again."""
    called = desk.store.person_called(desk.repo_id, item)
    if called is None:
        return
    desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=item,
        purpose=unlabel_purpose(NEEDS_A_PERSON, called.at.isoformat()),
        write=Unlabel(number=number, name=NEEDS_A_PERSON),
        why=why,
    )
    desk.store.item_works_again(desk.repo_id, item)
