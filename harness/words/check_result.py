"""What the repository's own check said, in one sentence; its output where it is red."""

from __future__ import annotations

from typing import assert_never

from harness.facts.checks import Check
from harness.rules.outgoing import code_span, fence
from harness.words.passages import folded

SHOWN = 8  # failing names
TAIL = 1_500  # characters of output


def check_sentence(check: Check) -> str:
    """One sentence, with the command and the commit."""
    name, at = code_span(check.command), code_span(check.sha[:7])
    match check.state:
        case "green":
            return f"Check {name}: green at {at}."
        case "unchanged":
            return f"Check {name}: red at {at} as on the base; nothing new fails."
        case "red":
            return f"Check {name}: red at {at} (exit {check.exit}){_failing(check)}."
        case "unrunnable":
            return (
                f"Check {name}: it could not run at {at} (exit {check.exit}), so it says nothing."
            )
        case "absent":
            return "No check is configured for this repository."
        case _:
            assert_never(check.state)


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
