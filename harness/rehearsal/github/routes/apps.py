"""What an App asks as itself: who it is, where it is installed, tokens."""

from __future__ import annotations

from collections.abc import Callable

from harness.rehearsal.github.answers import Answer, Json, Listing, not_found
from harness.rehearsal.github.call import Call, Route, ok
from harness.rehearsal.github.credentials import App, Credentials
from harness.rehearsal.github.shown.addresses import api, when
from harness.rehearsal.github.shown.history import show_app
from harness.rehearsal.github.shown.people import show_account
from harness.rehearsal.github.shown.repositories import show_repository

PERMISSIONS = {
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "metadata": "read",
    "pull_requests": "write",
    "statuses": "write",
    "actions": "read",
}


def routes(credentials: Credentials) -> tuple[Route, ...]:
    """The routes, which need to know the Apps."""
    own = _Own(credentials)
    return (
        ("GET", "/app", own.show),
        ("GET", "/app/installations", own.list_installations),
        ("GET", "/app/installations/{installation_id}", own.show_installation),
        ("POST", "/app/installations/{installation_id}/access_tokens", own.make_token),
        ("GET", "/repos/{owner}/{repo}/installation", own.find_installation),
        ("GET", "/installation/repositories", own.list_repositories),
    )


class _Own:
    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials

    def _app(self, call: Call) -> App:
        return self._credentials.app(call.headers.get("authorization", ""))

    def show(self, call: Call) -> Answer:
        """GET /app."""
        app = self._app(call)
        return ok(show_app(call.forge, app.slug) | {"id": app.id})

    def list_installations(self, call: Call) -> Listing:
        """GET /app/installations."""
        app = self._app(call)
        return Listing([app], self._shower(call))

    def show_installation(self, call: Call) -> Answer:
        """GET /app/installations/{id}."""
        return ok(self._shower(call)(self._installed(call)))

    def find_installation(self, call: Call) -> Answer:
        """GET ~/installation."""
        app = self._app(call)
        if call.forge.repository(f"{call.path['owner']}/{call.path['repo']}") is None:
            raise not_found()
        return ok(self._shower(call)(app))

    def make_token(self, call: Call) -> Answer:
        """POST /app/installations/{id}/access_tokens."""
        app = self._installed(call)
        token, expires_at = self._credentials.issue(app)
        shown: Json = {
            "token": token,
            "expires_at": when(expires_at),
            "permissions": PERMISSIONS,
            "repository_selection": "all",
        }
        return Answer(201, shown)

    def list_repositories(self, call: Call) -> Listing:
        """GET /installation/repositories."""
        assert call.user.kind == "Bot"
        rows = list(call.forge.repositories.values())
        return Listing(
            rows, lambda one: show_repository(call.forge, one, call.account), wrap="repositories"
        )

    def _installed(self, call: Call) -> App:
        app = self._app(call)
        if call.number("installation_id") != app.installation:
            raise not_found()
        return app

    @staticmethod
    def _shower(call: Call) -> Callable[[App], Json]:
        forge = call.forge

        def show(app: App) -> Json:
            url = api(forge.base, f"/app/installations/{app.installation}")
            return {
                "id": app.installation,
                "account": show_account(forge.base, app.owner),
                "repository_selection": "all",
                "access_tokens_url": f"{url}/access_tokens",
                "repositories_url": api(forge.base, "/installation/repositories"),
                "html_url": f"{forge.base}/settings/installations/{app.installation}",
                "app_id": app.id,
                "app_slug": app.slug,
                "target_id": app.owner.id,
                "target_type": "Organization",
                "permissions": PERMISSIONS,
                "events": [],
                "created_at": when(forge.stamp),
                "updated_at": when(forge.stamp),
                "single_file_name": None,
                "suspended_by": None,
                "suspended_at": None,
            }

        return show
