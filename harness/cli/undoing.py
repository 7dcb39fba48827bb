"""`harness undo RUN`: which repositories it wrote to, one undo in each, one page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from uuid import uuid4

from harness.cli.console import tell
from harness.cli.finding import find_run, has_store
from harness.cli.log import logged
from harness.cli.printing import print_page
from harness.cli.progress import make_progress
from harness.cli.worked_repos import check_same, find_worked
from harness.edges.git.command import check_git
from harness.edges.store import SqliteStore
from harness.errors import ConfigError, HarnessError, Refused
from harness.facts.decisions import Run
from harness.facts.settings import RepoSettings
from harness.facts.undoing import UndoneLine, UndonePage
from harness.rules.outcomes import CALLERS_MISTAKE, CLEAN, NEEDS_A_PERSON, TRY_AGAIN
from harness.runs.undoing import undo_run
from harness.wiring import Calling, House, open_desk
from harness.words.undone import undone_text


@dataclass(frozen=True)
class HowToUndo:
    """How the command was called."""

    dry: bool
    json: bool
    quiet: bool
    only: str = ""  # the repository that is meant; "" for all that the run worked on


def tell_undo(house: House, id_prefix: str, how: HowToUndo) -> int:
    """Take the run back, print what became of it, return the exit code. Raises ConfigError."""
    check_git(house.environ)
    house.check_forge_secret()
    if not has_store(house.settings):
        raise ConfigError(f'there is no run "{id_prefix}"; `harness runs` lists them')
    store = house.open_store()
    try:
        run = find_run(store, id_prefix)
        repos = _repos(house, store, run, how.only)
        with logged(house):
            page = _undo(house, store, run, repos, how)
    finally:
        store.close()
    text = partial(undone_text, quiet=how.quiet)
    print_page("harness.undo/1", page, text, house.mask, as_json=how.json)
    for sentence in page.failed:
        tell(f"harness: {house.mask(sentence)}")
    return page.exit_code


def _repos(house: House, store: SqliteStore, run: Run, only: str) -> dict[int, RepoSettings]:
    """Where it asked or wrote, by the forge's id. ConfigError for what cannot be undone."""
    if run.command == "undo":
        raise ConfigError(f"run {run.id[:8]} is an undo itself: run the work again instead")
    if run.dry:
        raise ConfigError(f"run {run.id[:8]} was a dry run: it wrote nothing")
    ids = [one.repo_id for one in store.intents_of_run(run.id)]
    ids += [one.brief.repo_id for one in store.exchanges_of_run(run.id)]
    slugs = {one.id: one.slug for one in store.repos()}
    worked = {one: slugs.get(one, f"repository {one}") for one in dict.fromkeys(ids)}
    found = find_worked(house, store, worked, only)
    if only and not found:
        raise ConfigError(f"run {run.id[:8]} did not work on {only}")
    for repo_id, slug in worked.items():
        if not only and repo_id not in found:
            raise ConfigError(
                f"run {run.id[:8]} worked on {slug}, which is configured no more: put it (if it "
                "was renamed, its name of today) under [[repos]] first"
            )
    return found


def _undo(
    house: House, store: SqliteStore, run: Run, repos: dict[int, RepoSettings], how: HowToUndo
) -> UndonePage:
    calling = Calling(uuid4().hex, house.clock.now(), dry=how.dry, undoing=True)
    store.start_run(
        Run(
            id=calling.run_id,
            command="undo",
            dry=how.dry,
            started_at=calling.started,
            ended_at=None,
            exit_code=None,
            reports=(),
        )
    )
    code = TRY_AGAIN
    try:
        page = _page(house, run, repos, calling, how)
        code = page.exit_code
    finally:
        store.end_run(calling.run_id, at=house.clock.now(), exit_code=code, reports=())
    return page


def _page(
    house: House, run: Run, repos: dict[int, RepoSettings], calling: Calling, how: HowToUndo
) -> UndonePage:
    """One repository's trouble never hides what was taken back in another. Raises a lone one's."""
    lines: list[UndoneLine] = []
    events = 0
    failed: dict[str, HarnessError] = {}
    with make_progress(quiet=how.quiet or how.json, mask=house.mask) as progress:
        for repo_id, repo in repos.items():
            try:
                with open_desk(house, repo, calling, progress) as desk:
                    check_same(desk, repo_id)
                    told, revoked = undo_run(desk, run.id)
            except HarnessError as error:
                if len(repos) == 1:
                    raise
                failed[repo.name] = error
                continue
            lines += told
            events += revoked
    return UndonePage(
        run=run.id,
        dry=how.dry,
        exit_code=_exit_of(lines, failed.values()),
        events=events,
        lines=tuple(lines),
        items=tuple(sorted({one.item for one in lines} - {0})),
        failed=tuple(f"{name}: {error}" for name, error in failed.items()),
    )


def _exit_of(lines: Iterable[UndoneLine], failed: Iterable[HarnessError]) -> int:
    codes = [
        CALLERS_MISTAKE if isinstance(one, (ConfigError, Refused)) else TRY_AGAIN for one in failed
    ]
    if codes:
        return min(codes)
    return NEEDS_A_PERSON if any(one.state == "left" for one in lines) else CLEAN
