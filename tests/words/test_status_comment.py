from __future__ import annotations

from typing import Any

import pytest

from harness.facts.decisions import Outcome
from harness.facts.entries import Disposition, EventKind, Standing, State
from harness.facts.findings import Severity
from harness.facts.status import ReviewTold, StatusFacts
from harness.rules.outgoing import OutgoingPolicy, Where, pass_text
from harness.words.status_comment import status_comment
from tests.words.made import HEAD, check, event, finding, quote, standing

REVIEW = ReviewTold(agent="bob", head=HEAD, round=2, summary="Adds the sum and its test.")


def refuted() -> Standing:
    events = (
        event(EventKind.RAISED, "bob", "", 1),
        event(EventKind.CLAIMED_REFUTED, "ann", "Python's integers do not overflow. Ever.", 2),
        event(EventKind.AGREED, "bob", "I went there.", 3, disposition=Disposition.REFUTED),
    )
    return standing(State.REFUTED, finding("`add` overflows"), events, number=0x22222222 << 32)


def status(**other: Any) -> str:  # any field
    fields: dict[str, Any] = {
        "number": 9,
        "item": 5,
        "head": HEAD,
        "outcome": Outcome.APPROVED,
        "reason": "",
        "review": REVIEW,
        "check": check(),
        "standings": (),
    }
    return status_comment(StatusFacts(**fields | other))


def test_an_approval_says_what_it_rests_on_and_folds_the_rest() -> None:
    nit = standing(State.OPEN, finding("The name is short", severity=Severity.NIT))
    outside = standing(State.OPEN, finding("`mul` loses the sign", in_scope=False))

    comment = status(standings=(refuted(), nit, outside), silent=(refuted().entry.id,))

    assert (
        comment
        == """\
### Approved at `bbbbbbb`

No blocking point is open. Merging is up to a maintainer; a new commit voids this approval.

Reviewed by `bob` at `bbbbbbb`, round 2.

> Adds the sum and its test.

Check `make test`: green at `bbbbbbb`.

#### Settled

- **`add` overflows** `calc.py:3-5` (22222222): refuted, `bob` agrees. \
Python's integers do not overflow. Raised again without new evidence.

<details>
<summary>1 defect outside this change</summary>

- **`mul` loses the sign** `calc.py:3-5` (00000000)

</details>

<details>
<summary>1 point that need not hold this change</summary>

- nit: **The name is short** `calc.py:3-5` (00000000). The divisor is not checked.

</details>"""
    )


def test_an_escalation_shows_both_arguments_and_what_to_do() -> None:
    callers, caller = quote("assert b", 9), quote("div(a, b)", 4, "cli.py")
    disputed = standing(
        State.NEEDS_HUMAN,
        events=(
            event(EventKind.RAISED, "bob", "", 1),
            event(EventKind.CLAIMED_REFUTED, "ann", "Callers check it.", 2, evidence=(callers,)),
            event(EventKind.STOOD, "bob", "`cli.py` does not.", 3, evidence=(caller,)),
        ),
    )

    comment = status(
        outcome=Outcome.ESCALATED,
        reason="the agents could not settle one point",
        standings=(disputed,),
        check=check("red", exit=1, failing=("test_a",), tail="boom"),
        patch="/state/9.patch",
    )

    assert (
        comment
        == """\
### Needs a person

The agents could not settle one point.

**It divides by zero** `calc.py:3-5` (00000000). `div(1, 0)` raises.

`bob` says:

`cli.py` does not.

`cli.py:4` says:

```
div(a, b)
```

`ann` answers (refuted):

Callers check it.

`calc.py:9` says:

```
assert b
```

What could not be pushed is kept in `/state/9.patch`.

**What to do:** push a commit or write a comment here, and the work goes on from there. \
Closing the pull request ends it.

Reviewed by `bob` at `bbbbbbb`, round 2.

> Adds the sum and its test.

Check `make test`: red at `bbbbbbb` (exit 1): `test_a`.

<details>
<summary>The end of its output</summary>

```text
boom
```

</details>"""
    )


def test_work_that_goes_on_lists_what_is_open_and_what_is_claimed() -> None:
    claimed = standing(State.CLAIMED, claim=Disposition.FIXED)

    comment = status(outcome=None, standings=(claimed,), review=None, check=None)

    assert (
        comment
        == """\
### In work at `bbbbbbb`

#### Open

- **It divides by zero** `calc.py:3-5` (00000000), claimed fixed, not ruled on. \
The divisor is not checked."""
    )


def test_what_was_fixed_and_is_back_is_called_so() -> None:
    story = (
        event(EventKind.RAISED, "bob", "It divides by zero.", 1),
        event(EventKind.CLAIMED_FIXED, "ann", "Done.", 2),
        event(EventKind.AGREED, "bob", "Gone.", 3, disposition=Disposition.FIXED),
        event(EventKind.RAISED, "bob", "It divides by zero.", 4),
    )

    back = status(outcome=None, standings=(standing(State.OPEN, events=story),))
    first = status(outcome=None, standings=(standing(State.OPEN, events=story[:1]),))

    assert "(00000000), fixed once and back, open. The divisor" in back
    assert "(00000000), open. The divisor" in first


@pytest.mark.parametrize(
    ("outcome", "first"),
    [
        (Outcome.MERGED, "### Merged at `bbbbbbb`"),
        (Outcome.WAITING, "### Waiting"),
        (Outcome.UNJUDGED, "### Waiting"),
        (Outcome.ERROR, "### Stopped by an error"),
        (Outcome.ABANDONED, "### Not continued"),
        (Outcome.NO_CHANGE, "### Needs a person"),
    ],
)
def test_the_outcome_comes_first(outcome: Outcome, first: str) -> None:
    assert status(outcome=outcome).split("\n")[0] == first


def test_nothing_is_called_approved_that_is_not() -> None:
    told = [status(outcome=outcome) for outcome in Outcome if outcome is not Outcome.APPROVED]

    assert not any("pproved" in text for text in told)


def test_what_a_person_decided_says_who() -> None:
    ruled = standing(
        State.REFUTED,
        events=(event(EventKind.RULED, "mia", "We never divide.", 4, by_person=True),),
    )

    assert "(00000000): refuted, decided by `mia`. We never divide." in status(standings=(ruled,))


def test_a_review_of_another_head_and_what_it_left_out_are_said() -> None:
    old = ReviewTold(agent="bob", head="c" * 40, round=1, summary="", not_reviewed=("a.bin",))

    comment = status(review=old, sandboxed=False, forge_red=("ci",), notes=("the base is red",))

    assert "Reviewed by `bob` at `ccccccc`, round 1. The head has moved since." in comment
    assert "Not looked at: `a.bin`." in comment
    assert "Required checks that are red: `ci`." in comment
    assert "- The base is red." in comment
    assert comment.endswith("The agents ran without a sandbox, as the operator configured.")


def test_a_long_list_is_cut_aloud() -> None:
    many = tuple(standing(State.OPEN, finding(f"Point {n}"), number=n) for n in range(25))

    assert "- and 5 more in the ledger" in status(outcome=None, standings=many)


def test_words_of_agents_cannot_break_out_of_the_comment() -> None:
    wild = finding(
        "</details><!-- x --> ```",
        detail="<details><summary>```\n@eve fixes #1",
        severity=Severity.NIT,
    )
    comment = status(standings=(standing(State.OPEN, wild),))
    policy = OutgoingPolicy(mask=str)

    passed = pass_text(comment, Where.COMMENT, policy)

    assert passed.endswith("</details>")
    assert passed.count("<details>") == passed.count("</details>") == 1
    assert "<!--" not in passed
    assert "@\u200beve fi\u200bxes #1" in passed


def test_a_comment_that_agents_filled_passes_the_gateway_unchanged() -> None:
    comment = status(standings=(refuted(),))

    assert pass_text(comment, Where.COMMENT, OutgoingPolicy(mask=str)) == comment
