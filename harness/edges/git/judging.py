"""Which of the paths an agent changed may be committed, and why not: by name and by kind of file.

Pure but for what it is told: the run of git and the look at the file happen elsewhere.
"""

from __future__ import annotations

import re
import stat
from fnmatch import fnmatchcase

from harness.facts.settings import ProtectedSettings

BIGGEST_FILE = 100 * 1024 * 1024  # GitHub refuses a push with a larger one

_CONTROL = {".gitattributes", ".gitmodules", ".gitconfig", ".lfsconfig"}
_GIT_DIR = re.compile(r"(?:\.git|git~1)(?:[ .]*|:.*)")  # spellings that other systems take for .git
_INVISIBLE = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")  # what HFS+ leaves out
_WORKFLOWS = (
    ".github/workflows/*",
    ".github/actions/*",
    ".gitea/workflows/*",
    ".forgejo/workflows/*",
    ".circleci/*",
    ".buildkite/*",
    ".woodpecker/*",
    ".gitlab-ci.yml",
    ".travis.yml",
    ".drone.yml",
    ".cirrus.yml",
    ".appveyor.yml",
    "appveyor.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "jenkinsfile",
)
_POLICY = ".harness/*"


def refuse_name(path: str, protected: ProtectedSettings) -> str:
    """Why nothing of this name may be added, changed or deleted; "" when it may.

    Names are compared without case: a file system of somebody else may not tell them apart.
    """
    folded = _INVISIBLE.sub("", path).casefold()
    parts = folded.split("/")
    if any(_GIT_DIR.fullmatch(part) for part in parts):
        return "lies in a git directory"
    if parts[-1] in _CONTROL:
        return "controls git itself"
    if not protected.allow_workflows and any(fnmatchcase(folded, glob) for glob in _WORKFLOWS):
        return "is run by CI"
    if fnmatchcase(folded, _POLICY):
        return "is policy, read from the base"
    if any(_is_under(folded, glob.casefold()) for glob in protected.paths):
        return "is protected by the configuration"
    return ""


def refuse_kind(mode: int, size: int) -> str:
    """Why a file of this kind cannot be committed; "" for regular files and links."""
    if stat.S_ISDIR(mode):
        return "is a repository of its own"
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        return "is no file: a pipe, a socket or a device"
    if size > BIGGEST_FILE:
        return "is larger than the forge takes (100 MiB)"
    return ""


def _is_under(path: str, glob: str) -> bool:
    """Whether a pattern means the path, a folder above it or, without a slash, any part of it."""
    glob = glob.strip("/").removeprefix("**/")
    if fnmatchcase(path, glob) or fnmatchcase(path, f"{glob}/*") or fnmatchcase(path, f"*/{glob}"):
        return True
    return "/" not in glob and any(fnmatchcase(part, glob) for part in path.split("/"))
