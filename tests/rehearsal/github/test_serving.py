"""The double in a process of its own, moved through its control endpoint."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from harness.rehearsal.clock import RehearsalClock
from tests.rehearsal.github.client import Client

SCRIPT = """
import sys
from pathlib import Path
from harness.rehearsal.github import serve
serve("127.0.0.1", 0, Path(sys.argv[1]), started=lambda double: print(double.base, flush=True))
"""


def test_a_forge_of_its_own_is_peopled_from_outside(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            base = process.stdout.readline().strip()
            people = Client(f"{base}/_rehearsal/people", "")
            people.post("/join", {"login": "harness-bot", "token": "t"})
            people.post("/make_repository", {"slug": "octo/demo", "files": {"a.py": "x\n"}})
            people.post("/allow", {"slug": "octo/demo", "login": "harness-bot", "role": "write"})
            issue = {"slug": "octo/demo", "login": "alice", "title": "Bug"}
            number = people.post("/open_issue", issue)["made"]
            clock = RehearsalClock(base)
            clock.wait(60)

            shown = Client(f"{base}/api/v3", "t").get(f"/repos/octo/demo/issues/{number}")

            assert shown["title"] == "Bug"
            assert clock.now().minute == 1
        finally:
            process.kill()
