"""What the repository's own check said, in one sentence; its output where it is red."""

from __future__ import annotations

from typing import assert_never

from harness.facts.checks import Check
from harness.rules.checks import tell_end
from harness.rules.outgoing import code_span, fence
from harness.words.passages import counted, folded

SHOWN = 8  # failing names
TAIL = 1_500  # characters of output
_IN_THE_DARK = " and with the same exit status; which tests fail is not known, so that new ones may"


def check_sentence(check: Check) -> str:
    """One sentence, with the command and the commit."""
    name, at = code_span(check.command), code_span(check.sha[:7])
    match check.state:
        case "green":
            return f"Check {name}: green at {at}."
        case "unchanged":
            told = _IN_THE_DARK if check.is_in_the_dark else "; nothing new fails"
            return f"Check {name}: red at {at} as on the base{told}."
        case "red":
            return f"Check {name}: red at {at} (exit {check.exit}){_failing(check)}."
        case "unrunnable":
            ended = tell_end(check.exit, check.stopped_by)
            return f"Check {name}: it could not run at {at} ({ended}), so it says nothing."
        case "absent":
            return "No check is configured for this repository."
        case _:
            assert_never(check.state)


def red_base_told(check: Check, unknown: str) -> str:
    """What it means for the work that the check is red before it; `unknown`: why no names are."""
    if not unknown:
        return f"the check is red on the base, in {counted(len(check.failing), 'test')}"
    return (
        f"the check is red on the base, and which tests fail is not known ({unknown}): a change "
        "that breaks more cannot be told from one that does not, and nothing merges by itself"
    )


def approved_though(check: Check | None) -> str:
    """What a person should know of a check that passed without being green; "" where it is."""
    if check is None or check.state != "unchanged":
        return ""
    if check.is_in_the_dark:
        return "its check is red as on the base, and which tests fail is not known"
    return "its check is red as on the base, nothing new fails"


def check_output(check: Check) -> str:
    """The end of a check's output, folded away; "" where it passed or printed nothing."""
    if check.passes or not check.tail.strip():
        return ""
    return folded("The end of its output", fence(check.tail[-TAIL:], "text"))


def _failing(check: Check) -> str:
    if not check.failing:
        return ""
    shown = ", ".join(code_span(name) for name in check.failing[:SHOWN])
    more = len(check.failing) - SHOWN
    return f": {shown} and {more} more" if more > 0 else f": {shown}"
