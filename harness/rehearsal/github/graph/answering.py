"""Executing a GraphQL request, with GitHub's errors: 200, and a `type` beside the message."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from harness.rehearsal.github.answers import Answer, Json, Refusal
from harness.rehearsal.github.graph.mutations import mutations
from harness.rehearsal.github.graph.queries import queries
from harness.rehearsal.github.graph.view import View

if TYPE_CHECKING:
    from graphql import GraphQLError, GraphQLSchema


@cache
def schema() -> GraphQLSchema:
    """GitHub's schema, cut to what the harness uses (see its head)."""
    from graphql import build_schema

    text = files("harness.rehearsal.github").joinpath("schema.graphql").read_text("utf-8")
    return build_schema(text)


def answer_graphql(view: View, given: Any) -> Answer:
    """Answer `{"query": ..., "variables": ...}`."""
    from graphql import graphql_sync

    if view.viewer is None:
        raise Refusal(401, "Requires authentication")
    if not isinstance(given, dict) or not isinstance(given.get("query"), str):
        raise Refusal(400, "A query attribute must be specified and must be a string.")
    result = graphql_sync(
        schema(),
        given["query"],
        root_value=queries(view) | mutations(view),
        variable_values=given.get("variables") or {},
    )
    payload: Json = {"data": result.data}
    if result.errors:
        payload["errors"] = [_told(error) for error in result.errors]
    return Answer(200, payload)


def _told(error: GraphQLError) -> Json:
    told: Json = dict(error.formatted)
    original = error.original_error
    if isinstance(original, Refusal):
        kinds = {404: "NOT_FOUND", 403: "FORBIDDEN", 422: "UNPROCESSABLE"}
        told["type"] = kinds.get(original.status, "UNPROCESSABLE")
        details = original.payload.get("errors") or []
        told["message"] = next((one for one in details if isinstance(one, str)), str(original))
    return told
