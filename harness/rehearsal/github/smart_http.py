"""Git's smart HTTP, by `git http-backend` over the real bare repositories."""

from __future__ import annotations

import subprocess
from base64 import b64decode
from binascii import Error as BadBase64
from dataclasses import dataclass

from harness.rehearsal.github.bare import git_environment
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.rows import ROLES, Account, Repository


@dataclass(frozen=True)
class GitAnswer:
    """Status, headers and body of git's own answer."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


UNKNOWN = (("Content-Type", "text/plain"), ("WWW-Authenticate", 'Basic realm="GitHub"'))


def is_git(path: str) -> bool:
    """Whether a path is one that git asks for."""
    return ".git/" in path and path.endswith(
        ("/info/refs", "/git-upload-pack", "/git-receive-pack")
    )


def token_of(authorization: str) -> str:
    """The token of an Authorization header: bearer, token, or the password of basic."""
    kind, _, value = authorization.partition(" ")
    if kind.casefold() in {"bearer", "token"}:
        return value.strip()
    if kind.casefold() == "basic":
        try:
            return b64decode(value).decode().partition(":")[2]
        except (BadBase64, UnicodeDecodeError):
            return ""
    return ""


def repository_of(forge: Forge, path: str) -> Repository | None:
    """The repository a git path names."""
    return forge.repository(path.lstrip("/").split(".git/")[0])


def refuse(
    forge: Forge, repository: Repository | None, account: Account | None, *, writes: bool
) -> GitAnswer | None:
    """GitHub's refusal of a fetch or a push, None when it may go on."""
    role = forge.role(repository, account) if repository else "none"
    if repository is None or role == "none":
        return GitAnswer(404 if account else 401, UNKNOWN, b"Repository not found.")
    if not writes:
        return None
    if account is None:
        return GitAnswer(401, UNKNOWN, b"Invalid username or token.")
    if repository.archived or ROLES.index(role) < ROLES.index("write"):
        message = f"Permission to {repository.slug}.git denied to {account.login}."
        return GitAnswer(403, UNKNOWN[:1], message.encode())
    return None


def run_backend(
    repository: Repository,
    account: Account | None,
    *,
    method: str,
    path: str,
    query: str,
    headers: dict[str, str],
    body: bytes,
) -> GitAnswer:
    """Let git answer. `headers` have lower-case names."""
    environment = git_environment() | {
        "GIT_PROJECT_ROOT": str(repository.bare.path),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": "/" + path.partition(".git/")[2],
        "REQUEST_METHOD": method,
        "QUERY_STRING": query,
        "CONTENT_TYPE": headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(body)),
        "REMOTE_USER": account.login if account else "",
        "REMOTE_ADDR": "127.0.0.1",
        "GIT_PROTOCOL": headers.get("git-protocol", ""),
        "HTTP_CONTENT_ENCODING": headers.get("content-encoding", ""),
    }
    done = subprocess.run(
        ["git", "http-backend"], input=body, env=environment, capture_output=True, check=False
    )
    return _parse(done.stdout)


def _parse(output: bytes) -> GitAnswer:
    head, _, body = output.partition(b"\r\n\r\n")
    status, found = 200, []
    for line in head.decode("latin-1").split("\r\n"):
        name, _, value = line.partition(":")
        if name.casefold() == "status":
            status = int(value.split()[0])
        elif name:
            found.append((name, value.strip()))
    return GitAnswer(status, tuple(found), body)
