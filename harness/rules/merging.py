"""What the gate asks about merging beside the case itself: the method, people's reviews, paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Literal

from harness.facts.forge import ForgeReview, Permission, Repo
from harness.facts.settings import ProtectedSettings

# Read from the base commit, or run by CI: a change to them needs a person.
POLICY_FILES = ("agents.md", "contributing.md", ".harness/*")
CI_FILES = (
    ".github/workflows/*", ".github/actions/*", ".gitea/workflows/*", ".forgejo/workflows/*",
    ".circleci/*", ".buildkite/*", ".woodpecker/*", ".gitlab-ci.yml", ".travis.yml", ".drone.yml",
    ".cirrus.yml", ".appveyor.yml", "appveyor.yml", "azure-pipelines.yml",
    "bitbucket-pipelines.yml", "jenkinsfile",
)  # fmt: skip


def method_allowed(repo: Repo, method: Literal["merge", "squash", "rebase"]) -> bool:
    """Whether the repository allows this way to merge."""
    match method:
        case "merge":
            return repo.allow_merge
        case "squash":
            return repo.allow_squash
        case "rebase":
            return repo.allow_rebase


def objections(
    reviews: Sequence[ForgeReview], permissions: Mapping[str, Permission]
) -> tuple[str, ...]:
    """People with write access whose newest verdict asks for changes, oldest first.

    Reviews are people's and come oldest first, as the forge lists them; a comment changes no
    verdict. A person whose permission is not in the map counts: what is not known is never passed
    over.
    """
    newest: dict[str, str] = {}
    for review in reviews:
        if review.state not in {"COMMENTED", "PENDING"}:
            newest[review.author.login] = review.state
    return tuple(
        login
        for login, state in newest.items()
        if state == "CHANGES_REQUESTED" and permissions.get(login, Permission.WRITE).may_write
    )


def protected_paths(paths: Iterable[str], settings: ProtectedSettings) -> tuple[str, ...]:
    """The paths of a change that a person has to look at before it is merged, sorted."""
    globs = [*POLICY_FILES, *(glob.casefold() for glob in settings.paths)]
    globs += () if settings.allow_workflows else CI_FILES
    return tuple(sorted({path for path in paths if _matches(path.casefold(), globs)}))


def _matches(path: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(path, glob) or path.startswith(f"{glob.rstrip('/')}/") for glob in globs)
