"""One call of a command that works: a run in the store, a story per repository, a report."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from harness.cli.console import say, tell, visible
from harness.cli.log import logged
from harness.cli.printing import mask_page
from harness.cli.progress import Shown, make_progress
from harness.errors import ConfigError, DoorError, Refused
from harness.facts.decisions import ItemReport, Outcome, Run
from harness.facts.intents import Intent, Receipt
from harness.facts.settings import RepoSettings
from harness.rules.outcomes import exit_of_run
from harness.runs.desk import Desk
from harness.wiring import Calling, House, open_desk
from harness.words.report import run_report
from harness.words.staged import staged_line

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
    calling = Calling(
        run_id=uuid4().hex,
        started=house.clock.now(),
        named=call.named,
        anyway=call.anyway,
        adopt=call.adopt,
        dry=call.dry,
    )
    quiet = call.quiet or call.json
    with logged(house), make_progress(quiet=quiet, mask=house.mask) as progress:
        reports, spent = _tell(house, repos, call, calling, progress, story)
    code = _exit_of(reports, calling)
    clean = house.mask if call.json else lambda text: house.mask(visible(text))
    reports = tuple(mask_page(report, clean) for report in reports)
    if call.json:
        _print_json(calling.run_id, reports, code, spent)
    else:
        sandboxed = house.settings.sandbox.kind != "none"
        report = run_report(
            reports,
            spent=spent,
            mistaken=_is_mistaken(calling),
            dry=call.dry,
            sandboxed=sandboxed,
        )
        say(house.mask(report), nl=False)
    for sentence in calling.turned_away.values():
        tell(f"harness: {house.mask(sentence)}")
    for mistake in dict.fromkeys(calling.mistakes):
        tell(f"harness: {house.mask(mistake)}")
    for failed in calling.setups.values():
        tell(house.mask(f"harness: {failed}\n{failed.output}".rstrip()))
    return code


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
                for report in _tell_repo(house, repo, calling, progress, story, alone=alone)
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
    *,
    alone: bool,
) -> tuple[ItemReport, ...]:
    """One repository's trouble never stops the others'; a mistake with a lone one does."""
    try:
        with open_desk(house, repo, calling, progress, _say_staged(house.mask)) as desk:
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


def _say_staged(mask: Callable[[str], str]) -> Callable[[Intent, Receipt], None]:
    """Each write of a dry run, in order, on stdout."""

    def say_staged(intent: Intent, receipt: Receipt) -> None:
        say(mask(visible(staged_line(intent, receipt))))

    return say_staged


def _print_json(run_id: str, reports: tuple[ItemReport, ...], code: int, spent: int) -> None:
    told = {
        "schema": "harness.run/1",
        "run": run_id,
        "exit_code": code,
        "spent_micro_dollars": spent,
        "reports": [report.model_dump(mode="json") for report in reports],
    }
    say(json.dumps(told, indent=2))
