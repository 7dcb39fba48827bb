"""What a command that works says in the end, and each write of a dry run as it comes."""

from __future__ import annotations

from collections.abc import Callable

from harness.cli.called import Call
from harness.cli.console import say, tell, visible
from harness.cli.printing import mask_page, print_json
from harness.facts.decisions import Outcome
from harness.facts.intents import Intent, Receipt
from harness.facts.looking import StagedWrite, WorkedPage
from harness.facts.settings import RepoSettings
from harness.wiring import Calling, House
from harness.words.report import run_report
from harness.words.staged import staged_line, staged_write
from harness.words.targets import named


def print_result(house: House, call: Call, page: WorkedPage, *, mistaken: bool) -> None:
    """The result, on stdout."""
    if call.json:
        print_json("harness.run/1", mask_page(page, house.mask))
        return
    shown = mask_page(page, lambda text: house.mask(visible(text)))
    report = run_report(
        shown.reports,
        spent=page.spent_micro_dollars,
        mistaken=mistaken,
        dry=call.dry,
        sandboxed=house.settings.sandbox.kind != "none",
    )
    say(house.mask(report), nl=False)


def print_troubles(house: House, calling: Calling, page: WorkedPage) -> None:
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


def tell_staged(
    house: House, repo: RepoSettings, call: Call, staged: list[StagedWrite]
) -> Callable[[Intent, Receipt], None]:
    """Each write of a dry run in order: a line at once, or kept for the one JSON document."""

    def stage(intent: Intent, receipt: Receipt) -> None:
        if call.json:
            staged.append(staged_write(repo.name, intent, receipt))
        else:
            say(house.mask(visible(staged_line(intent, receipt))))

    return stage
