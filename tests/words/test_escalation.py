from __future__ import annotations

from harness.facts.entries import EventKind, State
from harness.facts.replies import ImplementationReply
from harness.words.escalation import escalation_section, no_change_comment
from tests.words.made import event, finding, quote, standing


def test_a_finding_whose_proof_does_not_check_says_so() -> None:
    fallen = standing(State.NEEDS_HUMAN, finding(fallen="the quote is nowhere in `calc.py`"))

    assert escalation_section("a claim did not check", [fallen]) == (
        "A claim did not check.\n\n"
        "**It divides by zero** `calc.py:3-5` (00000000). `div(1, 0)` raises.\n\n"
        "Raised by `bob`; its proof does not check: the quote is nowhere in `calc.py`.\n\n"
        "**What to do:** push a commit or write a comment here, and the work goes on from there. "
        "Closing the pull request ends it."
    )


def test_a_point_that_was_never_argued_shows_the_finding() -> None:
    found = standing(
        State.DISPUTED,
        finding(evidence=(quote("a / b"),)),
        (event(EventKind.RAISED, "bob", "", 1),),
    )

    text = escalation_section("still open", [found])

    assert (
        "`bob` says:\n\nThe divisor is not checked. Then it goes on.\n\n"
        "`calc.py:3` says:\n\n```\na / b\n```\n\nThere is no answer to it."
    ) in text


def test_three_points_are_argued_and_the_others_named() -> None:
    points = [standing(State.DISPUTED, finding(f"Point {n}"), number=n) for n in range(5)]

    text = escalation_section("still open", points)

    assert text.count("There is no answer to it.") == 3
    assert (
        "Not settled either:\n\n"
        "- **Point 3** `calc.py:3-5` (00000000)\n- **Point 4** `calc.py:3-5` (00000000)"
    ) in text


def test_on_an_issue_nobody_is_told_to_push() -> None:
    assert escalation_section("the branch may not be pushed to", on_issue=True) == (
        "The branch may not be pushed to.\n\n"
        "**What to do:** write a comment here, and the work goes on from there."
    )


def test_no_change_says_what_was_tried() -> None:
    reply = ImplementationReply(
        problem="`add` returns zero.",
        changes=("`add` returns the sum",),
        testing=("`pytest -q`",),
        notes="",
        summary="",
        reason="",
        not_worth_doing=False,
    )

    assert no_change_comment(reply) == (
        "An agent worked on this issue and left no change behind, so no pull request is opened.\n\n"
        "#### What it reports\n\n`add` returns zero.\n\n"
        "#### What it tried\n\n- `add` returns the sum\n- `pytest -q`\n\n"
        "**What to do:** say in a comment here what is missing, and the agent is asked again."
    )
