"""Labels and assignees."""

from __future__ import annotations

from harness.rehearsal.github import deeds
from harness.rehearsal.github.answers import Answer, Listing, invalid, not_found
from harness.rehearsal.github.call import Call, Route, created, ok
from harness.rehearsal.github.routes.issues import whole
from harness.rehearsal.github.shown.repositories import show_label


def list_labels(call: Call) -> Listing:
    """GET ~/issues/{n}/labels."""
    repository = call.repository()
    item = call.item(repository)
    rows = [repository.labels[name] for name in item.labels if name in repository.labels]
    return Listing(rows, lambda row: show_label(call.forge.base, repository, row))


def add_labels(call: Call) -> Answer | Listing:
    """POST ~/issues/{n}/labels, an object or a bare list; missing labels are made."""
    repository = call.repository("triage")
    item = call.item(repository)
    for name in _label_names(call):
        deeds.put_label(call.forge, repository, item, call.user, name)
    return list_labels(call)


def set_labels(call: Call) -> Answer | Listing:
    """PUT ~/issues/{n}/labels."""
    repository = call.repository("triage")
    item = call.item(repository)
    deeds.set_labels(call.forge, repository, item, call.user, _label_names(call))
    return list_labels(call)


def _label_names(call: Call) -> list[str]:
    given = call.body if isinstance(call.body, list) else call.given("labels")
    if not isinstance(given, list):
        raise invalid("Label", "missing_field", "labels")
    return [one["name"] if isinstance(one, dict) else str(one) for one in given]


def remove_label(call: Call) -> Answer | Listing:
    """DELETE ~/issues/{n}/labels/{name}: 404 when it is not on the item."""
    repository = call.repository("triage")
    item = call.item(repository)
    if not deeds.take_label(call.forge, item, call.user, call.path["name"]):
        raise not_found("Label does not exist")
    return list_labels(call)


def list_repository_labels(call: Call) -> Listing:
    """GET ~/labels."""
    repository = call.repository()
    rows = sorted(repository.labels.values(), key=lambda row: row.name)
    return Listing(rows, lambda row: show_label(call.forge.base, repository, row))


def create_label(call: Call) -> Answer:
    """POST ~/labels."""
    repository = call.repository("triage")
    name = call.text("name", "Label", 50)
    color, text = call.given("color") or "ededed", call.given("description")
    row = deeds.make_label(call.forge, repository, name, color, text)
    return created(show_label(call.forge.base, repository, row))


def show_a_label(call: Call) -> Answer:
    """GET ~/labels/{name}."""
    repository = call.repository()
    row = deeds.find_label(repository, call.path["name"])
    if row is None:
        raise not_found()
    return ok(show_label(call.forge.base, repository, row))


def add_assignees(call: Call) -> Answer:
    """POST ~/issues/{n}/assignees."""
    repository = call.repository("triage")
    item = call.item(repository)
    for login in call.given("assignees") or []:
        deeds.assign(call.forge, repository, item, call.user, login)
    return created(whole(call, repository, item))


def remove_assignees(call: Call) -> Answer:
    """DELETE ~/issues/{n}/assignees."""
    repository = call.repository("triage")
    item = call.item(repository)
    for login in call.given("assignees") or []:
        deeds.unassign(call.forge, item, call.user, login)
    return ok(whole(call, repository, item))


ISSUE = "/repos/{owner}/{repo}/issues"
ROUTES: tuple[Route, ...] = (
    ("GET", f"{ISSUE}/{{issue_number}}/labels", list_labels),
    ("POST", f"{ISSUE}/{{issue_number}}/labels", add_labels),
    ("PUT", f"{ISSUE}/{{issue_number}}/labels", set_labels),
    ("DELETE", f"{ISSUE}/{{issue_number}}/labels/{{name}}", remove_label),
    ("POST", f"{ISSUE}/{{issue_number}}/assignees", add_assignees),
    ("DELETE", f"{ISSUE}/{{issue_number}}/assignees", remove_assignees),
    ("GET", "/repos/{owner}/{repo}/labels", list_repository_labels),
    ("POST", "/repos/{owner}/{repo}/labels", create_label),
    ("GET", "/repos/{owner}/{repo}/labels/{name}", show_a_label),
)
