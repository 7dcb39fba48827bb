"""Reviews and review comments."""

from __future__ import annotations

from harness.rehearsal.github import deeds
from harness.rehearsal.github.answers import (
    Answer,
    Json,
    Listing,
    forbidden,
    invalid,
    not_found,
    unprocessable,
)
from harness.rehearsal.github.call import NOTHING, Call, Route, created, ok
from harness.rehearsal.github.conversations import Talk, drop_review, is_visible
from harness.rehearsal.github.rows import (
    ROLES,
    Item,
    NoteRow,
    PullRow,
    Repository,
    ReviewRow,
    ThreadRow,
)
from harness.rehearsal.github.shown.people import REACTIONS, show_reaction
from harness.rehearsal.github.shown.talk import show_note, show_review


def _talk(call: Call) -> Talk:
    repository = call.repository()
    item, pull = call.pull(repository)
    call.refuse_locked(repository, item)
    return Talk(call.forge, repository, item, pull, call.user)


def list_reviews(call: Call) -> Listing:
    """GET ~/pulls/{n}/reviews: submitted ones, and the asker's own pending one."""
    repository = call.repository()
    item, pull = call.pull(repository)
    rows = [row for row in pull.reviews if row.state != "PENDING" or row.author is call.account]
    return Listing(
        rows,
        lambda row: show_review(call.forge, repository, item, row),
        lambda row: row.submitted_at,
    )


def create_review(call: Call) -> Answer:
    """POST ~/pulls/{n}/reviews."""
    talk = _talk(call)
    notes: list[Json] = call.given("comments") or []
    event, body = call.given("event") or "", call.given("body") or ""
    row = talk.review(event, body, call.given("commit_id") or "", notes)
    return ok(show_review(call.forge, talk.repository, talk.item, row))


def _find(call: Call) -> tuple[Repository, Item, PullRow, ReviewRow]:
    repository = call.repository()
    item, pull = call.pull(repository)
    wanted = call.number("review_id")
    row = next((row for row in pull.reviews if row.id == wanted), None)
    if row is None or (row.state == "PENDING" and row.author is not call.account):
        raise not_found()
    return repository, item, pull, row


def show_one(call: Call) -> Answer:
    """GET ~/pulls/{n}/reviews/{id}."""
    repository, item, _, row = _find(call)
    return ok(show_review(call.forge, repository, item, row))


def edit_review(call: Call) -> Answer:
    """PUT ~/pulls/{n}/reviews/{id}: its author's to change."""
    repository, item, _, row = _find(call)
    if row.author is not call.user:
        raise forbidden()
    row.body = call.text("body", "PullRequestReview")
    return ok(show_review(call.forge, repository, item, row))


def delete_review(call: Call) -> Answer:
    """DELETE ~/pulls/{n}/reviews/{id}: pending ones only."""
    repository, item, pull, row = _find(call)
    if row.state != "PENDING":
        raise unprocessable("Can not delete a non-pending pull request review")
    drop_review(pull, row)
    return ok(show_review(call.forge, repository, item, row))


def submit_review(call: Call) -> Answer:
    """POST ~/pulls/{n}/reviews/{id}/events."""
    _, _, _, row = _find(call)
    talk = _talk(call)
    talk.submit(row, str(call.given("event") or ""), call.given("body") or "")
    return ok(show_review(call.forge, talk.repository, talk.item, row))


def dismiss_review(call: Call) -> Answer:
    """PUT ~/pulls/{n}/reviews/{id}/dismissals."""
    repository, item, _, row = _find(call)
    call.repository("write")
    if row.state not in {"APPROVED", "CHANGES_REQUESTED"}:
        raise unprocessable("Can not dismiss a commented pull request review")
    row.state = "DISMISSED"
    call.forge.happen(item, "review_dismissed", call.user)
    return ok(show_review(call.forge, repository, item, row))


def list_review_comments(call: Call) -> Listing:
    """GET ~/pulls/{n}/reviews/{id}/comments; without lines, with positions."""
    repository, item, pull, row = _find(call)
    pairs = [(t, n) for t in pull.threads for n in t.notes if n.review == row.id]

    def show(pair: tuple[ThreadRow, NoteRow]) -> Json:
        shown = show_note(call.forge, repository, item, *pair)
        return shown | {"position": None if pair[0].outdated else 1, "original_position": 1}

    return Listing(pairs, show)


# -- review comments ------------------------------------------------------------------------------
def list_notes(call: Call) -> Listing:
    """GET ~/pulls/{n}/comments."""
    repository = call.repository()
    item, pull = call.pull(repository)
    return _listed(call, repository, [(item, pull)])


def list_all_notes(call: Call) -> Listing:
    """GET ~/pulls/comments."""
    repository = call.repository()
    return _listed(call, repository, call.forge.pulls(repository))


def _listed(call: Call, repository: Repository, pulls: list[tuple[Item, PullRow]]) -> Listing:
    since = call.since()
    rows = [
        (item, thread, note)
        for item, pull in pulls
        for thread in pull.threads
        for note in thread.notes
        if is_visible(pull, note, None) and (since is None or note.updated_at >= since)
    ]
    rows.sort(key=lambda row: row[2].id, reverse=call.query.get("direction") == "desc")
    return Listing(
        rows,
        lambda row: show_note(call.forge, repository, *row),
        lambda row: row[2].created_at,
    )


def create_note(call: Call) -> Answer:
    """POST ~/pulls/{n}/comments: a thread of its own, or a reply by `in_reply_to`."""
    talk = _talk(call)
    body = call.text("body", "PullRequestReviewComment")
    if call.given("in_reply_to"):
        thread, note = talk.reply(int(call.given("in_reply_to")), body)
        return created(show_note(call.forge, talk.repository, talk.item, thread, note))
    note = talk.start_thread(call.body, call.text("commit_id", "PullRequestReviewComment"))
    return created(show_note(call.forge, talk.repository, talk.item, talk.pull.threads[-1], note))


def reply(call: Call) -> Answer:
    """POST ~/pulls/{n}/comments/{id}/replies."""
    talk = _talk(call)
    body = call.text("body", "PullRequestReviewComment")
    thread, note = talk.reply(call.number("comment_id"), body)
    return created(show_note(call.forge, talk.repository, talk.item, thread, note))


def _find_note(call: Call) -> tuple[Repository, Item, PullRow, ThreadRow, NoteRow]:
    repository = call.repository()
    wanted = call.number("comment_id")
    for item, pull in call.forge.pulls(repository):
        for thread in pull.threads:
            for note in thread.notes:
                if note.id == wanted and is_visible(pull, note, call.account):
                    return repository, item, pull, thread, note
    raise not_found()


def show_a_note(call: Call) -> Answer:
    """GET ~/pulls/comments/{id}."""
    repository, item, _, thread, note = _find_note(call)
    return ok(show_note(call.forge, repository, item, thread, note))


def _refuse_others(call: Call, repository: Repository, note: NoteRow) -> None:
    role = call.forge.role(repository, call.account)
    if note.author is not call.user and ROLES.index(role) < ROLES.index("write"):
        raise forbidden()


def edit_note(call: Call) -> Answer:
    """PATCH ~/pulls/comments/{id}."""
    repository, item, _, thread, note = _find_note(call)
    _refuse_others(call, repository, note)
    note.body = call.text("body", "PullRequestReviewComment")
    note.updated_at = item.updated_at = call.forge.stamp
    return ok(show_note(call.forge, repository, item, thread, note))


def delete_note(call: Call) -> Answer:
    """DELETE ~/pulls/comments/{id}; a thread without comments is no thread."""
    repository, _, pull, thread, note = _find_note(call)
    _refuse_others(call, repository, note)
    thread.notes.remove(note)
    if not thread.notes:
        pull.threads.remove(thread)
    return NOTHING


def react_to_note(call: Call) -> Answer:
    """POST ~/pulls/comments/{id}/reactions."""
    _, _, _, _, note = _find_note(call)
    content = call.given("content")
    if content not in REACTIONS:
        raise invalid("Reaction", "invalid", "content")
    row, new = deeds.react(call.forge, note.reactions, call.user, content)
    return Answer(201 if new else 200, show_reaction(call.forge.base, row))


PULL = "/repos/{owner}/{repo}/pulls"
REVIEW = f"{PULL}/{{pull_number}}/reviews"
ROUTES: tuple[Route, ...] = (
    ("GET", f"{PULL}/comments", list_all_notes),
    ("GET", f"{PULL}/comments/{{comment_id}}", show_a_note),
    ("PATCH", f"{PULL}/comments/{{comment_id}}", edit_note),
    ("DELETE", f"{PULL}/comments/{{comment_id}}", delete_note),
    ("POST", f"{PULL}/comments/{{comment_id}}/reactions", react_to_note),
    ("GET", f"{PULL}/{{pull_number}}/comments", list_notes),
    ("POST", f"{PULL}/{{pull_number}}/comments", create_note),
    ("POST", f"{PULL}/{{pull_number}}/comments/{{comment_id}}/replies", reply),
    ("GET", REVIEW, list_reviews),
    ("POST", REVIEW, create_review),
    ("GET", f"{REVIEW}/{{review_id}}", show_one),
    ("PUT", f"{REVIEW}/{{review_id}}", edit_review),
    ("DELETE", f"{REVIEW}/{{review_id}}", delete_review),
    ("POST", f"{REVIEW}/{{review_id}}/events", submit_review),
    ("PUT", f"{REVIEW}/{{review_id}}/dismissals", dismiss_review),
    ("GET", f"{REVIEW}/{{review_id}}/comments", list_review_comments),
)
