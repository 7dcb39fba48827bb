"""Whether a secret stands in what would be pushed, looked at while it is not."""

from __future__ import annotations

from harness.facts.case import Case
from harness.facts.leaks import Addition, Leak
from harness.rules.leaks import leaks, suspects
from harness.runs.desk import Desk


def read_leaks(desk: Desk, case: Case) -> tuple[Leak, ...]:
    """Every commit that the forge does not have, and the branch's name; () once all is pushed."""
    if not case.head or case.head == case.pushed:
        return ()
    added = (
        Addition(where="the name of the branch", text=case.branch),
        *desk.trees.additions(case.head),
    )
    bases = tuple(filter(None, dict.fromkeys((case.base, case.base_tip, case.pushed))))
    return leaks(
        suspects(added, desk.spot, desk.choice.protected.sample_secrets),
        lambda line: any(desk.trees.holds(base, line) for base in bases),
    )
