"""People commit, push and move branches."""

from __future__ import annotations

from harness.rehearsal.github.heads import follow_all
from harness.rehearsal.github.people.acting import Acting, deed


class Code(Acting):
    """People commit, push and move branches."""

    @deed
    def commit(
        self, slug: str, login: str, branch: str, files: dict[str, str | None], message: str
    ) -> str:
        """Commit texts (None removes a file) on a branch and push; returns the SHA."""
        return self._commit(self._repository(slug), self._who(login), branch, files, message)

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
