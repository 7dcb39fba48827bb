"""Start-up: `harness --help` against a bare click and pydantic; the first model call."""

from __future__ import annotations

import subprocess
import sys

from measuring import median_ms, say

HELP = [sys.executable, "-m", "harness", "--help"]
BARE = [sys.executable, "-c", "import click, pydantic"]
SDKS = {
    "anthropic": "import anthropic",
    "openai": "import openai",
    "PyGithub": "import github",
}


def run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)


def main() -> None:
    helped, bare = (median_ms(lambda c=c: run(c)) for c in (HELP, BARE))
    say("harness --help", f"{helped:.0f} ms")
    say("python -c 'import click, pydantic'", f"{bare:.0f} ms")
    say("ratio (bar: <= 1.5)", f"{helped / bare:.2f}")
    for name, line in SDKS.items():
        alone = median_ms(lambda line=line: run([sys.executable, "-c", line]), runs=5)
        say(f"a process that imports {name} (first call only)", f"{alone:.0f} ms")


if __name__ == "__main__":
    main()
