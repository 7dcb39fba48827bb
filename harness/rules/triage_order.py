"""In which order scheduled issues are worked, and which of them wait for others.

Dependencies first, then cheapest, least risky, lowest number. A cycle is named and broken at its
lowest number: that issue no longer waits for the others of the cycle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from harness.facts.decisions import Decision
from harness.facts.triage import Ordering, PrerequisiteState, Waiting
from harness.rules.triage import COMPLEXITIES, RISKS

Graph = dict[int, set[int]]


def order_issues(decisions: Iterable[Decision]) -> Ordering:
    """The sequence of all scheduled decisions of one repository.

    Give all of them, or a cycle may be broken in another place than last time.
    """
    scheduled = {d.issue: d for d in decisions if d.verdict == "scheduled"}
    needs: Graph = {
        number: {other for other in decision.depends_on if other in scheduled and other != number}
        for number, decision in scheduled.items()
    }
    sequence: list[int] = []
    cycles: list[tuple[int, ...]] = []
    released: list[tuple[int, int]] = []
    while needs:
        ready = [number for number, others in needs.items() if not others]
        if ready:
            number = min(ready, key=lambda issue: _price(scheduled[issue]))
            sequence.append(number)
            _take_out(needs, number)
            continue
        cycle, gone = _break_a_cycle(needs)
        cycles.append(cycle)
        released.extend(gone)
    return Ordering(sequence=tuple(sequence), cycles=tuple(cycles), released=tuple(released))


def waits_for(
    decision: Decision,
    states: Mapping[int, PrerequisiteState],
    released: Collection[tuple[int, int]] = (),
) -> Waiting:
    """The prerequisites that are not merged yet.

    `states` holds open, done (merged, or closed as completed), declined, or closed (unmerged); a
    number that is not in it is unknown. `released` comes from `order_issues`.
    """
    kept = [n for n in decision.depends_on if (decision.issue, n) not in released]
    told = [(number, _warning(decision.issue, number, states.get(number))) for number in kept]
    return Waiting(
        numbers=tuple(number for number in kept if states.get(number) == "open"),
        warnings=tuple(warning for _, warning in told if warning),
    )


def prerequisite_state(
    *, closed: bool, state_reason: str, merged: bool, decision: Decision | None
) -> PrerequisiteState:
    """What another issue is to those that depend on it; `merged`: a pull request for it was."""
    if merged or (closed and state_reason == "completed"):
        return "done"
    if closed:
        return "closed"
    declined = decision is not None and decision.verdict == "declined"
    return "declined" if declined else "open"


def _price(decision: Decision) -> tuple[int, int, int]:
    return (
        COMPLEXITIES.index(decision.complexity),
        RISKS.index(decision.risk),
        decision.issue,
    )


def _warning(issue: int, number: int, state: PrerequisiteState | None) -> str:
    match state:
        case "declined":
            return f"#{issue} was to wait for #{number}, which was declined; it no longer waits."
        case "closed":
            return f"#{issue} was to wait for #{number}, closed unmerged; it no longer waits."
        case None:
            return f"#{issue} was to wait for #{number}, which is not known; it does not wait."
        case _:
            return ""


def _take_out(needs: Graph, number: int) -> None:
    del needs[number]
    for others in needs.values():
        others.discard(number)


def _break_a_cycle(needs: Graph) -> tuple[tuple[int, ...], list[tuple[int, int]]]:
    """Name the cycle with the lowest number that waits for nothing outside itself, and break it."""
    reach = {number: _reached(needs, number) for number in needs}
    lowest = min(n for n in needs if n in reach[n] and all(n in reach[o] for o in reach[n]))
    ring = {number for number in reach[lowest] if lowest in reach[number]}
    gone = sorted((lowest, other) for other in needs[lowest] & ring)
    cycle = _shortest_way_round(needs, lowest)
    needs[lowest] -= ring
    return cycle, gone


def _reached(needs: Graph, start: int) -> set[int]:
    seen: set[int] = set()
    ahead = set(needs[start])
    while ahead:
        number = ahead.pop()
        seen.add(number)
        ahead |= needs[number] - seen
    return seen


def _shortest_way_round(needs: Graph, start: int) -> tuple[int, ...]:
    paths: list[tuple[int, ...]] = [(start,)]
    seen: set[int] = set()
    while True:
        longer: list[tuple[int, ...]] = []
        for path in paths:
            for number in sorted(needs[path[-1]]):
                if number == start:
                    return path
                if number not in seen:
                    seen.add(number)
                    longer.append((*path, number))
        paths = longer
