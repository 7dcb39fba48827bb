"""The rehearsal forge as one viewer sees it through GraphQL: ids, connections, people."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from harness.rehearsal.github.answers import Json, Refusal
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.rows import Account

Resolver = Callable[..., Any]


@dataclass(frozen=True)
class View:
    """What resolvers are given."""

    forge: Forge
    viewer: Account | None

    def actor(self, account: Account | None) -> Json | None:
        """User or Bot; GraphQL names a Bot without `[bot]`."""
        if account is None:
            return None
        return {
            "__typename": "Bot" if account.kind == "Bot" else "User",
            "login": account.login.removesuffix("[bot]"),
            "databaseId": account.id,
            "id": node(account.kind, account.id),
        }


def node(kind: str, number: int) -> str:
    """A global id."""
    return b64encode(f"{kind}:{number}".encode()).decode()


def unnode(text: str) -> tuple[str, int]:
    """What a global id stands for. Raises Refusal 404 in GitHub's words."""
    try:
        kind, _, number = b64decode(text, validate=True).decode().partition(":")
        return kind, int(number)
    except ValueError:
        raise unknown(text) from None


def unknown(text: str) -> Refusal:
    """No such node."""
    return Refusal(404, f"Could not resolve to a node with the global id of '{text}'.")


def connection(rows: Sequence[Any], show: Callable[[Any], Json]) -> Resolver:
    """A resolver for a connection; cursors are places in the list."""

    def resolve(
        _info: object,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        **_ignored: object,
    ) -> Json:
        if (first or last) is None:
            raise Refusal(422, "You must provide a `first` or `last` value to properly paginate.")
        start = int(b64decode(after)) if after else 0
        if last is not None and first is None:
            start = max(len(rows) - last, 0)
        end = min(start + (first if first is not None else len(rows)), len(rows))
        cursor = b64encode(str(end).encode()).decode() if rows else None
        return {
            "nodes": [show(row) for row in rows[start:end]],
            "totalCount": len(rows),
            "pageInfo": {"hasNextPage": end < len(rows), "endCursor": cursor},
        }

    return resolve
