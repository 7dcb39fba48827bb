"""What mends each thing that a person is called for; a comment is asked for only where it helps."""

from __future__ import annotations

from typing import assert_never

from harness.facts.causes import Cause

_BY_ITSELF = "The next run of the harness looks again by itself"
_ENDS = "Closing the pull request ends it."


def what_to_do(cause: Cause, *, on_issue: bool = False) -> str:
    """The paragraph that ends every call for a person."""
    told = f"**What to do:** {_mend(cause, on_issue=on_issue)}"
    return told if on_issue else f"{told} {_ENDS}"


def _mend(cause: Cause, *, on_issue: bool) -> str:  # noqa: C901, PLR0911, PLR0912 - a line a cause
    match cause:
        case Cause.ARGUMENT | Cause.TRIAGE:
            return _go_on(on_issue=on_issue)
        case Cause.PARKED:
            return (
                "somebody with write access reads what the issue says now, and takes its go label "
                f"off and sets it again. {_BY_ITSELF}; a comment here allows nothing."
            )
        case Cause.NO_CHANGE:
            return "say in a comment here what is missing, and the agent is asked again."
        case Cause.SILENCE:
            return (
                "`harness status` tells what came instead of an answer. Where the vendor of the "
                "agent could not be reached, the next run tries again by itself; a comment here "
                "asks the agent again in any case."
            )
        case Cause.BUDGET:
            return (
                "the operator raises `dollars_item` under `[limits]` in the config. "
                f"{_BY_ITSELF}; a comment here does not raise it."
            )
        case Cause.UNRUNNABLE:
            return (
                "the operator mends `check` or `setup` in the config, or what they need on the "
                f"host. {_BY_ITSELF}; a comment here does not mend it."
            )
        case Cause.RED:
            where = "say in a comment here" if on_issue else "push a commit that mends it, or say"
            return f"{where} how it is mended, and the work goes on from there."
        case Cause.PENDING:
            return (
                "see why they did not come to a result, and run them again where they are stuck. "
                f"{_BY_ITSELF}, and a comment here has it look once more."
            )
        case Cause.CONFLICT:
            return (
                "merge the base into the branch and push, or say in a comment here how the "
                "conflict is solved, and the agent is asked again."
            )
        case Cause.POLICY:
            return (
                "look at these files. A comment here by somebody with write access passes them "
                "as they are; a new commit is a new question."
            )
        case Cause.OBJECTION:
            return (
                "whoever asked for changes looks again, and approves or has the review dismissed. "
                f"{_BY_ITSELF}; a comment here has it reviewed once more and takes nothing back."
            )
        case Cause.LEAK:
            return (
                "the operator looks at the patch, on the host only. What is no secret goes under "
                "`sample_secrets` in `[protected]`; what is one is changed where it is used, and "
                "a comment here has the agent asked again."
            )
        case Cause.UNCOMMITTABLE:
            return (
                "a person commits by hand what is meant, from the work tree that `harness status` "
                "names, or the operator allows it under `[protected]`. A comment here that says "
                "what to do without it has the agent asked again; it allows nothing."
            )
        case Cause.BRANCH:
            return f"do one of these. {_BY_ITSELF}; a comment here does not move the branch."
        case Cause.REFUSED:
            return (
                "mend what GitHub says: a permission of the token, a rule of the branch. Then "
                "write a comment here, or name it in `harness run` or `resume`; "
                "before that nothing is tried."
            )
        case Cause.DOUBT:
            return "look there whether it happened, and say in a comment here that you did."
        case _:
            assert_never(cause)


def _go_on(*, on_issue: bool) -> str:
    act = "write a comment here" if on_issue else "push a commit or write a comment here"
    return f"{act}, and the work goes on from there."
