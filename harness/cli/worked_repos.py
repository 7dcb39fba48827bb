"""Which configured repositories are those that a run worked on: the forge's ids say it, no name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack

from harness.edges.store import SqliteStore
from harness.errors import ConfigError
from harness.facts.settings import RepoSettings
from harness.runs.desk import Desk
from harness.wiring import House, open_forge


def find_worked(
    house: House, store: SqliteStore, worked: Mapping[int, str], only: str
) -> dict[int, RepoSettings]:
    """Those of `worked` (names by id) that are configured, under whatever name by now.

    The forge is asked only for names that no run has met, or that two had in turn, and only where
    one is missing.
    """
    repos = [
        one for one in house.settings.repos if one.name.casefold() == (only or one.name).casefold()
    ]
    met = [(one.slug.casefold(), one.id) for one in store.repos()]
    names = Counter(name for name, _ in met)
    known = {name: repo_id for name, repo_id in met if names[name] == 1}
    ids = [(known.get(one.name.casefold(), 0), one) for one in repos]
    found = {repo_id: one for repo_id, one in ids if repo_id in worked}
    if len(found) < (1 if only else len(worked)):
        asked = _asked(house, store, [one for repo_id, one in ids if not repo_id])
        found |= {repo_id: one for repo_id, one in asked if repo_id in worked}
    return {repo_id: found[repo_id] for repo_id in worked if repo_id in found}


def check_same(desk: Desk, repo_id: int) -> None:
    """Raises ConfigError where another repository has the name by now."""
    if desk.repo_id != repo_id:
        raise ConfigError(
            f"{desk.repo.slug} is another repository than the one that the run worked on: put what "
            "that is called now under [[repos]] name"
        )


def _asked(
    house: House, store: SqliteStore, repos: list[RepoSettings]
) -> Iterator[tuple[int, RepoSettings]]:
    for repo in repos:
        with ExitStack() as ending:
            try:
                yield open_forge(house, repo, store, None, ending).reading.repo().id, repo
            except ConfigError:
                continue  # what is not there is none of them
