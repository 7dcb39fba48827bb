"""The queries: viewer, repository, node, rateLimit."""

from __future__ import annotations

from harness.rehearsal.github.answers import Json, Refusal
from harness.rehearsal.github.graph import objects
from harness.rehearsal.github.graph.finding import find_node
from harness.rehearsal.github.graph.view import Resolver, View, unknown
from harness.rehearsal.github.shown.addresses import when


def queries(view: View) -> dict[str, Resolver]:
    """Resolvers of the root query."""

    def viewer(_info: object) -> Json | None:
        return view.actor(view.viewer)

    def repository(
        _info: object,
        owner: str,
        name: str,
        followRenames: bool = True,  # noqa: N803 - GitHub's name
    ) -> Json:
        slug = f"{owner}/{name}"
        found = view.forge.repository(slug)
        if found is None and followRenames:
            found = view.forge.repositories.get(view.forge.moved.get(slug.casefold(), 0))
        if found is None or view.forge.role(found, view.viewer) == "none":
            message = f"Could not resolve to a Repository with the name '{slug}'."
            raise Refusal(404, message)
        return objects.show_repository(view, found)

    def node(_info: object, id: str) -> Json:  # noqa: A002 - GitHub's name
        found = find_node(view, id)
        if found is None:
            raise unknown(id)
        return found.show()

    def rate_limit(_info: object, **_ignored: object) -> Json:
        reset = when(view.forge.now.replace(microsecond=0))
        return {"cost": 1, "limit": 5000, "remaining": 4999, "resetAt": reset}

    return {"viewer": viewer, "repository": repository, "node": node, "rateLimit": rate_limit}
