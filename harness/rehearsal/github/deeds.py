"""What anybody can do to issues and pull requests, through the API or as a scripted person."""

from __future__ import annotations

from typing import Literal

from harness.rehearsal.github.answers import invalid, unprocessable
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.heads import publish_head
from harness.rehearsal.github.rows import (
    Account,
    CommentRow,
    Item,
    LabelRow,
    PullRow,
    ReactionRow,
    Repository,
    StatusRow,
)


def open_issue(
    forge: Forge, repository: Repository, author: Account, title: str, body: str
) -> Item:
    """File an issue."""
    number = forge.next_number(repository)
    item = Item(forge.next_id(), number, title, body, author, forge.stamp, forge.stamp)
    repository.items[number] = item
    return item


def open_pull(
    forge: Forge,
    repository: Repository,
    author: Account,
    *,
    title: str,
    body: str,
    head: str,
    base: str,
    draft: bool,
) -> Item:
    """Open a pull request from `branch` or `owner:branch`. Refuses as GitHub does, with 422."""
    owner, _, branch = head.rpartition(":")
    source = _source(forge, repository, owner)
    tip = source.bare.tip(branch) if source else ""
    if source is None or not tip:
        raise invalid("PullRequest", "invalid", "head")
    base_tip = repository.bare.tip(base)
    if not base_tip:
        raise invalid("PullRequest", "invalid", "base")
    _refuse_second(forge, repository, source, branch, base)
    number = forge.next_number(repository)
    pull = PullRow(branch, tip, source, base, base_tip, draft=draft, judged_from=forge.now)
    item = Item(forge.next_id(), number, title, body, author, forge.stamp, forge.stamp, pull=pull)
    publish_head(repository, item, pull)
    why_not = ""
    if not repository.bare.merge_base(tip, base_tip):
        why_not = f"The {branch} branch has no history in common with {base}"
    elif repository.bare.is_ancestor(tip, base_tip):
        why_not = f"No commits between {base} and {head}"
    if why_not:
        repository.bare.move(f"refs/pull/{number}/head", "")
        raise invalid("PullRequest", "custom", "head", why_not)
    repository.items[number] = item
    return item


def _source(forge: Forge, repository: Repository, owner: str) -> Repository | None:
    if not owner or owner.casefold() == repository.owner.login.casefold():
        return repository
    forks = (one for one in forge.repositories.values() if one.fork_of == repository.id)
    return next((one for one in forks if one.owner.login.casefold() == owner.casefold()), None)


def _refuse_second(
    forge: Forge, repository: Repository, source: Repository, branch: str, base: str
) -> None:
    for item, pull in forge.pulls(repository):
        same = pull.head_ref == branch and pull.head_repo is source and pull.base_ref == base
        if same and item.state == "open":
            head = f"{source.owner.login}:{branch}"
            message = f"A pull request already exists for {head}."
            raise invalid("PullRequest", "custom", "", message)


def comment(forge: Forge, item: Item, author: Account | None, body: str) -> CommentRow:
    """Say something under an item."""
    row = CommentRow(forge.next_id(), author, body, forge.stamp, forge.stamp)
    item.comments.append(row)
    item.updated_at = forge.stamp
    return row


def set_state(
    forge: Forge,
    item: Item,
    actor: Account | None,
    state: Literal["open", "closed"],
    reason: str | None = None,
) -> None:
    """Close or reopen; a merged pull request stays closed."""
    if item.state == state:
        if state == "closed" and reason and not item.pull:
            item.state_reason = reason
        return
    if state == "open" and item.pull:
        _refuse_reopen(item.pull)
    item.state = state
    if state == "closed":
        item.closed_at, item.closed_by = forge.stamp, actor
        item.state_reason = None if item.pull else reason or "completed"
        forge.happen(item, "closed", actor, reason=item.state_reason)
    else:
        item.closed_at, item.closed_by = None, None
        item.state_reason = None if item.pull else "reopened"
        forge.happen(item, "reopened", actor)


def _refuse_reopen(pull: PullRow) -> None:
    tip = pull.head_repo.bare.tip(pull.head_ref) if pull.head_repo else ""
    if pull.merged_at or not pull.head_repo or not tip:
        message = "state cannot be changed. The pull request cannot be reopened."
        raise invalid("PullRequest", "invalid", "state", message)
    if pull.head_repo.bare.is_ancestor(tip, pull.base_sha):
        message = (
            f"state cannot be changed. There are no new commits on the {pull.head_ref} branch."
        )
        raise invalid("PullRequest", "invalid", "state", message)


def rename(forge: Forge, item: Item, actor: Account | None, title: str) -> None:
    """Change the title."""
    if title != item.title:
        forge.happen(item, "renamed", actor, rename=(item.title, title))
        item.title = title


def retarget(
    forge: Forge, repository: Repository, item: Item, actor: Account | None, base: str
) -> None:
    """Have a pull request go into another branch."""
    assert item.pull is not None
    item.pull.base_ref, item.pull.base_sha = base, repository.bare.tip(base)
    forge.happen(item, "base_ref_changed", actor)


def put_label(
    forge: Forge, repository: Repository, item: Item, actor: Account | None, name: str
) -> None:
    """Label an item, making the label where it is missing (GitHub does)."""
    known = find_label(repository, name)
    if known is None:
        known = make_label(forge, repository, name)
    if known.name not in item.labels:
        item.labels.append(known.name)
        forge.happen(item, "labeled", actor, label=known.name)


def take_label(forge: Forge, item: Item, actor: Account | None, name: str) -> bool:
    """Unlabel; False when it was not there."""
    found = next((one for one in item.labels if one.casefold() == name.casefold()), None)
    if found is None:
        return False
    item.labels.remove(found)
    forge.happen(item, "unlabeled", actor, label=found)
    return True


def set_labels(
    forge: Forge, repository: Repository, item: Item, actor: Account, names: list[str]
) -> None:
    """Exactly these labels and no others."""
    wanted = {name.casefold() for name in names}
    for name in [one for one in item.labels if one.casefold() not in wanted]:
        take_label(forge, item, actor, name)
    for name in names:
        put_label(forge, repository, item, actor, name)


def find_label(repository: Repository, name: str) -> LabelRow | None:
    """A label by its name, in any case."""
    labels = repository.labels.values()
    return next((one for one in labels if one.name.casefold() == name.casefold()), None)


def make_label(
    forge: Forge, repository: Repository, name: str, color: str = "ededed", text: str | None = None
) -> LabelRow:
    """A new label of the repository; 422 when it is there."""
    if find_label(repository, name) is not None:
        raise invalid("Label", "already_exists", "name")
    row = LabelRow(forge.next_id(), name, color, text)
    repository.labels[name] = row
    return row


def assign(
    forge: Forge, repository: Repository, item: Item, actor: Account | None, login: str
) -> None:
    """Assign a person; who may not read here is left out without a word, as GitHub does."""
    person = forge.account(login)
    may = person is not None and person.login.casefold() in repository.roles
    if person is None or not may or person in item.assignees:
        return
    item.assignees.append(person)
    forge.happen(item, "assigned", actor, assignee=person, assigner=actor)


def unassign(forge: Forge, item: Item, actor: Account | None, login: str) -> None:
    """Take an assignment back."""
    for person in [one for one in item.assignees if one.login.casefold() == login.casefold()]:
        item.assignees.remove(person)
        forge.happen(item, "unassigned", actor, assignee=person, assigner=actor)


def request_review(
    forge: Forge, repository: Repository, item: Item, actor: Account, login: str
) -> None:
    """Ask a collaborator for a review; 422 for the author and for strangers."""
    assert item.pull is not None
    person = forge.account(login)
    if person is None or person.login.casefold() not in repository.roles:
        raise unprocessable(
            "Reviews may only be requested from collaborators. "
            f"One or more of the users or teams you specified is not a collaborator of the "
            f"{repository.slug} repository."
        )
    if person is item.author:
        raise unprocessable("Review cannot be requested from pull request author.")
    if person not in item.pull.requested:
        item.pull.requested.append(person)
        about = {"review_requester": actor, "requested_reviewer": person}
        forge.happen(item, "review_requested", actor, **about)


def react(
    forge: Forge, rows: list[ReactionRow], author: Account, content: str
) -> tuple[ReactionRow, bool]:
    """React; a second time is the same reaction (False)."""
    known = next((row for row in rows if row.author is author and row.content == content), None)
    if known is not None:
        return known, False
    row = ReactionRow(forge.next_id(), author, content, forge.stamp)
    rows.append(row)
    return row, True


def set_status(
    forge: Forge,
    repository: Repository,
    creator: Account,
    *,
    sha: str,
    context: str,
    state: str,
    description: str | None,
    target_url: str | None = None,
) -> StatusRow:
    """Set a commit status."""
    row = StatusRow(
        forge.next_id(), sha, context, state, description, target_url, creator, forge.stamp
    )
    repository.statuses.append(row)
    return row
