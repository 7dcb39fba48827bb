"""How often an agent was asked about an issue and gave no valid answer, and what follows.

too few tries   asked again, together with whatever else is due
the last try    asked about alone, where other issues of the question may be what was in the way
used up         a person is called; it is asked again when its text or thread changes, or by name
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from harness.facts.journal import Ending, Exchange

_NO_TRY = frozenset({None, Ending.REPLIED, Ending.SUPERSEDED})


def tries_about(
    asked: Iterable[Exchange], issue: int, since: datetime | None
) -> tuple[Exchange, ...]:
    """The exchanges about this issue that ended without a valid answer; those after `since` count.

    Of the agent that was silent most often.
    """
    by_agent: dict[str, list[Exchange]] = {}
    for one in asked:
        if one.result in _NO_TRY or str(issue) not in dict(one.brief.handles.handles):
            continue
        if since is None or one.created_at > since:
            by_agent.setdefault(one.brief.pin.agent, []).append(one)
    most: list[Exchange] = max(by_agent.values(), key=len, default=[])
    return tuple(most)


def is_used_up(tries: Sequence[Exchange], max_tries: int) -> bool:
    """Whether nobody is asked again by itself."""
    return len(tries) >= max_tries


def is_asked_alone(tries: Sequence[Exchange], max_tries: int) -> bool:
    """Whether this is the last try, and it was the question that went wrong, not its way there."""
    last = tries[-1].result if tries else None
    return len(tries) >= max(1, max_tries - 1) and last is not Ending.UNREACHABLE
