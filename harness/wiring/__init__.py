"""The only place where edges meet runs: settings in, desks out.

A house is what one process needs for all repositories (state directory, secrets, time); a desk is
what one thread needs to work one of them.
"""

from harness.wiring.desks import Calling, open_desk
from harness.wiring.forge import Forge, open_forge
from harness.wiring.house import REHEARSAL, House, open_house

__all__ = [
    "REHEARSAL",
    "Calling",
    "Forge",
    "House",
    "open_desk",
    "open_forge",
    "open_house",
]
