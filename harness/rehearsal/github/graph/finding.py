"""From a global id to what it stands for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from harness.rehearsal.github.answers import Json
from harness.rehearsal.github.conversations import is_visible
from harness.rehearsal.github.graph import objects
from harness.rehearsal.github.graph.view import View, unnode
from harness.rehearsal.github.rows import (
    CommentRow,
    Item,
    NoteRow,
    Repository,
    ReviewRow,
    ThreadRow,
)

Row = Item | CommentRow | ReviewRow | ThreadRow | NoteRow


@dataclass(frozen=True)
class Found:
    """A row with the item and the repository it stands in."""

    view: View
    repository: Repository
    item: Item
    row: Any  # one of Row, asked by isinstance

    def show(self) -> Json:
        """As a GraphQL object."""
        view, repository, item, row = self.view, self.repository, self.item, self.row
        if isinstance(row, CommentRow):
            return objects.show_comment(view, repository, row)
        if isinstance(row, ReviewRow):
            return objects.show_review(view, repository, row)
        if isinstance(row, NoteRow):
            return objects.show_note(view, repository, item, row)
        if isinstance(row, ThreadRow) and item.pull:
            return objects.show_thread(view, repository, item, item.pull, row)
        return objects.show_item(view, repository, item)


def find_node(view: View, text: str) -> Found | None:
    """What a global id stands for, None when the viewer may not see it or there is none."""
    kind, wanted = unnode(text)
    for repository in view.forge.repositories.values():
        if view.forge.role(repository, view.viewer) == "none":
            continue
        for item in repository.items.values():
            for name, row in _rows(view, item):
                if name == kind and row.id == wanted and not item.gone:
                    return Found(view, repository, item, row)
    return None


def _rows(view: View, item: Item) -> Iterator[tuple[str, Row]]:
    yield ("PullRequest" if item.pull else "Issue"), item
    for comment in item.comments:
        yield "IssueComment", comment
    if item.pull is None:
        return
    for review in item.pull.reviews:
        if review.state != "PENDING" or review.author is view.viewer:
            yield "PullRequestReview", review
    for thread in objects.visible_threads(view, item.pull):
        yield "PullRequestReviewThread", thread
        for note in thread.notes:
            if is_visible(item.pull, note, view.viewer):
                yield "PullRequestReviewComment", note
