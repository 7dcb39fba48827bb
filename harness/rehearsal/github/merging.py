"""Whether a pull request can be merged, and merging it, by real git."""

from __future__ import annotations

import re

from harness.rehearsal.github.answers import Refusal
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.heads import follow_all, mark_merged
from harness.rehearsal.github.rows import Account, Guard, Item, PullRow, Repository

CLOSES = re.compile(r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d+)\b", re.IGNORECASE)


def mergeable(forge: Forge, repository: Repository, pull: PullRow) -> bool | None:
    """None until GitHub has computed it."""
    if pull.judged_from and forge.slow_mergeable:
        waited = (forge.now - pull.judged_from).total_seconds()
        if waited < forge.slow_mergeable:
            return None
    return bool(repository.bare.merged_tree(pull.base_sha, pull.head_sha))


def mergeable_state(forge: Forge, repository: Repository, item: Item, pull: PullRow) -> str:
    """dirty, draft, behind, blocked, unstable, clean or unknown."""
    can = mergeable(forge, repository, pull)
    if item.state != "open" or can is None:
        return "unknown"
    if not can:
        return "dirty"
    if pull.draft:
        return "draft"
    guard = repository.guards.get(pull.base_ref, Guard())
    if guard.strict and not repository.bare.is_ancestor(pull.base_sha, pull.head_sha):
        return "behind"
    states = check_states(repository, pull.head_sha)
    if any(states.get(name) != "success" for name in guard.required):
        return "blocked"
    return "clean" if all(state == "success" for state in states.values()) else "unstable"


def check_states(repository: Repository, sha: str) -> dict[str, str]:
    """success, pending or failure of each status and check run of a commit."""
    states: dict[str, str] = {}
    for status in repository.statuses:
        if status.sha == sha:
            states[status.context] = "failure" if status.state == "error" else status.state
    for run in repository.check_runs:
        if run.sha == sha:
            good = run.conclusion in {"success", "neutral", "skipped"}
            done = "success" if good else "failure"
            states[run.name] = done if run.status == "completed" else "pending"
    return states


def merge(
    forge: Forge,
    repository: Repository,
    item: Item,
    actor: Account,
    *,
    method: str,
    sha: str,
    title: str,
    message: str,
) -> str:
    """Merge now; returns the new commit. Refuses as GitHub does: 405 and 409."""
    pull = item.pull
    assert pull is not None
    if sha and sha != pull.head_sha:
        raise Refusal(409, "Head branch was modified. Review and try the merge again.")
    allowed = {
        "merge": repository.allow_merge,
        "squash": repository.allow_squash,
        "rebase": repository.allow_rebase,
    }
    if not allowed[method]:
        raise Refusal(405, f"{method.capitalize()} merges are not allowed on this repository.")
    state = mergeable_state(forge, repository, item, pull)
    if state in {"dirty", "draft", "blocked", "behind"} or item.state != "open":
        raise Refusal(405, _why_not(state, item))
    new = _commit(forge, repository, item, pull, actor, method, title, message)
    repository.bare.move(f"refs/heads/{pull.base_ref}", new)
    pull.base_sha = new
    mark_merged(forge, item, pull, actor, new)
    if pull.base_ref == repository.default_branch:
        close_mentioned(forge, repository, item, actor, f"{item.body}\n{title}\n{message}")
    if repository.delete_branch_on_merge and pull.head_repo is repository:
        repository.bare.move(f"refs/heads/{pull.head_ref}", "")
        forge.happen(item, "head_ref_deleted", actor)
    follow_all(forge, actor)
    return new


def _why_not(state: str, item: Item) -> str:
    if item.state != "open":
        return "Pull Request is not mergeable"
    return {
        "draft": "Pull Request is still a draft",
        "blocked": "Required status check is expected.",
        "behind": "Head branch is out of date. Update it and try again.",
    }.get(state, "Pull Request is not mergeable")


def _commit(
    forge: Forge,
    repository: Repository,
    item: Item,
    pull: PullRow,
    actor: Account,
    method: str,
    title: str,
    message: str,
) -> str:
    bare, at = repository.bare, forge.stamp.isoformat()
    author = (actor.login, f"{actor.id}+{actor.login}@users.noreply.localhost")
    tree = bare.merged_tree(pull.base_sha, pull.head_sha)
    if method == "rebase":
        return _rebase(repository, pull, author, at)
    parents = [pull.base_sha] if method == "squash" else [pull.base_sha, pull.head_sha]
    subject = title or f"{item.title} (#{item.number})"
    text = f"{subject}\n\n{message}".rstrip() + "\n"
    return bare.commit(tree, parents, text, author=author, at=at)


def _rebase(repository: Repository, pull: PullRow, author: tuple[str, str], at: str) -> str:
    """Replay the commits on the base, each as the merge of its change."""
    bare, tip = repository.bare, pull.base_sha
    start = bare.merge_base(pull.base_sha, pull.head_sha)
    for sha in bare.commits(start, pull.head_sha):
        tree = _replayed_tree(repository, tip, sha)
        message = bare.run("log", "-1", "--format=%B", sha)
        tip = bare.commit(tree, [tip], message, author=author, at=at)
    return tip


def _replayed_tree(repository: Repository, tip: str, sha: str) -> str:
    """The tree of a cherry-pick: stand-in commits share the commit's parent as their ancestor.

    `merge-tree --merge-base` would do it in one, but came with git 2.40.
    """
    bare = repository.bare
    who, at = ("stand-in", "stand-in@localhost"), "2000-01-01T00:00:00+00:00"
    root = bare.commit(f"{sha}^^{{tree}}", [], "", author=who, at=at)
    ours = bare.commit(f"{tip}^{{tree}}", [root], "", author=who, at=at)
    theirs = bare.commit(f"{sha}^{{tree}}", [root], "", author=who, at=at)
    return bare.merged_tree(ours, theirs)


def close_mentioned(
    forge: Forge, repository: Repository, by: Item, actor: Account | None, text: str
) -> None:
    """Closing keywords count once their text reaches the default branch."""
    for number in {int(found) for found in CLOSES.findall(text)}:
        item = repository.items.get(number)
        if item is None or item.pull or item.state == "closed":
            continue
        item.state, item.state_reason = "closed", "completed"
        item.closed_at, item.closed_by = forge.stamp, actor
        forge.happen(item, "closed", actor, commit=by.pull.merge_sha if by.pull else None)


def update_branch(forge: Forge, item: Item, actor: Account, expected: str) -> None:
    """Merge the base into the head branch, as the button does."""
    pull = item.pull
    assert pull is not None
    head = pull.head_repo
    if expected and expected != pull.head_sha:
        raise Refusal(
            422, "expected head sha didn\N{RIGHT SINGLE QUOTATION MARK}t match current head ref."
        )
    if head is None or head.bare.is_ancestor(pull.base_sha, pull.head_sha):
        raise Refusal(422, "There are no new commits on the base branch.")
    tree = head.bare.merged_tree(pull.head_sha, pull.base_sha)
    if not tree:
        raise Refusal(422, "merge conflict between base and head")
    author = (actor.login, f"{actor.id}+{actor.login}@users.noreply.localhost")
    message = f"Merge branch '{pull.base_ref}' into {pull.head_ref}\n"
    parents = [pull.head_sha, pull.base_sha]
    sha = head.bare.commit(tree, parents, message, author=author, at=forge.stamp.isoformat())
    head.bare.move(f"refs/heads/{pull.head_ref}", sha)
    follow_all(forge, actor)
