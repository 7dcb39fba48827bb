"""Accounts and repositories come, change and go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.rehearsal.github.people.acting import Acting, deed
from harness.rehearsal.github.rows import Guard, Role


class Accounts(Acting):
    """Accounts and repositories come, change and go."""

    @deed
    def join(self, login: str, *, token: str = "", kind: str = "User") -> int:
        """Make an account; returns its id."""
        return self.forge.add_account(login, kind=kind, token=token).id

    @deed
    def lose_token(self, login: str) -> None:
        """The token is revoked."""
        self._who(login).token = ""

    @deed
    def leave(self, login: str) -> None:
        """Delete an account: what it wrote stays, by nobody (a ghost)."""
        account = self.forge.accounts.pop(login.casefold())
        for repository in self.forge.repositories.values():
            for item in repository.items.values():
                rows: list[Any] = [item, *item.comments]
                if item.pull:
                    rows += [*item.pull.reviews]
                    rows += [note for thread in item.pull.threads for note in thread.notes]
                for row in rows:
                    if row.author is account:
                        row.author = None

    @deed
    def make_repository(
        self,
        slug: str,
        *,
        files: dict[str, str] | None = None,
        source: str = "",
        default_branch: str = "main",
    ) -> int:
        """A repository with a commit of `files`, or with the branches of the one at path `source`.

        Returns its id.
        """
        repository = self.forge.add_repository(
            slug, default_branch=default_branch, source=Path(source) if source else None
        )
        if files is not None:
            self._commit(repository, repository.owner, default_branch, files, "Begin")
        return repository.id

    @deed
    def allow(self, slug: str, login: str, role: Role) -> None:
        """Give (or take) access."""
        self._who(login)
        self._repository(slug).roles[login.casefold()] = role

    @deed
    def guard_branch(
        self,
        slug: str,
        branch: str,
        *,
        required: list[str] | None = None,
        strict: bool = False,
        by_rules: bool = False,
    ) -> None:
        """Protect a branch."""
        guard = Guard(tuple(required or ()), strict, by_rules)
        self._repository(slug).guards[branch] = guard

    @deed
    def fork(self, slug: str, login: str) -> str:
        """Fork a repository; returns the fork's slug."""
        source = self._repository(slug)
        self._who(login)
        made = self.forge.add_repository(
            f"{login}/{source.name}",
            default_branch=source.default_branch,
            source=source.bare.path,
        )
        made.fork_of = source.id
        return made.slug

    @deed
    def move_repository(self, slug: str, to: str) -> None:
        """Rename or transfer a repository: the old name answers 301."""
        repository = self._repository(slug)
        owner, _, name = to.partition("/")
        repository.owner, repository.name = self._who(owner), name
        repository.roles[owner.casefold()] = "admin"
        self.forge.moved[slug.casefold()] = repository.id

    @deed
    def archive(self, slug: str) -> None:
        """Make a repository read-only."""
        self._repository(slug).archived = True
