"""What a story came to, so that two tellings of it can be held against each other.

Commit ids hold times and nonces are random: a commit is known by its tree, a marker is a marker.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any

from harness.rehearsal.github.picture import picture
from tests.kills.nursery import Ended
from tests.stories.stage import Stage

_HEX = re.compile(r"\b[0-9a-f]{7,40}\b")
WRITE = ("method", "path", "status", "body")
_NUMBER = re.compile(r"/comments/\d+")
_MARKER = re.compile(r"<!-- harness:[0-9a-f]+\.[0-9a-f]+ -->")


@dataclass(frozen=True)
class Telling:
    """One story's end, without what differs from telling to telling."""

    outcomes: dict[int, str]
    states: dict[str, str]
    forge: Any  # JSON
    writes: Counter[str]
    asked: Counter[tuple[str, str, int]]
    trees: tuple[str, ...]

    def differs_from(self, other: Telling) -> str:
        """The first difference that matters, line by line; "" when there is none."""
        for name in ("outcomes", "states", "forge", "writes", "trees"):
            mine, others = getattr(self, name), getattr(other, name)
            if mine != others:
                lines = unified_diff(_lines(others), _lines(mine), name, name, lineterm="", n=1)
                return "\n".join(lines)
        return ""

    def repeated(self) -> dict[tuple[str, str, int], int]:
        """(model, headline, turn) of what was asked more than once, with how often too often."""
        return {question: times - 1 for question, times in self.asked.items() if times > 1}


def tell(stage: Stage) -> Telling:
    """Look at everything."""
    trees = _trees_of_commits(stage)

    def plain(text: str) -> str:
        known = _HEX.sub(lambda m: _tree_of(m[0], trees), text)
        return _MARKER.sub("<!-- marker -->", known).replace(str(stage.root), "stage")

    questions = [one.question for one in stage.models.requests if one.question]
    state = stage.state / "git"
    with stage.store() as store:
        ended = [one for repo in store.repos() for one, _ in store.outcomes(repo.id)]
    return Telling(
        outcomes={one.item: one.outcome.value for one in ended},
        states=stage.states,
        forge=json.loads(plain(json.dumps(picture(stage.forge.forge)))),
        writes=Counter(
            plain(_NUMBER.sub("/comments/N", " ".join(str(one[key]) for key in WRITE)))
            for one in stage.forge.writes
            if not str(one["path"]).endswith("/access_tokens")
        ),
        asked=Counter((one.model, one.headline, one.turn) for one in questions),
        trees=tuple(sorted(plain(one.name.replace("-", " ")) for one in state.glob("*/trees/*"))),
    )


def leftovers(stage: Stage, children: Sequence[Ended]) -> list[str]:
    """What a story told by these processes left behind that it should not."""
    groups = [f"limit group: {path}" for path in _groups({str(child.pid) for child in children})]
    return [*_open_rows(stage), *_held_locks(stage), *_files(stage), *_processes(stage), *groups]


def _open_rows(stage: Stage) -> list[str]:
    questions = {
        "open exchange": "SELECT id FROM exchanges WHERE result = ''",
        "open reserve": "SELECT id FROM reserves WHERE state = 'open'",
        "open intent": "SELECT purpose FROM intents WHERE state = 'open'",
        "held lease": "SELECT key FROM leases WHERE owner <> ''",
    }
    database = sqlite3.connect(stage.state / "store.db")
    try:
        return [
            f"{what}: {row[0]}"
            for what, question in questions.items()
            for row in database.execute(question)
        ]
    finally:
        database.close()


def _held_locks(stage: Stage) -> list[str]:
    held = []
    for path in (*stage.state.glob("git/*/lock"), stage.state / "outbox.lock"):
        with path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                held.append(f"held lock: {path}")
    return held


def _files(stage: Stage) -> list[str]:
    places = {
        "lock file": stage.state.glob("locks/*"),
        "git lock": stage.state.glob("git/*/mirror.git/**/*.lock"),
        "half mirror": stage.state.glob("git/*/draft-*"),
        "scratch": stage.state.glob("scratch/*"),
        "temporary file": (stage.root / "tmp").glob("*"),
    }
    return [f"{what}: {path}" for what, found in places.items() for path in found]


def _processes(stage: Stage) -> list[str]:
    """Whatever has a place on the stage in its command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            said = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            found += [f"process: {said}"] if str(stage.root) in said else []
    return found


def _groups(pids: set[str]) -> list[Path]:
    """Groups that these processes made to limit commands; other tests make some too."""
    found = [
        Path(folder, name)
        for folder, names, _ in os.walk("/sys/fs/cgroup")  # what vanishes meanwhile is left out
        for name in names
        if name.startswith("harness-")
    ]
    return [path for path in found if path.name.split("-")[1] in pids]


def _trees_of_commits(stage: Stage) -> dict[str, str]:
    """Commit -> tree, of all commits that a name on the forge or in the mirror leads to."""
    trees: dict[str, str] = {}
    forges = [one.bare.path for one in stage.forge.forge.repositories.values()]
    for path in (*forges, *stage.state.glob("git/*/mirror.git")):
        listed = subprocess.run(
            ["git", "-c", "safe.directory=*", "-C", str(path), "log", "--all", "--format=%H %T"],
            check=True,
            capture_output=True,
            text=True,
        )
        trees |= dict(line.split() for line in listed.stdout.splitlines())
    return trees


def _tree_of(word: str, trees: dict[str, str]) -> str:
    return next((f"tree-{tree[:10]}" for sha, tree in trees.items() if sha.startswith(word)), word)


def _lines(value: object) -> list[str]:
    if isinstance(value, Counter):
        return [f"{times} x {one}" for one, times in sorted(value.items())]
    return json.dumps(value, indent=1, sort_keys=True, default=str).split("\n")
