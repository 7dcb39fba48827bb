"""`harness runs` for a terminal: a line a run."""

from __future__ import annotations

from collections.abc import Sequence

from harness.facts.looking import RunLine
from harness.words.report import outcome_words
from harness.words.status_lines import dollars
from harness.words.tables import Cell, Paint, Tone, as_it_is, minute, table

SHORT = 8  # characters of an id that people see

_HEADS = ("run", "started (UTC)", "command", "exit", "tokens", "spent", "outcomes")
_EXITS: dict[int | None, Tone] = {0: "good", 1: "warn", 3: "bad", None: "faint"}


def runs_text(runs: Sequence[RunLine], paint: Paint = as_it_is) -> str:
    """The newest first."""
    if not runs:
        return "there was no run yet\n"
    return table(_HEADS, [_row(run) for run in runs], paint, margin="") + "\n"


def exit_words(code: int | None) -> str:
    """An exit code, "-" while there is none."""
    return "-" if code is None else str(code)


def _row(run: RunLine) -> list[Cell]:
    each = ", ".join(
        f"{count} {outcome_words(outcome)}" for outcome, count in sorted(run.outcomes.items())
    )
    return [
        Cell(run.run[:SHORT]),
        Cell(minute(run.started_at)),
        Cell(f"{run.command}{' (dry)' if run.dry else ''}"),
        Cell(exit_words(run.exit_code), _EXITS.get(run.exit_code, "plain")),
        Cell(f"{run.cost.input + run.cost.output:,}"),
        Cell(dollars(run.cost.micro_dollars)),
        Cell(each),
    ]
