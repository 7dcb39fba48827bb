"""Checks of somebody else's run on commits."""

from __future__ import annotations

from typing import Any

from harness.rehearsal.github import deeds
from harness.rehearsal.github.people.acting import Acting, deed
from harness.rehearsal.github.rows import CheckRunRow


class Checks(Acting):
    """Checks of somebody else's run on commits."""

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
