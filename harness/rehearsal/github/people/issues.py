"""People file issues, talk, label and close."""

from __future__ import annotations

from harness.rehearsal.github import deeds
from harness.rehearsal.github.people.acting import Acting, deed


class Issues(Acting):
    """People file issues, talk, label and close."""

    @deed
    def open_issue(
        self, slug: str, login: str, title: str, body: str = "", *, labels: list[str] | None = None
    ) -> int:
        """File an issue; returns its number."""
        repository, who = self._repository(slug), self._who(login)
        item = deeds.open_issue(self.forge, repository, who, title, body)
        for name in labels or []:
            deeds.put_label(self.forge, repository, item, who, name)
        return item.number

    @deed
    def comment(self, slug: str, login: str, number: int, body: str) -> int:
        """Say something; returns the comment's id."""
        _, item = self._item(slug, number)
        return deeds.comment(self.forge, item, self._who(login), body).id

    @deed
    def edit_comment(self, slug: str, number: int, comment_id: int, body: str) -> None:
        """Change a comment."""
        _, item = self._item(slug, number)
        row = next(row for row in item.comments if row.id == comment_id)
        row.body, row.updated_at = body, self.forge.stamp

    @deed
    def delete_comment(self, slug: str, login: str, number: int, comment_id: int) -> None:
        """Delete a comment."""
        _, item = self._item(slug, number)
        item.comments = [row for row in item.comments if row.id != comment_id]
        self.forge.happen(item, "comment_deleted", self._who(login))

    @deed
    def edit(
        self, slug: str, login: str, number: int, *, title: str = "", body: str | None = None
    ) -> None:
        """Change title or body."""
        _, item = self._item(slug, number)
        if title:
            deeds.rename(self.forge, item, self._who(login), title)
        if body is not None:
            item.body, item.updated_at = body, self.forge.stamp
            item.edited_at = self.forge.stamp

    @deed
    def close(self, slug: str, login: str, number: int, *, reason: str | None = None) -> None:
        """Close an item."""
        _, item = self._item(slug, number)
        deeds.set_state(self.forge, item, self._who(login), "closed", reason)

    @deed
    def reopen(self, slug: str, login: str, number: int) -> None:
        """Reopen an item."""
        _, item = self._item(slug, number)
        deeds.set_state(self.forge, item, self._who(login), "open")

    @deed
    def label(self, slug: str, login: str, number: int, name: str) -> None:
        """Put a label on."""
        repository, item = self._item(slug, number)
        deeds.put_label(self.forge, repository, item, self._who(login), name)

    @deed
    def unlabel(self, slug: str, login: str, number: int, name: str) -> None:
        """Take a label off."""
        _, item = self._item(slug, number)
        deeds.take_label(self.forge, item, self._who(login), name)

    @deed
    def assign(self, slug: str, login: str, number: int, person: str) -> None:
        """Assign a person."""
        repository, item = self._item(slug, number)
        deeds.assign(self.forge, repository, item, self._who(login), person)

    @deed
    def unassign(self, slug: str, login: str, number: int, person: str) -> None:
        """Take an assignment back."""
        _, item = self._item(slug, number)
        deeds.unassign(self.forge, item, self._who(login), person)

    @deed
    def lock(self, slug: str, login: str, number: int) -> None:
        """Lock a conversation."""
        _, item = self._item(slug, number)
        item.locked = True
        self.forge.happen(item, "locked", self._who(login))

    @deed
    def delete_item(self, slug: str, number: int) -> None:
        """Delete an issue: 410 from now on."""
        self._item(slug, number)[1].gone = True

    @deed
    def transfer(self, slug: str, number: int, to: str) -> None:
        """Move an issue to another repository: 301 from now on."""
        _, item = self._item(slug, number)
        target = self._repository(to)
        copy = deeds.open_issue(
            self.forge, target, item.author or target.owner, item.title, item.body
        )
        item.moved_to = f"{target.slug}/issues/{copy.number}"
