"""The rehearsal forge: accounts, repositories, ids and its own time."""

from __future__ import annotations

import shutil
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from harness.rehearsal.github.bare import Bare
from harness.rehearsal.github.rows import (
    Account,
    EventRow,
    Item,
    LabelRow,
    PullRow,
    Repository,
    Role,
)

START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
NEVER_NAMED = {"ghost"}


class Forge:
    """All state. Whoever reads or changes it holds `lock`: requests come in threads.

    `base` is the address of the server (`http://127.0.0.1:PORT`), set when it starts.
    """

    def __init__(self, directory: Path, *, start: datetime = START) -> None:
        self.directory = directory
        self.lock = threading.RLock()
        self.base = ""
        self.accounts: dict[str, Account] = {}
        self.repositories: dict[int, Repository] = {}
        self.moved: dict[str, int] = {}  # old slug, casefolded: repository id
        self.slow_mergeable = 0.0  # seconds until GitHub has computed `mergeable`
        self._now = start
        self._last_id = 1000

    # -- time and ids ------------------------------------------------------------------------
    @property
    def now(self) -> datetime:
        """The rehearsal's own time."""
        return self._now

    @property
    def stamp(self) -> datetime:
        """The time as GitHub writes it down: whole seconds."""
        return self._now.replace(microsecond=0)

    def advance(self, seconds: float) -> datetime:
        """Let time pass."""
        self._now += timedelta(seconds=max(0.0, seconds))
        return self._now

    def next_id(self) -> int:
        """An id that was never used."""
        self._last_id += 1
        return self._last_id

    # -- accounts ------------------------------------------------------------------------------
    def add_account(self, login: str, *, kind: str = "User", token: str = "") -> Account:
        """An account; asked for again it is the same one."""
        known = self.accounts.get(login.casefold())
        if known is None:
            shape: Any = kind
            known = Account(self.next_id(), login, shape, token)
            self.accounts[login.casefold()] = known
        elif token:
            known.token = token
        return known

    def account(self, login: str) -> Account | None:
        """The account of this login, None when there is none."""
        return self.accounts.get(login.casefold())

    def account_of_token(self, token: str) -> Account | None:
        """Whose token this is."""
        return next((one for one in self.accounts.values() if token and one.token == token), None)

    # -- repositories --------------------------------------------------------------------------
    def add_repository(
        self, slug: str, *, default_branch: str = "main", source: Path | None = None
    ) -> Repository:
        """A repository; `source` is a git repository whose refs it starts from."""
        owner, _, name = slug.partition("/")
        path = self.directory / owner / f"{name}.git"
        if path.exists():
            shutil.rmtree(path)
        bare = Bare.make(path, default_branch)
        if source is not None:
            bare.run("fetch", "-q", str(source), "+refs/heads/*:refs/heads/*")
        repository = Repository(
            id=self.next_id(),
            owner=self.add_account(owner),
            name=name,
            bare=bare,
            created_at=self.stamp,
            default_branch=default_branch,
        )
        repository.roles[owner.casefold()] = "admin"
        for label in ("bug", "enhancement", "question"):
            repository.labels[label] = LabelRow(self.next_id(), label)
        self.repositories[repository.id] = repository
        return repository

    def repository(self, slug: str) -> Repository | None:
        """The repository of this name, None when there is none."""
        wanted = slug.casefold()
        return next((r for r in self.repositories.values() if r.slug.casefold() == wanted), None)

    def role(self, repository: Repository, account: Account | None) -> Role:
        """What an account may do; strangers may read what is public."""
        given: Role = "none" if repository.private else "read"
        if account is None:
            return given
        return repository.roles.get(account.login.casefold(), given)

    # -- items -----------------------------------------------------------------------------------
    def next_number(self, repository: Repository) -> int:
        """Issues and pull requests count together."""
        return max(repository.items, default=0) + 1

    def happen(self, item: Item, kind: str, actor: Account | None, **about: Any) -> EventRow:
        """Write a line into an item's timeline and touch it."""
        row = EventRow(self.next_id(), kind, actor, self.stamp, about)
        item.events.append(row)
        item.updated_at = self.stamp
        return row

    def pulls(self, repository: Repository) -> list[tuple[Item, PullRow]]:
        """All pull requests of a repository."""
        return [(item, item.pull) for item in repository.items.values() if item.pull]
