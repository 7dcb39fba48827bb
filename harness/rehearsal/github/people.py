"""Scripted people: what they do to the rehearsal forge while the harness works."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

from harness.rehearsal.github import deeds
from harness.rehearsal.github.conversations import Talk
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.heads import follow_all
from harness.rehearsal.github.merging import merge
from harness.rehearsal.github.rows import Account, CheckRunRow, Guard, Item, Repository, Role

P = ParamSpec("P")
R = TypeVar("R")


def deed(act: Callable[P, R]) -> Callable[P, R]:
    """A person's act takes a second, and nobody sees it half done."""

    @functools.wraps(act)
    def acted(*args: P.args, **kwargs: P.kwargs) -> R:
        people = args[0]
        assert isinstance(people, People)
        with people.forge.lock:
            people.forge.advance(1.0)
            return act(*args, **kwargs)

    acted.is_deed = True  # type: ignore[attr-defined] # what the control endpoint may call
    return acted


class People:
    """Acts by login and by repository slug; numbers come back, so that a script can go on.

    Everybody who is named exists from then on.
    """

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

    # -- accounts and repositories ---------------------------------------------------------------
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

    # -- code ------------------------------------------------------------------------------------
    @deed
    def commit(
        self, slug: str, login: str, branch: str, files: dict[str, str | None], message: str
    ) -> str:
        """Commit texts (None removes a file) on a branch and push; returns the SHA."""
        return self._commit(self._repository(slug), self._who(login), branch, files, message)

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

    @deed
    def branch_off(self, slug: str, branch: str, start: str) -> str:
        """A branch at the tip of another one or at a commit."""
        bare = self._repository(slug).bare
        sha = bare.tip(start) or start
        bare.move(f"refs/heads/{branch}", sha)
        follow_all(self.forge)
        return sha

    @deed
    def force_push(self, slug: str, login: str, branch: str, sha: str) -> None:
        """Set a branch to a commit, whatever it was."""
        self._repository(slug).bare.move(f"refs/heads/{branch}", sha)
        follow_all(self.forge, self._who(login))

    @deed
    def start_over(self, slug: str, login: str, branch: str) -> str:
        """Set a branch to a commit of the same files that has no history; returns it."""
        bare, who = self._repository(slug).bare, self._who(login)
        author = (who.login, f"{who.login}@people.localhost")
        at = self.forge.stamp.isoformat()
        sha = bare.commit(f"{branch}^{{tree}}", [], "Start over\n", author=author, at=at)
        bare.move(f"refs/heads/{branch}", sha)
        follow_all(self.forge, who)
        return sha

    @deed
    def delete_branch(self, slug: str, login: str, branch: str) -> None:
        """Delete a branch; open pull requests from it close."""
        self._repository(slug).bare.move(f"refs/heads/{branch}", "")
        follow_all(self.forge, self._who(login))

    @deed
    def rename_branch(self, slug: str, login: str, branch: str, name: str) -> None:
        """Rename a branch, the default one too; open pull requests onto it follow.

        Those from it follow as well: one that is closed instead leaves nothing to rename back.
        """
        repository = self._repository(slug)
        repository.bare.move(f"refs/heads/{name}", repository.bare.tip(branch))
        repository.bare.move(f"refs/heads/{branch}", "")
        if repository.default_branch == branch:
            repository.default_branch = name
            repository.bare.run("symbolic-ref", "HEAD", f"refs/heads/{name}")
        for _, pull in self.forge.pulls(repository):
            pull.base_ref = name if pull.base_ref == branch else pull.base_ref
            if pull.head_repo is repository and pull.head_ref == branch:
                pull.head_ref = name
        follow_all(self.forge, self._who(login))

    # -- issues ------------------------------------------------------------------------------------
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

    # -- pull requests -----------------------------------------------------------------------------
    @deed
    def open_pull(
        self,
        slug: str,
        login: str,
        head: str,
        title: str,
        body: str = "",
        *,
        base: str = "",
        draft: bool = False,
    ) -> int:
        """Open a pull request from `branch` or `owner:branch`; returns its number."""
        repository = self._repository(slug)
        return deeds.open_pull(
            self.forge,
            repository,
            self._who(login),
            title=title,
            body=body,
            head=head,
            base=base or repository.default_branch,
            draft=draft,
        ).number

    @deed
    def retarget(self, slug: str, login: str, number: int, base: str) -> None:
        """Have a pull request go into another branch."""
        repository, item = self._item(slug, number)
        deeds.retarget(self.forge, repository, item, self._who(login), base)

    @deed
    def set_draft(self, slug: str, login: str, number: int, *, draft: bool) -> None:
        """To draft, or out of it."""
        _, item = self._item(slug, number)
        assert item.pull is not None
        item.pull.draft = draft
        kind = "convert_to_draft" if draft else "ready_for_review"
        self.forge.happen(item, kind, self._who(login))

    @deed
    def merge(
        self,
        slug: str,
        login: str,
        number: int,
        *,
        method: Literal["merge", "squash", "rebase"] = "merge",
    ) -> str:
        """Merge a pull request; returns the new commit."""
        repository, item = self._item(slug, number)
        who = self._who(login)
        return merge(self.forge, repository, item, who, method=method, sha="", title="", message="")

    def _talk(self, slug: str, login: str, number: int) -> Talk:
        repository, item = self._item(slug, number)
        assert item.pull is not None
        return Talk(self.forge, repository, item, item.pull, self._who(login))

    @deed
    def review(
        self,
        slug: str,
        login: str,
        number: int,
        event: Literal["APPROVE", "REQUEST_CHANGES", "COMMENT", ""],
        body: str = "",
        *,
        notes: list[dict[str, Any]] | None = None,
        commit: str = "",
    ) -> int:
        """Review; without an event it stays a pending draft. Notes have path, line and body."""
        return self._talk(slug, login, number).review(event, body, commit, notes or []).id

    @deed
    def note(self, slug: str, login: str, number: int, path: str, line: int, body: str) -> int:
        """One inline comment on the head; returns its id."""
        given = {"path": path, "line": line, "body": body}
        return self._talk(slug, login, number).start_thread(given, "").id

    @deed
    def reply(self, slug: str, login: str, number: int, comment_id: int, body: str) -> int:
        """Reply in a thread; returns the reply's id."""
        return self._talk(slug, login, number).reply(comment_id, body)[1].id

    @deed
    def resolve(
        self, slug: str, login: str, number: int, comment_id: int, *, resolved: bool = True
    ) -> None:
        """Resolve the thread of a comment, or open it again."""
        talk = self._talk(slug, login, number)
        thread = talk.thread_of(comment_id)
        assert thread is not None
        thread.resolved_by = talk.by if resolved else None

    @deed
    def edit_note(self, slug: str, number: int, comment_id: int, body: str) -> None:
        """Change a comment in a thread."""
        _, item = self._item(slug, number)
        assert item.pull is not None
        notes = [note for thread in item.pull.threads for note in thread.notes]
        note = next(note for note in notes if note.id == comment_id)
        note.body, note.updated_at = body, self.forge.stamp

    @deed
    def request_review(self, slug: str, login: str, number: int, person: str) -> None:
        """Ask a collaborator for a review."""
        repository, item = self._item(slug, number)
        deeds.request_review(self.forge, repository, item, self._who(login), person)

    @deed
    def react(
        self, slug: str, login: str, number: int, content: str, *, comment_id: int = 0
    ) -> None:
        """React to an item, or to one of its comments."""
        _, item = self._item(slug, number)
        rows = item.reactions
        if comment_id:
            rows = next(row.reactions for row in item.comments if row.id == comment_id)
        deeds.react(self.forge, rows, self._who(login), content)

    # -- checks --------------------------------------------------------------------------------
    @deed
    def set_status(
        self, slug: str, login: str, sha: str, context: str, state: str, text: str = ""
    ) -> int:
        """Set a commit status; returns its id."""
        repository = self._repository(slug)
        return deeds.set_status(
            self.forge,
            repository,
            self._who(login),
            sha=sha,
            context=context,
            state=state,
            description=text or None,
        ).id

    @deed
    def run_check(
        self,
        slug: str,
        sha: str,
        name: str,
        conclusion: str = "",
        *,
        app: str = "github-actions",
        summary: str = "",
        annotations: list[dict[str, Any]] | None = None,
        log: str = "",
    ) -> int:
        """A check run, going on without a conclusion; returns its id."""
        row = CheckRunRow(
            id=self.forge.next_id(),
            sha=sha,
            name=name,
            status="completed" if conclusion else "in_progress",
            conclusion=conclusion or None,
            external_id="",
            app=app,
            started_at=self.forge.stamp,
            completed_at=self.forge.stamp if conclusion else None,
            summary=summary or None,
            annotations=annotations or [],
            log=log,
        )
        self._repository(slug).check_runs.append(row)
        return row.id
