"""Commits: made of a git tree, parents, a message and a time, in the configured identity.

Attribution is exactly what is configured: trailers that vouch in somebody's name are taken out of
the message, for a person's name under a line they never wrote is a forgery.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime

from harness.edges.git.mirror import Mirror
from harness.edges.git.names import check_id
from harness.edges.git.signing import Signer
from harness.facts.author import read_author
from harness.facts.settings import CommitSettings

SIGNED = "refs/harness/signed/"

_VOUCHES = re.compile(
    r"(?i)^[ \t]*(?:signed-off|reviewed|acked|tested|approved|co-authored|co-developed|reported"
    r"|suggested)-by[ \t]*:"
)


def dress_message(message: str, settings: CommitSettings) -> str:
    """The message with the configured trailers and sign-off, and no other attribution."""
    lines = message.replace("\0", "").replace("\r\n", "\n").split("\n")
    body = "\n".join(line.rstrip() for line in lines if not _VOUCHES.match(line)).strip("\n")
    signoff = [f"Signed-off-by: {settings.author}"] if settings.signoff else []
    trailers = [line for line in (*settings.trailers, *signoff) if line not in body.split("\n")]
    return "\n\n".join(part for part in (body, "\n".join(trailers)) if part) + "\n"


class Committer:
    """Makes the commits of one repository."""

    def __init__(self, mirror: Mirror, settings: CommitSettings, signer: Signer | None) -> None:
        self._mirror = mirror
        self._settings = settings
        self._name, self._address = read_author(settings.author)
        self._signer = signer

    def commit(self, tree_sha: str, parents: tuple[str, ...], message: str, at: datetime) -> str:
        """The commit's id: the same for the same input, signed or not."""
        text = dress_message(message, self._settings)
        args = ["commit-tree", check_id(tree_sha), *(f"-p{check_id(parent)}" for parent in parents)]
        env = self._identity(at)
        if self._signer is None:
            return self._run(args, text, env)
        told = "\0".join([*args, text, *env.values()])
        return self._signed(args, text, env, SIGNED + hashlib.sha256(told.encode()).hexdigest())

    def _signed(self, args: list[str], text: str, env: dict[str, str], ref: str) -> str:
        """A signature holds the time it was made: the first one is kept and given again."""
        made = self._mirror.run("rev-parse", "--verify", "--quiet", ref, ok=(0, 1)).out
        if made:
            return made.decode("ascii").strip()
        assert self._signer is not None
        sha = self._run(
            [*args, "-S"], text, env | self._signer.environment, self._signer.settings()
        )
        self._mirror.set_ref(ref, sha)
        return sha

    def _run(
        self,
        args: list[str],
        text: str,
        env: dict[str, str],
        settings: tuple[tuple[str, str], ...] = (),
    ) -> str:
        stdin = text.encode("utf-8", "replace")
        return (
            self._mirror.run(*args, env=env, settings=settings, stdin=stdin)
            .out.decode("ascii")
            .strip()
        )

    def _identity(self, at: datetime) -> dict[str, str]:
        date = f"@{int(at.timestamp())} +0000"
        return {
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", self._name), ("EMAIL", self._address), ("DATE", date))
        }
