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


def reviewed_again(who: Sequence[str], *, rewritten: int = 0) -> str:
    """Why an approval is none any more, on the same head; `rewritten`: the issue, where it is."""
    why = _why(who, "something", rewritten)
    return f"It is reviewed again, since {why}" if why else ""


def left_to_people(who: Sequence[str], *, rewritten: int = 0) -> str:
    """Why a pull request is not merged by itself, "" where nobody had a word on it."""
    why = _why(who, "about it", rewritten)
    return f"merging is left to people, since {why}" if why else ""


def _why(who: Sequence[str], what: str, rewritten: int) -> str:
    changed = f"the text of #{rewritten} was changed" if rewritten else ""
    wrote = f"{' and '.join(who)} wrote {what}" if who else ""
    return " and ".join(filter(None, (wrote, changed)))


def dollars(micro: int) -> str:
    """Micro-dollars as `0.0123 $`, with two digits from one dollar on."""
    whole = micro / MICRO
    return f"{whole:,.2f} $" if micro >= MICRO else f"{whole:.4f} $"
