"""The same call again and again, with nothing changed in between: told once, then it is over."""

from __future__ import annotations

import json
from dataclasses import dataclass

from harness.facts.turns import Call

MOST = 3  # of the same call in a row
SEEN = (
    "Not run: this is the third time in a row that you make exactly this call, and nothing has "
    "changed in between, so it would tell you the same again. Do something else, or reply."
)


@dataclass(frozen=True)
class Seen:
    """A call that was made, and the tree it left."""

    call: str
    tree: str


def see(seen: tuple[Seen, ...], call: Call, tree: str) -> tuple[Seen, ...]:
    """With this call added; where nobody looked at the tree it is still the last one."""
    known = tree or (seen[-1].tree if seen else "")
    return (*seen, Seen(_signature(call), known))


def is_stuck(seen: tuple[Seen, ...], call: Call) -> bool:
    """Whether making this call now would be the third time in a row for nothing."""
    before = seen[-(MOST - 1) :]
    signature = _signature(call)
    return (
        len(before) == MOST - 1
        and all(one.call == signature for one in before)
        and len({one.tree for one in before}) == 1
    )


def _signature(call: Call) -> str:
    try:
        arguments = json.dumps(json.loads(call.arguments), sort_keys=True)
    except (ValueError, RecursionError):
        arguments = call.arguments
    return f"{call.tool} {call.name} {arguments}"
