"""A forge of one bare repository, a person who pushes to it, and our side."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from harness.facts.intents import Intent, Precondition, Write
from harness.facts.settings import CommitSettings

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
OURS = CommitSettings(author="Harness Bot <bot@example.org>")


def git(where: Path, *args: str, stdin: bytes = b"", ok: bool = True) -> str:
    """Git as a person has it, with nothing of this machine's configuration."""
    env = {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ALLOW_PROTOCOL": "file",
        "GIT_AUTHOR_NAME": "Person",
        "GIT_AUTHOR_EMAIL": "person@example.org",
        "GIT_COMMITTER_NAME": "Person",
        "GIT_COMMITTER_EMAIL": "person@example.org",
    }
    done = subprocess.run(
        ["git", "-C", str(where), *args], input=stdin, capture_output=True, env=env, check=False
    )
    assert done.returncode == 0 or not ok, done.stderr.decode("utf-8", "replace")
    return done.stdout.decode("utf-8", "replace").strip()


@dataclass(frozen=True)
class Forge:
    """The bare repository on the forge and a person's clone of it."""

    bare: Path
    clone: Path

    @property
    def url(self) -> str:
        return f"file://{self.bare}"

    def write(self, files: dict[str, bytes | str]) -> None:
        for name, content in files.items():
            path = self.clone / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(
        self, files: dict[str, bytes | str], *, to: str = "trunk", message: str = "Work"
    ) -> str:
        """A person's commit on a branch, pushed; the branch starts at the clone's head."""
        self.write(files)
        git(self.clone, "add", "-A", "-f")
        return self.push_index(to=to, message=message)

    def push_index(self, *, to: str = "trunk", message: str = "Work") -> str:
        git(self.clone, "commit", "-q", "--allow-empty", "-m", message)
        git(self.clone, "push", "-q", self.url, f"HEAD:refs/heads/{to}")
        return git(self.clone, "rev-parse", "HEAD")

    def tip(self, ref: str) -> str:
        return git(self.bare, "rev-parse", "--verify", "-q", ref, ok=False)


def intent(write: Write) -> Intent:
    return Intent(
        id="1" * 32,
        run_id="2" * 32,
        repo_id=7,
        item=12,
        purpose="push:1",
        write=write,
        needs=Precondition(),
        why="because",
        nonce="3" * 32,
        forge_time=AT,
        state="open",
        reason="",
        receipt=None,
        attempts=0,
        created_at=AT,
    )
