"""Git: mirror, work trees, what agents leave, commits, diffs, pushes."""

from harness.edges.git.push import GitPushing
from harness.edges.git.repository import GitTrees

__all__ = ["GitPushing", "GitTrees"]
