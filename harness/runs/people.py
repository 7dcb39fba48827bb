"""What people said and did about an item: comments, reviews and the notes in their threads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from harness.facts.briefing import Said
from harness.facts.case import Word
from harness.facts.forge import Comment, ForgeReview, Permission, Pull
from harness.rules.hearing import VERDICTS, as_comment, as_words
from harness.rules.merging import objections
from harness.rules.standing import is_input
from harness.runs.desk import Desk
from harness.runs.job import Job


@dataclass(frozen=True)
class People:
    """What they said, oldest first, and what of it decides something."""

    on_issue: tuple[Said, ...] = ()
    on_pull: tuple[Said, ...] = ()
    objections: tuple[str, ...] = ()  # who asks for changes
    last_act: datetime | None = None
    """When somebody with write access last spoke, gave a verdict, or named the item."""

    @property
    def words(self) -> tuple[Word, ...]:
        """What they said, as custody sees it."""
        return (*as_words(self.on_issue, "issue"), *as_words(self.on_pull, "pull"))


def read_people(desk: Desk, job: Job, pull: Pull | None) -> People:
    """Everything that people said on an item and on its pull request, and their verdicts."""
    reader = Reader(desk)
    number = pull.number if pull else 0
    reviews = reader.reviews(number) if pull and pull.state == "open" else ()
    verdicts = [one for one in reviews if one.state in VERDICTS | {"DISMISSED"}]
    on_issue = reader.comments(job.item) if job.item != number else ()
    on_pull = reader.on_pull(number, reviews) if pull and pull.state == "open" else ()
    acts = [
        said.comment.created_at
        for said in (*on_issue, *on_pull, *reader.as_said(verdicts))
        if said.permission.may_write
    ]
    if {job.item, number} & desk.named:
        acts.append(desk.started)
    return People(
        on_issue=on_issue,
        on_pull=on_pull,
        objections=objections(reviews, reader.permissions),
        last_act=max(acts, default=None),
    )


@dataclass(frozen=True)
class Reader:
    """Reads what people said; asked once for each person what they may do, however much it was."""

    desk: Desk
    permissions: dict[str, Permission] = field(default_factory=dict)

    def may(self, login: str) -> Permission:
        """What this person may do here."""
        if login not in self.permissions:
            self.permissions[login] = self.desk.reading.permission(login)
        return self.permissions[login]

    def comments(self, number: int) -> tuple[Said, ...]:
        """The top-level comments of people, oldest first."""
        return tuple(
            Said(comment=one, permission=self.may(one.author.login))
            for one in self.desk.reading.comments(number)
            if self._is_by_people(one, number)
        )

    def reviews(self, number: int) -> tuple[ForgeReview, ...]:
        """The submitted reviews of people, oldest first."""
        return tuple(
            review
            for review in self.desk.reading.reviews(number)
            if (said := as_comment(review)) and self._is_by_people(said, number)
        )

    def as_said(self, reviews: Iterable[ForgeReview]) -> tuple[Said, ...]:
        """The same as texts."""
        return tuple(
            Said(comment=said, permission=self.may(said.author.login), verdict=review.state)
            for review in reviews
            if (said := as_comment(review))
        )

    def on_pull(self, number: int, reviews: Iterable[ForgeReview]) -> tuple[Said, ...]:
        """Comments, reviews with a text, and inline notes, oldest first."""
        written = (said for said in self.as_said(reviews) if said.comment.body.strip())
        said = (*self.comments(number), *written, *self._notes(number))
        return tuple(sorted(said, key=lambda one: (one.comment.created_at, one.comment.id)))

    def _notes(self, number: int) -> Iterable[Said]:
        for thread in self.desk.reading.threads(number):
            place = f"{thread.path}:{thread.line}" if thread.line else thread.path
            for note in thread.comments:
                if self._is_by_people(note, number):
                    yield Said(comment=note, permission=self.may(note.author.login), place=place)

    def _is_by_people(self, comment: Comment, number: int) -> bool:
        return is_input(self.desk.whose(comment, number))
