"""The report of a run for a terminal: a line an item, why, and what is to be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from harness.facts.decisions import ItemReport, Outcome
from harness.rules.outcomes import exit_of_run
from harness.words.passages import counted, shorten
from harness.words.status_lines import dollars

MEANS = {
    0: "done, nothing waits for anybody",
    1: "something needs a person",
    2: "your config, a key or an account has to be mended first; stderr says which",
    3: "something is to be tried again; run the same command",
}


def outcome_words(outcome: Outcome) -> str:
    """An outcome as people read it."""
    return outcome.value.replace("_", " ")


def run_report(
    reports: Sequence[ItemReport],
    *,
    spent: int,
    mistaken: bool = False,
    dry: bool = False,
    sandboxed: bool = True,
) -> str:
    """All items by repository, then what the exit code means; `spent` in micro-dollars."""
    code = exit_of_run(reports, mistaken=mistaken)
    ordered = sorted(reports, key=lambda one: (one.repo, one.item))
    blocks = [
        "\n".join([repo, *_lines(list(items))])
        for repo, items in groupby(ordered, key=lambda one: one.repo)
    ]
    return "\n\n".join([*blocks, _total(ordered, spent, code, dry=dry, sandboxed=sandboxed)]) + "\n"


def _lines(reports: list[ItemReport]) -> list[str]:
    number = max(len(_number(one)) for one in reports)
    outcome = max(len(outcome_words(one.outcome)) for one in reports)
    lines: list[str] = []
    for one in reports:
        pull = f" (pull request #{one.pull})" if one.pull and one.pull != one.item else ""
        title = shorten(one.title, 70)
        words = outcome_words(one.outcome)
        lines.append(f"  {_number(one):<{number}}  {words:<{outcome}}  {title}{pull}".rstrip())
        lines.extend(_why(one, " " * (number + 4)))
    return lines


def _number(report: ItemReport) -> str:
    return f"#{report.item}" if report.item else "all"


def _why(report: ItemReport, margin: str) -> list[str]:
    when = f"not before {report.not_before:%Y-%m-%d %H:%M} UTC" if report.not_before else ""
    told = "; ".join(part for part in (shorten(report.reason, 300), when) if part)
    return [f"{margin}{told}"] if told else []


def _total(reports: list[ItemReport], spent: int, code: int, *, dry: bool, sandboxed: bool) -> str:
    counts = Counter(outcome_words(one.outcome) for one in reports)
    each = ", ".join(f"{count} {words}" for words, count in sorted(counts.items()))
    lines = [
        f"{counted(len(reports), 'item')}{f': {each}' if each else ''}. Spent {dollars(spent)}.",
        f"Exit code {code}: {MEANS[code]}.",
    ]
    if dry:
        lines.append("Dry run: nothing was written but what it cost.")
    if not sandboxed:
        lines.append('No sandbox: [sandbox] kind = "none".')
    return "\n".join(lines)
