"""Addresses and times as payloads write them."""

from __future__ import annotations

from base64 import b64encode
from datetime import datetime

from harness.rehearsal.github.rows import Repository

API = "/api/v3"


def when(at: datetime) -> str:
    """`2026-11-30T09:00:00Z`."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def when_or_none(at: datetime | None) -> str | None:
    """The same for what may not have happened yet."""
    return None if at is None else when(at)


def node_id(kind: str, number: int) -> str:
    """An opaque id that GraphQL takes."""
    return b64encode(f"{kind}:{number}".encode()).decode()


def api(base: str, path: str) -> str:
    """The REST address of a path."""
    return f"{base}{API}{path}"


def api_of(base: str, repository: Repository, path: str = "") -> str:
    """The REST address of something in a repository."""
    return api(base, f"/repos/{repository.slug}{path}")


def page_of(base: str, repository: Repository, path: str = "") -> str:
    """The address a person opens."""
    return f"{base}/{repository.slug}{path}"
