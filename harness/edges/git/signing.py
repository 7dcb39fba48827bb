"""Signing with the operator's own key, without ever asking for a passphrase.

Which key and which format stand in the operator's git configuration; nothing else of it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.edges.git.command import Git
from harness.edges.private import told_as
from harness.errors import GitError

_KEYS = r"^(user\.signingkey|gpg\.format|gpg\.program|gpg\.openpgp\.program|gpg\.ssh\.program)$"
_HANDED_ON = ("HOME", "XDG_CONFIG_HOME", "GNUPGHOME", "SSH_AUTH_SOCK")
_GPG = """\
#!/bin/sh
exec "${HARNESS_GPG:-gpg}" --batch --no-tty --pinentry-mode error "$@"
"""


def try_signing(environ: Mapping[str, str], author: tuple[str, str]) -> None:
    """Sign a commit that is thrown away. Raises GitError when it cannot be done."""
    git = Git(environ, ())
    with TemporaryDirectory(prefix="harness-signing-") as room:
        signer = Signer(git, environ, Path(room))
        where = {"GIT_DIR": f"{room}/git"}
        git.run("init", "--quiet", "--bare", "--template=", where["GIT_DIR"])
        empty = git.run("mktree", env=where).out.decode("ascii").strip()
        named = {
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in zip(("NAME", "EMAIL"), author, strict=True)
        }
        env = where | named | signer.environment
        git.run("commit-tree", "-S", "-m", "try", empty, env=env, settings=signer.settings())


class Signer:
    """Knows how the operator signs; `room` is a private directory for the wrapper around gpg."""

    def __init__(self, git: Git, environ: Mapping[str, str], room: Path) -> None:
        self._git = git
        self._home = {name: environ[name] for name in _HANDED_ON if name in environ}
        self._room = room

    @property
    def environment(self) -> dict[str, str]:
        """Where the keys are; without a terminal or a display nobody can be asked."""
        return self._home | {"HARNESS_GPG": self._configured().get("gpg.program", "gpg")}

    def settings(self) -> tuple[tuple[str, str], ...]:
        """What git has to know. Raises GitError for a format that cannot be kept from asking."""
        told = self._configured()
        form = told.get("gpg.format", "openpgp")
        if form not in {"openpgp", "ssh"}:
            raise GitError(f"commits cannot be signed with gpg.format {form}: openpgp and ssh can")
        if form == "openpgp":
            told |= {
                "gpg.program": str(self._wrapper()),
                "gpg.openpgp.program": str(self._wrapper()),
            }
        return tuple(sorted(told.items()))

    def _configured(self) -> dict[str, str]:
        told: dict[str, str] = {}
        for file in self._files():
            args = ("config", "--file", str(file), "--includes", "-z", "--get-regexp", _KEYS)
            out = self._git.run(*args, env=self._home, ok=(0, 1)).out.decode("utf-8", "replace")
            pairs = (row.partition("\n") for row in out.split("\0") if row)
            told |= {key: value for key, _, value in pairs}
        return told

    def _files(self) -> tuple[Path, ...]:
        """The operator's own configuration, the later file winning (git-config, FILES)."""
        home = Path(self._home.get("HOME", "/nonexistent"))
        shared = Path(self._home.get("XDG_CONFIG_HOME") or home / ".config")
        files = (shared / "git" / "config", home / ".gitconfig")
        return tuple(file for file in files if file.is_file())

    def _wrapper(self) -> Path:
        path = self._room / "gpg-batch"
        with told_as(GitError, path):
            if not path.is_file() or path.read_text("ascii") != _GPG:
                path.write_text(_GPG, "ascii")
                path.chmod(0o700)
        return path
