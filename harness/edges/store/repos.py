"""Record half: repositories, our pull requests, commits, checks and builds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

from harness.edges.store.columns import as_json, moment, stamp
from harness.edges.store.family import Family
from harness.edges.store.pen import Row
from harness.facts.builds import Build
from harness.facts.checks import Check
from harness.facts.forge import Repo
from harness.facts.trees import CommitRow, PullRow


class Repos(Family):
    """The tables repos, pulls, commits, checks and builds."""

    def note_repo(self, repo: Repo) -> None:
        with self._records.writing():
            self._records.insert("repos", repo.model_dump(), known="REPLACE")

    def repos(self) -> tuple[Repo, ...]:
        rows = self._records.rows("SELECT * FROM repos ORDER BY owner, name")
        return tuple(Repo.model_validate(row) for row in rows)

    def note_pull(self, pull: PullRow) -> None:
        row = pull.model_dump()
        row["repo"] = row.pop("repo_id")
        with self._records.writing():
            self._records.insert("pulls", row, known="REPLACE")

    def pulls(self, repo_id: int, item: int) -> tuple[PullRow, ...]:
        rows = self._records.rows(
            "SELECT * FROM pulls WHERE repo = :repo AND (item = :item OR number = :item)"
            " ORDER BY attempt DESC, number DESC",
            {"repo": repo_id, "item": item},
        )
        return tuple(_pull(row) for row in rows)

    def open_pulls(self, repo_id: int) -> tuple[PullRow, ...]:
        rows = self._records.rows(
            "SELECT * FROM pulls WHERE repo = ? AND state = 'open' ORDER BY number", (repo_id,)
        )
        return tuple(_pull(row) for row in rows)

    def record_commit(self, row: CommitRow) -> None:
        line = row.model_dump() | {"at": stamp(row.at), "exchange": row.exchange_id}
        line["repo"] = line.pop("repo_id")
        del line["exchange_id"]
        with self._records.writing():
            self._records.insert("commits", line, known="IGNORE")

    def commits(self, repo_id: int, shas: Iterable[str]) -> tuple[CommitRow, ...]:
        rows = self._records.rows(
            "SELECT * FROM commits WHERE repo = ? AND sha IN (SELECT value FROM json_each(?))"
            " ORDER BY seq DESC",
            (repo_id, json.dumps(list(shas))),
        )
        return tuple(_commit(row) for row in rows)

    def commits_of_item(self, repo_id: int, item: int) -> tuple[CommitRow, ...]:
        rows = self._records.rows(
            "SELECT * FROM commits WHERE repo = ? AND item = ? ORDER BY seq DESC", (repo_id, item)
        )
        return tuple(_commit(row) for row in rows)

    def record_check(self, repo_id: int, check: Check) -> None:
        mask = self._records.mask
        said = {"failing": as_json(tuple(map(mask, check.failing))), "tail": mask(check.tail)}
        row = check.model_dump() | {"repo": repo_id} | said
        with self._records.writing():
            self._records.insert("checks", row, known="REPLACE")

    def check(self, repo_id: int, sha: str, command: str) -> Check | None:
        row = self._records.row(
            "SELECT command, sha, state, exit, seconds, failing, tail, stopped_by FROM checks"
            " WHERE repo = ? AND sha = ? AND command = ?",
            (repo_id, sha, command),
        )
        return Check.model_validate(row | {"failing": json.loads(row["failing"])}) if row else None

    def record_build(self, build: Build, at: datetime) -> None:
        said = {"tail": self._records.mask(build.tail)}
        row = build.model_dump() | {"repo": build.repo_id, "at": stamp(at)} | said
        del row["repo_id"]
        with self._records.writing():
            self._records.insert("builds", row, known="REPLACE")

    def build(self, repo_id: int, key: str) -> Build | None:
        row = self._records.row(
            "SELECT repo AS repo_id, key, path, state, tail, ended, tries FROM builds"
            " WHERE repo = ? AND key = ?",
            (repo_id, key),
        )
        return Build.model_validate(row) if row else None


def _pull(row: Row) -> PullRow:
    row["repo_id"] = row.pop("repo")
    return PullRow.model_validate(row)


def _commit(row: Row) -> CommitRow:
    row["repo_id"] = row.pop("repo")
    row["exchange_id"] = row.pop("exchange")
    row["at"] = moment(row["at"])
    del row["seq"]
    return CommitRow.model_validate(row)
