"""Single lines: the commit status on the forge, and what happens now for whoever watches."""

from __future__ import annotations

from collections.abc import Sequence

from harness.facts.decisions import Outcome
from harness.facts.status import StatusState
from harness.words.passages import counted, shorten

MICRO = 1_000_000
LONGEST = 140  # GitHub's limit on the description of a commit status


def commit_status(
    outcome: Outcome | None, *, reviewer: str = "", rounds: int = 0, reason: str = ""
) -> tuple[StatusState, str]:
    """(state, description) of `harness/review` on a head; outcome None: the work goes on."""
    match outcome:
        case Outcome.APPROVED | Outcome.MERGED:
            by = f" by {reviewer}" if reviewer else ""
            after = f" after {counted(rounds, 'round')}" if rounds else ""
            return "success", shorten(f"Approved{by}{after}", LONGEST)
        case Outcome.ESCALATED | Outcome.NO_CHANGE | Outcome.CONTESTED | Outcome.PARKED:
            return "failure", shorten(f"Needs a person: {reason}", LONGEST)
        case Outcome.ABANDONED | Outcome.DECLINED:
            return "failure", shorten(f"Not continued: {reason}", LONGEST)
        case Outcome.ERROR:
            return "error", shorten(f"Stopped: {reason}", LONGEST)
        case _:
            now = f", round {rounds}" if rounds else ""
            return "pending", shorten(reason or f"In review{now}", LONGEST)


def reviewed_again(who: Sequence[str]) -> str:
    """Why an approval is not one any more, on the same head."""
    return f"It is reviewed again, since {' and '.join(who)} wrote something" if who else ""


def left_to_people(who: Sequence[str]) -> str:
    """Why a pull request is not merged by itself."""
    return f"merging is left to people, since {' and '.join(who)} wrote about it"


def withdrawn_status() -> tuple[StatusState, str]:
    """What an undone status becomes; GitHub has no way to delete one."""
    return "error", "withdrawn"


def progress_line(
    repo: str, item: int, text: str, *, round_: int, seconds: float, tokens: int, spent: int
) -> str:
    """What happens now; `spent` in micro-dollars."""
    what = f"{repo}#{item}" if item else repo
    round_told = f", round {round_}" if round_ else ""
    return f"{what}: {text}{round_told} [{clock(seconds)}, {tokens:,} tokens, {dollars(spent)}]"


def clock(seconds: float) -> str:
    """`7 s`, `3 min 05 s`, `2 h 07 min`."""
    whole = int(seconds)
    hours, minutes, rest = whole // 3600, whole % 3600 // 60, whole % 60
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def dollars(micro: int) -> str:
    """Micro-dollars as `0.0123 $`, with two digits from one dollar on."""
    whole = micro / MICRO
    return f"{whole:,.2f} $" if micro >= MICRO else f"{whole:.4f} $"
