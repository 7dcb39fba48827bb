"""The bare repository that mirrors one repository of the forge.

Heads go to `refs/remotes/origin/*` and pull request heads to `refs/pull/*/head`, so that pruning
never touches what is ours under `refs/harness/*` (`clone --mirror` would delete it).

Invariant of the lock: whoever changes refs or work trees holds it, and every git command started
meanwhile inherits it. A killed harness therefore frees it only when its last git has ended, and a
`*.lock` file found while holding it belongs to nobody.
"""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from harness.edges.git.command import NETWORK_SECONDS, Ended, Git
from harness.edges.git.credentials import header_config
from harness.edges.git.memory import Memory
from harness.edges.git.names import check_branch, check_id
from harness.edges.owners import is_alive, own_name
from harness.edges.private import make_folder, told_as
from harness.errors import GitError

logger = logging.getLogger(__name__)

_DRAFT = "draft"
KEEP = "refs/harness/keep/"
_REFSPECS = ("+refs/heads/*:refs/remotes/origin/*", "+refs/pull/*/head:refs/pull/*/head")
_CONFIG = """\
[core]
\trepositoryformatversion = 0
\tbare = true
\tfilemode = true
\tlogAllRefUpdates = false
\tcheckStat = minimal
\ttrustctime = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
"""
_LOCK_SECONDS = NETWORK_SECONDS + 60
_SILENCE = 120.0  # seconds; a forge that is busy says so every 5 s (uploadpack.keepAlive)


class Mirror:
    """Git in one bare repository, with or without the network."""

    def __init__(
        self,
        home: Path,
        url: str,
        git: Git,
        credential: Callable[[], str] | None,
        *,
        depth: int = 0,
        network_seconds: float = NETWORK_SECONDS,
    ) -> None:
        self.home = home
        self.path = home / "mirror.git"
        self.trees = home / "trees"
        self.url = url
        self._git = git
        self._credential = credential
        self._depth = depth
        self._network_seconds = network_seconds
        self._memory = Memory()

    def run(
        self,
        *args: str | bytes,
        env: dict[str, str] | None = None,
        settings: Sequence[tuple[str, str]] = (),
        stdin: bytes = b"",
        ok: Sequence[int] = (0,),
        held: Sequence[int] = (),
    ) -> Ended:
        """A command in the bare repository, without the network."""
        self._make()
        return self._git.run(
            *args,
            env={"GIT_DIR": str(self.path)} | (env or {}),
            settings=settings,
            stdin=stdin,
            ok=ok,
            held=held,
        )

    def run_once(
        self,
        *args: str | bytes,
        settings: Sequence[tuple[str, str]] = (),
        stdin: bytes = b"",
        ok: Sequence[int] = (0,),
        lasts: Callable[[Ended], bool] = lambda _: True,
    ) -> Ended:
        """The same for a question about objects by id, run again only where no answer `lasts`.

        A shallow mirror cuts its history anew with each fetch: nothing lasts there.
        """
        self._make()

        def run() -> Ended:
            return self.run(*args, settings=settings, stdin=stdin, ok=ok)

        return run() if self._depth else self._memory.ask((*args, stdin), run, lasts)

    def ask(
        self, *args: str, settings: Sequence[tuple[str, str]] = (), held: Sequence[int] = ()
    ) -> Ended:
        """A command that talks to the forge, with the credential in its environment."""
        self._make()
        token = self._credential() if self._credential else ""
        header = [header_config(self.url, token)] if token else []
        return self._git.run(
            *args,
            env={"GIT_DIR": str(self.path)},
            settings=[*settings, *header, *self._patience()],
            seconds=self._network_seconds,
            token=token,
            held=held,
        )

    def _patience(self) -> list[tuple[str, str]]:
        """A git that we started before we were killed gives a silent forge up by itself.

        It holds the lock until then, and nobody is there any more to stop it.
        """
        silence = max(1, int(min(_SILENCE, self._network_seconds)))
        return [("http.lowSpeedLimit", "1"), ("http.lowSpeedTime", str(silence))]

    def sync(self) -> None:
        """Fetch heads and pull request heads, and forget those that are gone.

        A damaged mirror is set aside, never removed, and made anew.
        """
        depth = (f"--depth={self._depth}",) if self._depth else ()
        flags = (
            "--quiet",
            "--prune",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-auto-maintenance",
        )
        with self.locked() as lock:
            self._remove_drafts()
            first = not (self.path / "packed-refs").exists()

            def fetch() -> Ended:
                return self.ask("fetch", *flags, *depth, self.url, *_REFSPECS, held=[lock])

            try:
                self.retry(fetch)
            except GitError:
                if not self._set_aside():
                    raise
                first = True
                fetch()
            if first:
                self.run("pack-refs", "--all", held=[lock])

    def damage(self) -> str:
        """What git says where it cannot read this repository, "" where it can or none is there."""
        if not self.path.is_dir():
            return ""
        try:
            self.run("for-each-ref", "--format=%(objecttype)")
        except GitError as error:
            return str(error) if error.exit_code else ""
        return ""

    def set_aside(self) -> tuple[Path, ...]:
        """The damaged mirrors that lie here."""
        return tuple(sorted(self.home.glob(f"{self.path.name}.damaged-*")))

    def _set_aside(self) -> bool:
        """Whether it was damaged; what of it was not pushed lies in the one that is set aside."""
        damage = self.damage()
        if not damage:
            return False
        place = self.path.with_name(f"{self.path.name}.damaged-{time.time_ns()}")
        with told_as(GitError, place):
            self.path.rename(place)
        logger.warning("the mirror was damaged and is made anew, it lies in %s: %s", place, damage)
        return True

    def tip(self, branch: str) -> str:
        """The fetched tip of a branch, "" when there is none."""
        ref = f"refs/remotes/origin/{check_branch(branch)}"
        return self.run("rev-parse", "--verify", "--quiet", ref, ok=(0, 1)).out.decode().strip()

    def remote_ref(self, ref: str) -> str:
        """What the forge says a full ref name points to right now, "" when there is none."""
        for line in (
            self.ask("ls-remote", "--quiet", self.url, ref)
            .out.decode("utf-8", "replace")
            .splitlines()
        ):
            sha, _, name = line.partition("\t")
            if name == ref:
                return check_id(sha)
        return ""

    def fetch_object(self, ref: str) -> None:
        """Fetch what a ref points to without giving it a name here."""
        flags = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance")
        with self.locked() as lock:
            self.retry(lambda: self.ask("fetch", *flags, self.url, ref, held=[lock]))

    def set_ref(self, ref: str, sha: str) -> None:
        """Point a ref of ours at an object that is here."""
        with self.locked() as lock:
            self.retry(lambda: self.run("update-ref", ref, check_id(sha), held=[lock]))

    def tidy(self) -> None:
        """Collect garbage: only here, never beside other work, and what the store names is kept."""
        with self.locked() as lock:
            self._memory.forget()
            self.retry(lambda: self.run("gc", "--quiet", "--prune=2.weeks.ago", held=[lock]))

    @contextmanager
    def locked(self) -> Iterator[int]:
        """Hold the lock; yields the descriptor to hand to every git command started meanwhile."""
        self._make()
        path = self.home / "lock"
        with told_as(GitError, path):
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _wait_for(lock, self.home)
            yield lock
        finally:
            os.close(lock)

    def retry(self, command: Callable[[], Ended]) -> Ended:
        """Run under the lock; a lock file that a killed git left behind is removed, once."""
        try:
            return command()
        except GitError as error:
            if ".lock': File exists" not in error.stderr:
                raise
            for stale in (*self.path.glob("*.lock"), *(self.path / "refs").rglob("*.lock")):
                stale.unlink(missing_ok=True)
            return command()

    def _make(self) -> None:
        """Make the repository in one step: a half-made one never has the final name."""
        if self.path.is_dir():
            return
        self._memory.forget()
        with told_as(GitError, self.trees):
            make_folder(self.trees)
        draft = self.home / own_name(_DRAFT)
        try:
            self._git.run("init", "--quiet", "--bare", "--template=", str(draft))
            (draft / "config").write_text(_CONFIG, "utf-8")
            draft.rename(self.path)
        except OSError as error:
            if not self.path.is_dir():
                raise GitError(f"the mirror {self.path} cannot be made: {error}") from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _remove_drafts(self) -> None:
        """Remove what a process left that was killed while it made the repository."""
        for draft in self.home.glob(f"{_DRAFT}-*"):
            if not is_alive(draft.name):
                shutil.rmtree(draft, ignore_errors=True)


def _wait_for(lock: int, home: Path) -> None:
    deadline = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise GitError(f"{home} was busy for {_LOCK_SECONDS:.0f} s") from None
            time.sleep(0.02)
        else:
            return
