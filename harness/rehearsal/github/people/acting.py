"""What every deed is: it takes a second, and nobody sees it half done."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.heads import follow_all
from harness.rehearsal.github.rows import Account, Item, Repository

P = ParamSpec("P")
R = TypeVar("R")


def deed(act: Callable[P, R]) -> Callable[P, R]:
    """A person's act takes a second, and nobody sees it half done."""

    @functools.wraps(act)
    def acted(*args: P.args, **kwargs: P.kwargs) -> R:
        people = args[0]
        assert isinstance(people, Acting)
        with people.forge.lock:
            people.forge.advance(1.0)
            return act(*args, **kwargs)

    acted.is_deed = True  # type: ignore[attr-defined] # what the control endpoint may call
    return acted


class Acting:
    """Whoever acts on the forge, by login and by repository slug."""

    def __init__(self, forge: Forge) -> None:
        self.forge = forge

    def _repository(self, slug: str) -> Repository:
        found = self.forge.repository(slug)
        if found is None:
            raise LookupError(f"the rehearsal forge has no repository {slug}")
        return found

    def _item(self, slug: str, number: int) -> tuple[Repository, Item]:
        repository = self._repository(slug)
        return repository, repository.items[number]

    def _who(self, login: str) -> Account:
        return self.forge.add_account(login)

    def _commit(
        self,
        repository: Repository,
        account: Account,
        branch: str,
        files: Any,
        message: str,
    ) -> str:
        author = (account.login, f"{account.login}@people.localhost")
        at = str(int(self.forge.stamp.timestamp()))
        sha = repository.bare.write_files(branch, files, message, author=author, at=at)
        follow_all(self.forge, account)
        return sha
