"""What the sandbox adds to a command: `true` in it, against `true` alone."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from measuring import median_ms, say

from harness.edges.workbench import BwrapWorkbench
from harness.facts.settings import LimitSettings, SandboxSettings
from harness.facts.trees import Tree
from harness.facts.workbench import Command


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        (root / "tree").mkdir()
        if os.geteuid() == 0:
            os.chown(root / "tree", SandboxSettings().uid, SandboxSettings().uid)
        rooms = (root / "scratch", root / "builds")
        bench = BwrapWorkbench(SandboxSettings(), LimitSettings(), *rooms, (), str)
        tree = Tree(repo_id=1, path=str(root / "tree"), head="")
        command = Command(argv=("true",), seconds=10)
        alone = median_ms(lambda: subprocess.run(["/bin/true"], check=True), runs=50)
        for mode in ("write", "overlay"):
            with bench.open(tree, mode) as one:
                took = median_ms(lambda one=one: one.run(command), runs=50)
            say(f"a command in the workbench, {mode}", f"{took:.1f} ms")
        say("the same command alone", f"{alone:.1f} ms")


if __name__ == "__main__":
    main()
