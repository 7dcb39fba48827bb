from __future__ import annotations

import re
from pathlib import Path

ROOM = Path(__file__).parent
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


def test_every_test_that_the_readme_names_is_there() -> None:
    named = NAMED.findall((ROOM / "README.md").read_text("utf-8"))

    missing = [
        f"{path}::{name}"
        for path, name in named
        if f"def test_{name}(" not in (ROOM / path).read_text("utf-8")
    ]

    assert len(named) > 50
    assert missing == []
