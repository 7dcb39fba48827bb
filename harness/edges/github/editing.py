"""When a body was last edited, which only GraphQL tells (`lastEditedAt`; titles: the timeline)."""

from __future__ import annotations

import json
from datetime import datetime

from pydantic import Field, ValidationError

from harness.edges.github.shapes import Shape
from harness.edges.github.wire import Wire
from harness.errors import ForgeError

EDITED = """query Edited($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issueOrPullRequest(number: $number) {
    ... on Issue { lastEditedAt } ... on PullRequest { lastEditedAt } } } }"""


class _Edited(Shape):
    at: datetime | None = Field(alias="lastEditedAt")


def body_edited(wire: Wire, slug: str, number: int) -> datetime | None:
    """When the body of an issue or a pull request was last edited, None when never."""
    owner, _, name = slug.partition("/")
    variables = {"owner": owner, "name": name, "number": number}
    data = wire.graphql(f"the edits of {slug}#{number}", EDITED, variables)
    found = (data.get("repository") or {}).get("issueOrPullRequest")
    if found is None:
        raise ForgeError(f"{slug} has no number {number}", reason="gone", status=200)
    try:
        return _Edited.model_validate_json(json.dumps(found)).at
    except ValidationError:
        message = f"GitHub sent a strange lastEditedAt of {slug}#{number}"
        raise ForgeError(message, reason="unexpected", status=200) from None
