"""Lists in pages, with GitHub's Link headers."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlencode

from harness.rehearsal.github.answers import Answer, Listing
from harness.rehearsal.github.call import Call
from harness.rehearsal.github.shown.addresses import API


def cut_page(call: Call, listing: Listing, rest_path: str, lag: float) -> Answer:
    """One page of a list; rows younger than `lag` seconds are not there yet.

    The links name `/repositories/{id}/...`, as GitHub's own do, where a repository is meant.
    """
    rows = list(listing.rows)
    if lag and listing.stamp:
        edge = call.forge.now - timedelta(seconds=lag)
        stamps = [(row, listing.stamp(row)) for row in rows]
        rows = [row for row, stamp in stamps if stamp is None or stamp <= edge]
    size = min(max(_number(call.query.get("per_page"), 30), 1), 100)
    page = max(_number(call.query.get("page"), 1), 1)
    last = max((len(rows) + size - 1) // size, 1)
    shown = [listing.show(row) for row in rows[(page - 1) * size : page * size]]
    payload = {"total_count": len(rows), listing.wrap: shown} if listing.wrap else shown
    links = []
    if page < last:
        links = [("next", page + 1), ("last", last)]
    if page > 1:
        links += [("prev", page - 1), ("first", 1)]
    path = _by_id(call, rest_path)
    text = ", ".join(f'<{_address(call, path, size, to)}>; rel="{rel}"' for rel, to in links)
    return Answer(200, payload, headers={"Link": text} if text else {})


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdigit() else default


def _by_id(call: Call, path: str) -> str:
    match path.split("/", 4):
        case ["", "repos", owner, name, rest]:
            found = call.forge.repository(f"{owner}/{name}")
            return f"/repositories/{found.id}/{rest}" if found else path
    return path


def _address(call: Call, path: str, size: int, page: int) -> str:
    query = call.query | {"per_page": str(size), "page": str(page)}
    return f"{call.forge.base}{API}{path}?{urlencode(query)}"
