"""One call of a command that works: a run in the store, a story per repository, a report."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from harness.cli.console import say, tell, visible
from harness.cli.log import logged
from harness.cli.printing import mask_page, print_json
from harness.cli.progress import Shown, make_progress
from harness.edges.notifying import missing_program
from harness.errors import ConfigError, DoorError, Refused
from harness.facts.decisions import ItemReport, Outcome, Run
from harness.facts.intents import Intent, Receipt
from harness.facts.looking import StagedWrite, WorkedPage
from harness.facts.settings import RepoSettings
from harness.rules.outcomes import exit_of_run
from harness.runs.desk import Desk
from harness.wiring import Calling, House, open_desk
from harness.words.report import run_report
from harness.words.staged import staged_line, staged_write
from harness.words.targets import named

logger = logging.getLogger(__name__)

Story = Callable[[Desk], tuple[ItemReport, ...]]


@dataclass(frozen=True)
class Call:
    """How a working command was called."""

    command: str
    named: frozenset[int] = frozenset()
    anyway: bool = False
    adopt: bool = False
    dry: bool = False
    json: bool = False
    quiet: bool = False


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
    _print(house, call, calling, page)
    _print_troubles(house, calling, page)
    return page.exit_code


def _print(house: House, call: Call, calling: Calling, page: WorkedPage) -> None:
    """The result, on stdout."""
    if call.json:
        print_json("harness.run/1", mask_page(page, house.mask))
        return
    shown = mask_page(page, lambda text: house.mask(visible(text)))
    report = run_report(
        shown.reports,
        spent=page.spent_micro_dollars,
        mistaken=_is_mistaken(calling),
        dry=call.dry,
        sandboxed=house.settings.sandbox.kind != "none",
    )
    say(house.mask(report), nl=False)


def _print_troubles(house: House, calling: Calling, page: WorkedPage) -> None:
    """What failed and what is the operator's to mend, on stderr, whoever reads stdout."""
    known = {*calling.turned_away.values(), *calling.mistakes}
    failed = [
        f"{named(one.repo, one.item)}: {one.reason}"
        for one in page.reports
        if one.outcome is Outcome.ERROR and one.reason not in known
    ]
    told = [
        *failed,
        *calling.turned_away.values(),
        *dict.fromkeys(calling.mistakes),
        *(f"{one}\n{one.output}".rstrip() for one in calling.setups.values()),
    ]
    for sentence in told:
        tell(house.mask(f"harness: {sentence}"))


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
                    _stager(house, repo, call, staged),
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


def _stager(
    house: House, repo: RepoSettings, call: Call, staged: list[StagedWrite]
) -> Callable[[Intent, Receipt], None]:
    """Each write of a dry run in order: a line at once, or kept for the one JSON document."""

    def stage(intent: Intent, receipt: Receipt) -> None:
        if call.json:
            staged.append(staged_write(repo.name, intent, receipt))
        else:
            say(house.mask(visible(staged_line(intent, receipt))))

    return stage
