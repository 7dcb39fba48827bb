"""One call of a command that works: a run in the store, a story per repository, a report."""

from __future__ import annotations

import logging
from collections.abc import Callable
from uuid import uuid4

from harness.cli.called import Call
from harness.cli.console import tell
from harness.cli.log import logged
from harness.cli.progress import Shown, make_progress
from harness.cli.result import print_result, print_troubles, tell_staged
from harness.edges.notifying import missing_program
from harness.errors import ConfigError, DoorError, Refused
from harness.facts.decisions import ItemReport, Outcome, Run
from harness.facts.intents import Intent, Receipt
from harness.facts.looking import StagedWrite, WorkedPage
from harness.facts.settings import RepoSettings
from harness.rules.outcomes import exit_of_run
from harness.runs.desk import Desk
from harness.wiring import Calling, House, open_desk

logger = logging.getLogger(__name__)

Story = Callable[[Desk], tuple[ItemReport, ...]]


def tell_run(house: House, repos: tuple[RepoSettings, ...], call: Call, story: Story) -> int:
    """Tell the story for each repository, print the report, return the exit code."""
    house.check_ready(repos)
    house.clear_leftovers(repos)
    if missing := missing_program(house.settings.notify.command):
        tell(f"harness: [notify] command: there is no program {missing}, so it calls nobody")
    calling = Calling(
        run_id=uuid4().hex,
        started=house.clock.now(),
        named=call.named,
        anyway=call.anyway,
        adopt=call.adopt,
        dry=call.dry,
    )
    quiet = call.quiet or call.json
    staged: list[StagedWrite] = []
    with logged(house), make_progress(quiet=quiet, mask=house.mask) as progress:
        reports, spent = _tell(house, repos, call, calling, progress, story, staged)
    page = WorkedPage(
        run=calling.run_id,
        exit_code=_exit_of(reports, calling),
        spent_micro_dollars=spent,
        reports=reports,
        staged=tuple(staged),
    )
    print_result(house, call, page, mistaken=_is_mistaken(calling))
    print_troubles(house, calling, page)
    return page.exit_code


def _exit_of(reports: tuple[ItemReport, ...], calling: Calling) -> int:
    return exit_of_run(reports, mistaken=_is_mistaken(calling))


def _is_mistaken(calling: Calling) -> bool:
    """Whether there is what only the operator can mend, and nothing is tried again by itself."""
    known = calling.turned_away or calling.mistakes
    return bool(known) or any(one.given_up for one in calling.setups.values())


def _tell(
    house: House,
    repos: tuple[RepoSettings, ...],
    call: Call,
    calling: Calling,
    progress: Shown,
    story: Story,
    staged: list[StagedWrite],
) -> tuple[tuple[ItemReport, ...], int]:
    """The reports of all repositories, and what they cost."""
    store = house.open_store()
    try:
        if not call.dry:
            store.release_dead()
        store.start_run(_run(call, calling))
        alone = len(repos) == 1
        try:
            reports = tuple(
                report
                for repo in repos
                for report in _tell_repo(
                    house,
                    repo,
                    calling,
                    progress,
                    story,
                    tell_staged(house, repo, call, staged),
                    alone=alone,
                )
            )
        except (ConfigError, Refused):
            mistake, now = 2, house.clock.now()
            store.end_run(calling.run_id, at=now, exit_code=mistake, reports=())
            raise
        spent = sum(cost for _, _, cost in store.usage(calling.run_id))
        store.end_run(
            calling.run_id,
            at=house.clock.now(),
            exit_code=_exit_of(reports, calling),
            reports=reports,
        )
    finally:
        store.close()
    return reports, spent


def _tell_repo(
    house: House,
    repo: RepoSettings,
    calling: Calling,
    progress: Shown,
    story: Story,
    stage: Callable[[Intent, Receipt], None],
    *,
    alone: bool,
) -> tuple[ItemReport, ...]:
    """One repository's trouble never stops the others'; a mistake with a lone one does."""
    try:
        with open_desk(house, repo, calling, progress, stage) as desk:
            return story(desk)
    except (DoorError, ConfigError, Refused) as error:
        if alone and not isinstance(error, DoorError):
            raise
        logger.warning("%s: %s", repo.name, error)
        if isinstance(error, ConfigError):
            calling.mistakes.append(str(error))
        outcome = Outcome.WAITING if getattr(error, "not_before", None) else Outcome.ERROR
        return (
            ItemReport(
                repo=repo.name,
                item=0,
                title="",
                outcome=outcome,
                reason=str(error),
                not_before=getattr(error, "not_before", None),
            ),
        )


def _run(call: Call, calling: Calling) -> Run:
    return Run(
        id=calling.run_id,
        command=call.command,
        dry=call.dry,
        started_at=calling.started,
        ended_at=None,
        exit_code=None,
        reports=(),
    )
