from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOM = Path(__file__).parent
ROOT = ROOM.parent
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


def test_ci_finds_the_test_command_of_the_readme(tmp_path: Path) -> None:
    told = find_test_command((ROOT / "README.md").read_text("utf-8"), tmp_path)

    assert (told.returncode, told.stdout) == (0, "make test\n")


def test_a_readme_without_a_test_command_fails_loudly(tmp_path: Path) -> None:
    told = find_test_command("# harness\n\n```\nmake test\n```\n", tmp_path)

    assert told.returncode == 1
    assert told.stderr == "README.md names no test command\n"


def find_test_command(readme: str, room: Path) -> subprocess.CompletedProcess[str]:
    """The part of `.ci/run` that reads the README, run beside this one."""
    script = (ROOT / ".ci/run").read_text("utf-8")
    begin, end = script.index("test_command="), script.index("\n\necho")
    (room / "README.md").write_text(readme, "utf-8")
    part = f'set -euo pipefail\n{script[begin:end]}\necho "$test_command"\n'
    return subprocess.run(
        ["bash", "-c", part], cwd=room, capture_output=True, text=True, timeout=60, check=False
    )
