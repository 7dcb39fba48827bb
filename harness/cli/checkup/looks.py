"""One look of `doctor`: ask, and say what came of it; what goes wrong is what it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from harness.errors import ConfigError, DoorError, ForgeError, StoreError
from harness.facts.looking import Look

State = Literal["ok", "note", "mend", "failed"]
Told = tuple[State, str]

_MEND = frozenset({"forbidden", "moved"})


def look(area: str, what: str, ask: Callable[[], Told]) -> Look:
    """One look."""
    try:
        return tell(area, what, *ask())
    except (ConfigError, DoorError, OSError) as error:
        return tell(area, what, *why(error))


def tell(area: str, what: str, state: State, text: str) -> Look:
    """What is known without asking."""
    return Look(area=area, what=what, state=state, text=text)


def why(error: ConfigError | DoorError | OSError) -> Told:
    """Whose trouble it is, and what to do."""
    match error:
        case ForgeError(reason="unauthorised"):
            return "mend", f"{error}: make a new token"
        case ForgeError(reason="gone"):
            return "mend", f"{error}: it is not there, or this token may not see it"
        case ForgeError() if error.reason in _MEND:
            return "mend", str(error)
        case ConfigError() | StoreError() | OSError():
            return "mend", str(error)
        case _:
            return "failed", str(error)
