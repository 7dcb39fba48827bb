"""One git command: no shell, only our settings, an environment from scratch, a time limit."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.edges.git.credentials import mask, secrets_of
from harness.errors import ConfigError, GitError

LOCAL_SECONDS = 120.0
NETWORK_SECONDS = 900.0

_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"  # known to every git, stored or not
_STDERR_CHARS = 2_000
_CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
_HANDED_ON = (
    "PATH",
    "TMPDIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "http_proxy",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
)
_FIXED = {
    "HOME": "/nonexistent",
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_PAGER": "cat",
    "SSH_ASKPASS_REQUIRE": "never",
}
_SETTINGS = (
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.untrackedCache", "false"),
    ("core.attributesFile", "/dev/null"),
    ("core.excludesFile", "/dev/null"),
    ("core.checkStat", "default"),  # the mirror's own file says minimal, for overlays
    ("core.trustctime", "true"),
    ("core.symlinks", "true"),
    ("core.fileMode", "true"),
    ("attr.tree", _EMPTY_TREE),  # a bare repository's HEAD has no say in attributes (git >= 2.43)
    ("credential.helper", ""),
    ("checkout.workers", "0"),  # one per core: two to four times as fast as one
    ("submodule.recurse", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("advice.detachedHead", "false"),
)


def check_git(environ: Mapping[str, str]) -> None:
    """Git is there. Raises ConfigError."""
    if shutil.which("git", path=environ.get("PATH", os.defpath)) is None:
        raise ConfigError("there is no git on PATH: install git 2.38 or newer")


@dataclass(frozen=True)
class Ended:
    """How a command ended that was allowed to end so."""

    code: int
    out: bytes
    err: str  # masked


class Git:
    """Runs git commands; `schemes` are the only transports it may use."""

    def __init__(self, environ: Mapping[str, str], schemes: Sequence[str]) -> None:
        kept = {name: environ[name] for name in _HANDED_ON if name in environ}
        self._environment = kept | _FIXED | {"GIT_ALLOW_PROTOCOL": ":".join(schemes)}

    def run(
        self,
        *args: str | bytes,
        env: Mapping[str, str] | None = None,
        settings: Sequence[tuple[str, str]] = (),
        stdin: bytes = b"",
        ok: Sequence[int] = (0,),
        seconds: float = LOCAL_SECONDS,
        token: str = "",
        held: Sequence[int] = (),
    ) -> Ended:
        """Run to the end. Raises GitError on any exit code that is not in `ok`, and on time out.

        `held` are file descriptors that the command and its children keep open.
        """
        secrets = secrets_of(token)
        shown = mask("git " + " ".join(os.fsdecode(arg) for arg in args), secrets)
        try:
            process = subprocess.Popen(
                ["git", *args],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self._environment | _as_environment(settings) | dict(env or {}),
                cwd="/",
                umask=0o022,  # the workbench's user reads the mirror, in a folder that is private
                start_new_session=True,  # no terminal to prompt on, one group to kill
                pass_fds=tuple(held),
            )
        except (OSError, ValueError) as error:
            raise GitError(f"{shown} could not be started: {error}", command=shown) from None
        out, err = _finish(process, stdin, seconds, shown)
        told = _CONTROL.sub("", mask(err.decode("utf-8", "replace"), secrets))[-_STDERR_CHARS:]
        if process.returncode not in ok:
            raise GitError(
                f"{_short(shown)} failed ({process.returncode}): {_why(told)}",
                command=shown,
                exit_code=process.returncode,
                stderr=told,
            )
        return Ended(process.returncode, out, told)


def _finish(
    process: subprocess.Popen[bytes], stdin: bytes, seconds: float, shown: str
) -> tuple[bytes, bytes]:
    try:
        return process.communicate(stdin, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise GitError(
            f"{_short(shown)} took more than {seconds:.0f} s and was stopped", command=shown
        ) from None
    finally:
        if process.returncode is None:
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group: a transport that git started holds our pipes."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _as_environment(settings: Sequence[tuple[str, str]]) -> dict[str, str]:
    whole = (*_SETTINGS, *settings)
    pairs = {"GIT_CONFIG_COUNT": str(len(whole))}
    for n, (key, value) in enumerate(whole):
        pairs[f"GIT_CONFIG_KEY_{n}"] = key
        pairs[f"GIT_CONFIG_VALUE_{n}"] = value
    return pairs


def _why(told: str) -> str:
    """The line that says most; git ends with lines that say nothing new."""
    lines = [line.strip() for line in told.split("\n") if line.strip()]
    for start in ("! [", "fatal:", "error:"):
        for line in lines:
            if line.startswith(start):
                return line
    return lines[-1] if lines else "it said nothing"


def _short(shown: str) -> str:
    """`git fetch`: the error carries the whole command, people read what failed and why."""
    return " ".join(shown.split(" ")[:2])
