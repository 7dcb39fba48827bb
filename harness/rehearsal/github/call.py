"""One request as a route sees it: who asks for what, with the checks that every route shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from harness.rehearsal.github.answers import (
    Answer,
    Json,
    Listing,
    Refusal,
    forbidden,
    invalid,
    not_found,
)
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.rows import ROLES, Account, Item, PullRow, Repository, Role


@dataclass
class Call:
    """A request whose path has been matched."""

    forge: Forge
    method: str
    path: dict[str, str]
    query: dict[str, str]
    body: Any
    account: Account | None
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def user(self) -> Account:
        """Who asks; nobody gets 401."""
        if self.account is None:
            raise Refusal(401, "Requires authentication")
        return self.account

    def repository(self, least: Role = "read") -> Repository:
        """The repository of the path, if who asks may do that much there."""
        slug = f"{self.path['owner']}/{self.path['repo']}"
        found = self.forge.repository(slug)
        if found is None:
            self._refuse_moved(slug)
            raise not_found()
        role = self.forge.role(found, self.account)
        if role == "none":
            raise not_found()
        if ROLES.index(role) < ROLES.index(least):
            raise forbidden()
        if found.archived and self.method != "GET":
            raise forbidden("Repository was archived so is read-only.")
        return found

    def _refuse_moved(self, slug: str) -> None:
        moved = self.forge.moved.get(slug.casefold())
        if moved is not None:
            url = f"{self.forge.base}/api/v3/repositories/{moved}"
            raise Refusal(301, "Moved Permanently", headers={"Location": url}, url=url)

    def item(self, repository: Repository, key: str = "issue_number") -> Item:
        """The issue (or pull request) of the path: 404, 410 when deleted, 301 when transferred."""
        found = repository.items.get(self.number(key))
        if found is None:
            raise not_found()
        if found.gone:
            raise Refusal(410, "This issue was deleted")
        if found.moved_to:
            url = f"{self.forge.base}/api/v3/repos/{found.moved_to}"
            raise Refusal(301, "Moved Permanently", headers={"Location": url}, url=url)
        return found

    def pull(self, repository: Repository) -> tuple[Item, PullRow]:
        """The pull request of the path."""
        found = self.item(repository, "pull_number")
        if found.pull is None:
            raise not_found()
        return found, found.pull

    def number(self, key: str) -> int:
        """A number of the path."""
        text = self.path[key]
        if not text.isdigit():
            raise not_found()
        return int(text)

    def given(self, key: str, default: Any = None) -> Any:
        """A key of the body."""
        if not isinstance(self.body, dict):
            raise Refusal(400, "Problems parsing JSON")
        return self.body.get(key, default)

    def text(self, key: str, resource: str, most: int = 65_536) -> str:
        """A text of the body that must be there and not blank."""
        value = self.given(key)
        if not isinstance(value, str) or not value.strip():
            raise invalid(resource, "missing_field", key)
        return self.short(value, resource, key, most)

    @staticmethod
    def short(value: str, resource: str, key: str, most: int = 65_536) -> str:
        """A text that is not longer than GitHub takes, in characters."""
        if len(value) > most:
            message = f"{key} is too long (maximum is {most} characters)"
            raise invalid(resource, "custom", key, message)
        return value

    def since(self) -> datetime | None:
        """The `since` of the query."""
        value = self.query.get("since")
        if not value:
            return None
        try:
            at = datetime.fromisoformat(value)
        except ValueError:
            raise invalid("Search", "invalid", "since") from None
        return at if at.tzinfo else at.replace(tzinfo=UTC)

    def refuse_locked(self, repository: Repository, item: Item) -> None:
        """A locked conversation takes no word from those who may not write."""
        role = self.forge.role(repository, self.account)
        if item.locked and ROLES.index(role) < ROLES.index("write"):
            raise forbidden("Unable to create comment because issue is locked.")


Route = tuple[str, str, Callable[[Call], "Answer | Listing"]]


def created(payload: Json) -> Answer:
    """201 with what was made."""
    return Answer(201, payload, headers={"Location": str(payload.get("url", ""))})


def ok(payload: Any) -> Answer:
    """200."""
    return Answer(200, payload)


NOTHING = Answer(204)
