"""Repositories, branches, rules and permissions as GitHub sends them."""

from __future__ import annotations

from harness.edges.github.shapes import Shape, UserShape
from harness.facts.forge import Repo


class PermissionsShape(Shape):
    """What the credential may do."""

    push: bool = False
    admin: bool = False


class RepositoryShape(Shape):
    """`full-repository`."""

    id: int
    name: str
    owner: UserShape
    default_branch: str
    private: bool
    archived: bool
    clone_url: str
    allow_squash_merge: bool = True  # left out for those who may not push
    allow_merge_commit: bool = True
    allow_rebase_merge: bool = True
    permissions: PermissionsShape = PermissionsShape()

    @property
    def slug(self) -> str:
        """What people call it."""
        return f"{self.owner.login}/{self.name}"

    def fact(self, host: str) -> Repo:
        """With the host it stands on."""
        return Repo(
            id=self.id,
            host=host,
            owner=self.owner.login,
            name=self.name,
            default_branch=self.default_branch,
            private=self.private,
            archived=self.archived,
            clone_url=self.clone_url,
            allow_squash=self.allow_squash_merge,
            allow_merge=self.allow_merge_commit,
            allow_rebase=self.allow_rebase_merge,
        )


class PermissionShape(Shape):
    """`repository-collaborator-permission`."""

    permission: str
    role_name: str = ""


class RuleShape(Shape):
    """`repository-rule-detailed`, of which only required checks are read."""

    class Parameters(Shape):
        """Of a rule of type required_status_checks."""

        class Required(Shape):
            """One required check."""

            context: str

        required_status_checks: tuple[Required, ...] = ()

    type: str
    parameters: Parameters | None = None


class BranchShape(Shape):
    """`branch-with-protection`."""

    class Protection(Shape):
        """What guards it."""

        class Checks(Shape):
            """What it requires."""

            contexts: tuple[str, ...] = ()

        required_status_checks: Checks | None = None

    protected: bool
    protection: Protection | None = None
