"""What a caller names by its number: an open issue to work, a pull request to go on with."""

from __future__ import annotations

from harness.errors import ForgeError, Refused
from harness.facts.forge import Issue
from harness.facts.trees import PullRow
from harness.runs.desk import Desk


def check_there(desk: Desk, tip: str) -> None:
    """The base has this tip. Raises Refused where it has none: there is nothing to work on."""
    if not tip:
        raise Refused(
            f"{desk.repo.slug} has no branch {desk.base_ref}: name the base under [[repos]] base"
        )


def named_issue(desk: Desk, number: int) -> Issue:
    """An open issue. Raises Refused for a number that is none."""
    found = _read(desk, number)
    if found.is_pull:
        raise Refused(
            f"#{number} of {desk.repo.slug} is a pull request; "
            f"`harness resume {number}` goes on with it"
        )
    if found.state != "open":
        raise Refused(f"issue #{number} of {desk.repo.slug} is {found.state}; nothing was done")
    return found


def named_pull(desk: Desk, number: int) -> PullRow:
    """A pull request that we work on, or adopt now. Raises Refused for a number that is none."""
    rows = [row for row in desk.store.pulls(desk.repo_id, number) if row.number == number]
    if rows:
        return rows[0]
    found = _read(desk, number)
    slug = desk.repo.slug
    if not found.is_pull:
        raise Refused(f"#{number} of {slug} is an issue; `harness run {number}` works it")
    pull = desk.reading.pull(number)
    if pull.state != "open":
        raise Refused(f"pull request #{number} of {slug} is {pull.state}; nothing was done")
    if not desk.adopt:
        raise Refused(
            f"pull request #{number} of {slug} is not ours; "
            "name it with --adopt to work on its branch"
        )
    return _adopt(desk, number)


def _read(desk: Desk, number: int) -> Issue:
    try:
        return desk.reading.issue(number)
    except ForgeError as error:
        if error.reason in {"gone", "moved"}:
            raise Refused(
                f"{desk.repo.slug} has no #{number} (any more); nothing was done"
            ) from None
        raise


def _adopt(desk: Desk, number: int) -> PullRow:
    pull = desk.reading.pull(number)
    slug = desk.repo.slug
    if pull.head_repo.casefold() != slug.casefold():
        raise Refused(
            f"pull request #{number} comes from {pull.head_repo or 'a fork that is gone'}; "
            "only branches of this repository can be adopted"
        )
    if pull.head_ref == desk.repo.default_branch or desk.reading.is_protected(pull.head_ref):
        raise Refused(
            f"the branch {pull.head_ref} of #{number} is protected; it is never pushed to"
        )
    row = PullRow(
        repo_id=desk.repo_id,
        number=number,
        item=number,
        branch=pull.head_ref,
        base=pull.base_ref,
        origin="adopted",
        attempt=1,
        state="open",
        closed_by="",
        status_comment=0,
    )
    desk.store.note_pull(row)
    return row
