"""The store: one SQLite file for all repositories, a module per family of tables."""

from harness.edges.store.family import NO_CAPS, WriteCaps
from harness.edges.store.store import SqliteStore

__all__ = ["NO_CAPS", "SqliteStore", "WriteCaps"]
