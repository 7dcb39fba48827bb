"""Where the symbolic links of a work tree lead."""

from __future__ import annotations

import os
from pathlib import Path


def refuse_link(root: Path, place: Path) -> str:
    """Why the link at `place` may not be committed; "" when it stays inside the tree at `root`.

    Both what it says and where it ends count: a step on its way may be a link itself.
    """
    top = Path(os.path.realpath(root))
    target = os.readlink(place)  # noqa: PTH115 - Path would drop a trailing slash and dots
    folder = top / place.parent.relative_to(root)
    if target.startswith("/"):
        return "is a link out of the tree"
    for end in (os.path.normpath(folder / target), os.path.realpath(place)):
        if not Path(end).is_relative_to(top):
            return "is a link out of the tree"
        if Path(end).relative_to(top).parts[:1] == (".git",):
            return "is a link into the git directory"
    return ""
