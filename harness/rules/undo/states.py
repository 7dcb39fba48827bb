"""Taking back what an item is: its labels, its people, open or closed, draft or ready."""

from __future__ import annotations

from harness.facts.intents import (
    Assign,
    BackToDraft,
    CloseItem,
    Intent,
    Label,
    MarkReady,
    Precondition,
    ReopenItem,
    Unassign,
    Unlabel,
)
from harness.facts.undoing import Verdict
from harness.rules.undo.seen import EDITED, Seen, left, moot, ours_still

AS_BEFORE = "it is as it was before"


def take_back_label(seen: Seen, intent: Intent, write: Label | Unlabel) -> Verdict:
    """Off again, or on again, where the last to touch it was us."""
    item = seen.item(write.number)
    if item is None:
        return seen.absent(intent, write.number)
    stands = write.name.casefold() in {name.casefold() for name in item.issue.labels}
    if stands is not isinstance(write, Label):
        return moot(intent, AS_BEFORE)
    kinds = {"labeled", "unlabeled"}
    who = seen.somebody(seen.last(write.number, kinds, write.name))
    if who:
        return left(intent, f"{who} set it since")
    back = Unlabel if isinstance(write, Label) else Label
    return seen.take_back(intent, back(number=write.number, name=write.name))


def take_back_assignment(seen: Seen, intent: Intent, write: Assign | Unassign) -> Verdict:
    """Each person on their own: only what we did last is taken back."""
    item = seen.item(write.number)
    if item is None:
        return seen.absent(intent, write.number)
    assigned = {login.casefold() for login in item.issue.assignees}
    standing = [
        login
        for login in write.logins
        if (login.casefold() in assigned) is isinstance(write, Assign)
    ]
    kinds = {"assigned", "unassigned"}
    others = {one: seen.somebody(seen.last(write.number, kinds, one)) for one in standing}
    ours = tuple(login for login in standing if not others[login])
    if not standing:
        return moot(intent, AS_BEFORE)
    if not ours:
        return left(intent, f"{others[standing[0]]} set it since")
    back = Unassign if isinstance(write, Assign) else Assign
    return seen.take_back(intent, back(number=write.number, logins=ours))


def take_back_state(seen: Seen, intent: Intent, write: CloseItem | ReopenItem) -> Verdict:
    """Open or closed again, if the last change is ours."""
    item = seen.item(write.number)
    if item is None:
        return seen.absent(intent, write.number)
    closes = isinstance(write, CloseItem)
    if item.issue.state != ("closed" if closes else "open"):
        return moot(intent, AS_BEFORE)
    who = seen.somebody(seen.last(write.number, {"closed", "reopened"}))
    if who:
        return left(intent, f"{who} {'closed' if closes else 'opened'} it since")
    if closes:
        return seen.take_back(intent, ReopenItem(number=write.number))
    return seen.take_back(intent, CloseItem(number=write.number, reason="not_planned"))


def take_back_issue(seen: Seen, intent: Intent) -> Verdict:
    """An issue that we filed is closed, unless people spoke there or changed it."""
    number = intent.receipt.number if intent.receipt else 0
    item = seen.item(number)
    if item is None:
        return seen.absent(intent, number)
    if item.issue.state == "closed":
        return moot(intent, "it is closed already")
    if not ours_still(item.issue.body, seen.bodies(number)):
        return left(intent, EDITED)
    spoke = [one.author.login for one in item.comments if one.author.id != seen.now.me]
    who = seen.somebody(seen.last(number, {"reopened", "renamed"})) or "".join(spoke[:1])
    if who:
        return left(intent, f"{who} took it up since")
    return seen.take_back(
        intent,
        CloseItem(number=number, reason="not_planned"),
        Precondition(item=number, item_state="open"),
    )


def take_back_draft(seen: Seen, intent: Intent, write: MarkReady | BackToDraft) -> Verdict:
    """Draft again, or ready again."""
    item = seen.item(write.number)
    if item is None or item.pull is None:
        return seen.absent(intent, write.number)
    if seen.is_mine(seen.opened(write.number)):
        return moot(intent, "it goes with its pull request")
    pull = item.pull.pull
    if pull.state == "closed" or pull.draft is isinstance(write, MarkReady):
        return moot(intent, AS_BEFORE)
    who = seen.somebody(seen.last(write.number, {"ready_for_review", "convert_to_draft"}))
    if who:
        return left(intent, f"{who} set it since")
    back = BackToDraft if isinstance(write, MarkReady) else MarkReady
    return seen.take_back(
        intent, back(number=write.number), Precondition(pull=write.number, state="open")
    )
