"""Pull requests: opening, editing, merging, updating, what is in them."""

from __future__ import annotations

from harness.rehearsal.github import deeds
from harness.rehearsal.github.answers import Answer, Listing, forbidden, invalid, not_found
from harness.rehearsal.github.call import NOTHING, Call, Route, created, ok
from harness.rehearsal.github.changes import changed_files
from harness.rehearsal.github.merging import merge, update_branch
from harness.rehearsal.github.rows import ROLES, Item
from harness.rehearsal.github.shown.history import show_commit
from harness.rehearsal.github.shown.items import show_pull, show_pull_in_list


def list_pulls(call: Call) -> Listing:
    """GET ~/pulls; `head` is `owner:branch`."""
    repository = call.repository()
    state = call.query.get("state", "open")
    head, base = call.query.get("head", ""), call.query.get("base", "")
    rows = []
    for item, pull in call.forge.pulls(repository):
        owner = pull.head_repo.owner.login if pull.head_repo else "unknown"
        fits = state in {"all", item.state} and head in {"", f"{owner}:{pull.head_ref}"}
        if fits and base in {"", pull.base_ref} and not item.gone:
            rows.append(item)
    rows.sort(key=lambda item: item.number, reverse=call.query.get("direction", "desc") == "desc")
    return Listing(
        rows,
        lambda item: show_pull_in_list(call.forge, repository, item),
        lambda item: item.created_at,
    )


def create_pull(call: Call) -> Answer:
    """POST ~/pulls: 422 when there is one already, no commit between, no such branch."""
    repository = call.repository()
    author = call.user
    item = deeds.open_pull(
        call.forge,
        repository,
        author,
        title=call.text("title", "PullRequest", 256),
        body=call.short(call.given("body") or "", "PullRequest", "body"),
        head=call.text("head", "PullRequest"),
        base=call.text("base", "PullRequest"),
        draft=bool(call.given("draft", False)),
    )
    return created(show_pull(call.forge, repository, item))


def show_one(call: Call) -> Answer:
    """GET ~/pulls/{n}."""
    repository = call.repository()
    item, _ = call.pull(repository)
    return ok(show_pull(call.forge, repository, item))


def edit_pull(call: Call) -> Answer:
    """PATCH ~/pulls/{n}."""
    repository = call.repository()
    item, _ = call.pull(repository)
    _refuse_strangers(call, item)
    if call.given("title") is not None:
        deeds.rename(call.forge, item, call.user, call.text("title", "PullRequest", 256))
    if "body" in call.body:
        item.body = call.short(call.given("body") or "", "PullRequest", "body")
        item.edited_at = call.forge.stamp
        item.updated_at = call.forge.stamp
    base = call.given("base")
    if base is not None:
        if not repository.bare.tip(base):
            raise invalid("PullRequest", "invalid", "base")
        deeds.retarget(call.forge, repository, item, call.user, base)
    state = call.given("state")
    if state in {"open", "closed"}:
        deeds.set_state(call.forge, item, call.user, state)
    return ok(show_pull(call.forge, repository, item))


def _refuse_strangers(call: Call, item: Item) -> None:
    role = call.forge.role(call.repository(), call.account)
    if item.author is not call.user and ROLES.index(role) < ROLES.index("write"):
        raise forbidden()


def merge_pull(call: Call) -> Answer:
    """PUT ~/pulls/{n}/merge."""
    repository = call.repository("write")
    item, _ = call.pull(repository)
    method = call.given("merge_method") or "merge"
    if method not in {"merge", "squash", "rebase"}:
        raise invalid("PullRequest", "invalid", "merge_method")
    sha = merge(
        call.forge,
        repository,
        item,
        call.user,
        method=method,
        sha=call.given("sha") or "",
        title=call.given("commit_title") or "",
        message=call.given("commit_message") or "",
    )
    return ok({"sha": sha, "merged": True, "message": "Pull Request successfully merged"})


def is_merged(call: Call) -> Answer:
    """GET ~/pulls/{n}/merge: 204 or 404."""
    _, pull = call.pull(call.repository())
    if pull.merged_at is None:
        raise not_found()
    return NOTHING


def update(call: Call) -> Answer:
    """PUT ~/pulls/{n}/update-branch: merges the base in; 422 when the head moved."""
    repository = call.repository("write")
    item, _ = call.pull(repository)
    expected = (call.body or {}).get("expected_head_sha") or ""
    update_branch(call.forge, item, call.user, expected)
    url = show_pull_in_list(call.forge, repository, item)["url"]
    return Answer(202, {"message": "Updating pull request branch.", "url": url})


def list_commits(call: Call) -> Listing:
    """GET ~/pulls/{n}/commits, oldest first, at most 250."""
    repository = call.repository()
    _, pull = call.pull(repository)
    rows = repository.bare.commits(pull.base_sha, pull.head_sha)[:250]
    return Listing(rows, lambda sha: show_commit(call.forge.base, repository, sha))


def list_files(call: Call) -> Listing:
    """GET ~/pulls/{n}/files."""
    repository = call.repository()
    _, pull = call.pull(repository)
    start = repository.bare.start_of(pull.base_sha, pull.head_sha)
    rows = changed_files(call.forge.base, repository, start, pull.head_sha)
    return Listing(rows, lambda row: row)


def request_reviewers(call: Call) -> Answer:
    """POST ~/pulls/{n}/requested_reviewers."""
    repository = call.repository("triage")
    item, _ = call.pull(repository)
    for login in call.given("reviewers") or []:
        deeds.request_review(call.forge, repository, item, call.user, login)
    return created(show_pull_in_list(call.forge, repository, item))


def remove_reviewers(call: Call) -> Answer:
    """DELETE ~/pulls/{n}/requested_reviewers."""
    repository = call.repository("triage")
    item, pull = call.pull(repository)
    wanted = {login.casefold() for login in call.given("reviewers") or []}
    for person in [one for one in pull.requested if one.login.casefold() in wanted]:
        pull.requested.remove(person)
        about = {"review_requester": call.user, "requested_reviewer": person}
        call.forge.happen(item, "review_request_removed", call.user, **about)
    return ok(show_pull_in_list(call.forge, repository, item))


PULL = "/repos/{owner}/{repo}/pulls"
ROUTES: tuple[Route, ...] = (
    ("GET", PULL, list_pulls),
    ("POST", PULL, create_pull),
    ("GET", f"{PULL}/{{pull_number}}", show_one),
    ("PATCH", f"{PULL}/{{pull_number}}", edit_pull),
    ("GET", f"{PULL}/{{pull_number}}/merge", is_merged),
    ("PUT", f"{PULL}/{{pull_number}}/merge", merge_pull),
    ("PUT", f"{PULL}/{{pull_number}}/update-branch", update),
    ("GET", f"{PULL}/{{pull_number}}/commits", list_commits),
    ("GET", f"{PULL}/{{pull_number}}/files", list_files),
    ("POST", f"{PULL}/{{pull_number}}/requested_reviewers", request_reviewers),
    ("DELETE", f"{PULL}/{{pull_number}}/requested_reviewers", remove_reviewers),
)
