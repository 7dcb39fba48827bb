"""Taking back commits, pull requests and what is said of commits. History is never rewritten."""

from __future__ import annotations

from harness.facts.intents import (
    CloseItem,
    DeleteBranch,
    Intent,
    MakeCheckRun,
    Merge,
    OpenPull,
    Precondition,
    Push,
    SetStatus,
)
from harness.facts.undoing import BranchNow, LeftThere, PullNow, Verdict
from harness.rules.undo.reverts import revert, revert_by_hand, revert_merge, revert_ours
from harness.rules.undo.seen import EDITED, GONE, Seen, left, moot, ours_still

_SHORT = 12


def take_back_push(seen: Seen, intent: Intent, write: Push) -> Verdict:
    """A branch that the run made is deleted if all its commits are ours; others are only told."""
    pushes = [
        one
        for one in seen.delivered
        if seen.is_mine(one) and isinstance(one.write, Push) and one.write.branch == write.branch
    ]
    if pushes[0].id != intent.id:
        return moot(intent, "it goes with the run's first push to this branch")
    branch = seen.branch(write.branch)
    if write.adopted or write.expected:
        return _tell_push(seen, intent, write)
    if not branch.tip:
        return moot(intent, GONE)
    if branch.foreign:
        return left(intent, f"commit {branch.foreign[0][:_SHORT]} on {write.branch} is not ours")
    return (
        _unless_in_use(seen, intent)
        or _unless_stood_on(seen, intent, branch)
        or seen.take_back(intent, DeleteBranch(branch=write.branch, sha=branch.tip))
    )


def _tell_push(seen: Seen, intent: Intent, write: Push) -> Verdict:
    """Its commits are named where they still are; a merge of the base among them is not."""
    ours = seen.commits(write.branch)
    on_branch = [one for one in ours if one.on_branch]
    on_base = [one for one in ours if one.on_base]
    if on_branch:
        whose = "a person's branch" if write.adopted else "a branch that was there before"
        return left(intent, f"{write.branch} is {whose}", revert_ours(on_branch))
    if on_base:
        return left(intent, f"{write.branch} is merged", revert_ours(on_base))
    return moot(intent, GONE)


def _unless_in_use(seen: Seen, intent: Intent) -> Verdict | None:
    """Why the branch of a pull request stays."""
    assert isinstance(intent.write, Push)
    found = seen.pull_of(intent.write.branch)
    if found is None:
        return None
    opened, number = found
    pull = _pull(seen, number)
    if pull is None or (pull.pull.state == "closed" and not pull.pull.merged):
        return None
    if pull.pull.merged:
        return moot(intent, f"it is merged with pull request #{number}")
    if not seen.is_mine(opened):
        return left(intent, f"run {opened.run_id[:8]} opened #{number} from it: undo that first")
    if isinstance(take_back_opening(seen, opened), LeftThere):
        return left(intent, f"pull request #{number} is left, and stands on it")
    return None


def _unless_stood_on(seen: Seen, intent: Intent, branch: BranchNow) -> Verdict | None:
    """The forge closes every pull request from or onto a branch that is deleted."""
    found = seen.pull_of(branch.branch)
    others = [number for number in branch.pulls if found is None or number != found[1]]
    if not others:
        return None
    return left(intent, f"pull request #{others[0]} stands on {branch.branch}")


def take_back_opening(seen: Seen, intent: Intent) -> Verdict:
    """Our pull request is closed, unless a person took it up."""
    assert isinstance(intent.write, OpenPull)
    number = intent.receipt.number if intent.receipt else 0
    pull = _pull(seen, number)
    if pull is None:
        return moot(intent, GONE)
    if pull.pull.merged:
        return _merged(seen, intent, pull)
    if pull.pull.state == "closed":
        return moot(intent, "it is closed already")
    branch = seen.branch(intent.write.branch)
    if branch.foreign:
        return left(intent, f"commit {branch.foreign[0][:_SHORT]} in it is not ours")
    known = {title.strip() for _, title in seen.titles(number)}
    if pull.pull.title.strip() not in known or not ours_still(pull.pull.body, seen.bodies(number)):
        return left(intent, EDITED)
    who = seen.somebody(seen.last(number, {"reopened"}))
    if who:
        return left(intent, f"{who} opened it again")
    return seen.take_back(
        intent,
        CloseItem(number=number, reason=""),
        Precondition(pull=number, state="open", head=pull.pull.head_sha),
    )


def _merged(seen: Seen, intent: Intent, pull: PullNow) -> Verdict:
    number = pull.pull.number
    if any(
        isinstance(one.write, Merge) and one.write.number == number and seen.is_mine(one)
        for one in seen.delivered
    ):
        return moot(intent, "it is merged; see there")
    who = seen.somebody(seen.last(number, {"merged"}))
    by = f" by {who}" if who else ""
    return left(
        intent, f"pull request #{number} was merged{by}", revert_by_hand(seen, intent, pull)
    )


def tell_merge(seen: Seen, intent: Intent, write: Merge) -> Verdict:
    """A merge is only told, with the command that reverts it."""
    pull = _pull(seen, write.number)
    sha = intent.receipt.sha if intent.receipt else ""
    why = "a merge is never taken back by itself"
    if pull is None or not pull.pull.merged:
        return left(intent, why, revert(sha))
    who = seen.somebody(seen.last(write.number, {"merged"}))
    if who:
        opened = seen.opened(write.number)
        command = revert_by_hand(seen, opened, pull) if opened else ""
        return left(intent, f"{who} merged it first", command)
    return left(intent, why, revert_merge(pull, write.method))


def take_back_status(seen: Seen, intent: Intent, write: SetStatus) -> Verdict:
    """The newest status of a context is set to error; what it replaced says nothing any more."""
    same = [
        one
        for one in seen.delivered
        if isinstance(one.write, SetStatus)
        and (one.write.sha, one.write.context) == (write.sha, write.context)
    ]
    newest = same[-1]
    if newest.id != intent.id:
        mine = seen.is_mine(newest)
        return moot(intent, "it goes with the newer one" if mine else "a newer one stands there")
    stands = next(
        (one for one in seen.now.statuses if (one.sha, one.context) == (write.sha, write.context)),
        None,
    )
    if stands is None:
        return moot(intent, GONE)
    if (stands.state, stands.description) != (write.state, write.description[:140]):
        return left(intent, "somebody else set it since")
    back = write.model_copy(update={"state": "error", "description": seen.withdrawn.status})
    return seen.take_back(intent, back)


def take_back_check_run(seen: Seen, intent: Intent, write: MakeCheckRun) -> Verdict:
    """A neutral one stands over it."""
    said = seen.withdrawn.status
    back = write.model_copy(update={"conclusion": "neutral", "title": said, "summary": said})
    return seen.take_back(intent, back)


def _pull(seen: Seen, number: int) -> PullNow | None:
    item = seen.item(number)
    return item.pull if item else None
