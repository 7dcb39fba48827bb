"""The GitHub double: a forge on loopback that keeps state as GitHub does, over real git."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from harness.rehearsal.github.control import PREFIX, control
from harness.rehearsal.github.credentials import Credentials
from harness.rehearsal.github.faults import Fault
from harness.rehearsal.github.forge import START, Forge
from harness.rehearsal.github.git_side import GitSide
from harness.rehearsal.github.handling import (
    Handling,
    Observer,
    Request,
    Response,
    without_prefix,
)
from harness.rehearsal.github.people import People
from harness.rehearsal.github.router import Router
from harness.rehearsal.github.routes import (
    apps,
    checks,
    code,
    comments,
    issues,
    labels,
    pulls,
    repositories,
    reviews,
    timelines,
)
from harness.rehearsal.github.server import Server
from harness.rehearsal.github.smart_http import is_git

LOGS = "/_logs/"
ROUTES = (
    *repositories.ROUTES,
    *comments.ROUTES,
    *issues.ROUTES,
    *labels.ROUTES,
    *timelines.ROUTES,
    *reviews.ROUTES,
    *pulls.ROUTES,
    *checks.ROUTES,
    *code.ROUTES,
)


class GithubDouble:
    """A rehearsal forge; bare repositories lie under `directory`, all else is in memory.

    `url` is what a GitHub client is given as its API address, `base` what git URLs begin with.
    """

    def __init__(
        self, directory: Path, *, host: str = "127.0.0.1", port: int = 0, start: datetime = START
    ) -> None:
        self.forge = Forge(directory, start=start)
        self.people = People(self.forge)
        self.credentials = Credentials(self.forge)
        router = Router((*ROUTES, *apps.routes(self.credentials)))
        self._handling = Handling(self.forge, router, self.credentials)
        self._git = GitSide(self.forge, self.credentials, self._handling)
        self._server = Server((host, port), self)
        self.forge.base = f"http://{host}:{self._server.server_port}"
        self._thread: threading.Thread | None = None

    @property
    def base(self) -> str:
        """`http://127.0.0.1:PORT`."""
        return self.forge.base

    @property
    def url(self) -> str:
        """The address of the API."""
        return f"{self.forge.base}/api/v3"

    def start(self) -> GithubDouble:
        """Serve from a thread."""
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()
        return self

    def serve_forever(self) -> None:
        """Serve from this thread."""
        self._server.serve_forever()

    def stop(self) -> None:
        """Stop serving and close the socket."""
        if self._thread is not None:
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()
        self._server.hang_up()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    # -- what tests and demos do to it -----------------------------------------------------------
    def observe(self, observer: Observer) -> None:
        """Show every exchange of the API to this callback."""
        self._handling.observers.append(observer)

    def fail(self, fault: Fault) -> Fault:
        """Switch a fault on."""
        with self.forge.lock:
            return self._handling.faults.switch_on(fault)

    def recover(self) -> None:
        """Switch all faults off."""
        with self.forge.lock:
            self._handling.faults.switch_off()

    def wait(self, seconds: float) -> None:
        """Let rehearsal time pass; late writes land."""
        with self.forge.lock:
            self._handling.pass_time(seconds)

    @property
    def writes(self) -> list[dict[str, object]]:
        """Every write that reached its route: method, path, status, body, at."""
        return self._handling.writes

    @property
    def pushes(self) -> list[str]:
        """`owner/name` of every push that git answered, in order."""
        return self._git.pushes

    # -- requests ----------------------------------------------------------------------------------
    def dispatch(self, request: Request) -> Response:
        """Answer one request, whatever part of the double it is for."""
        if request.path.startswith(PREFIX):
            return control(self._handling, self.people, request)
        if is_git(request.path):
            return self._git.answer(request)
        if request.path.startswith(LOGS):
            return self._answer_log(request.path.removeprefix(LOGS))
        return self._handling.handle(
            Request(
                request.method,
                without_prefix(request.path),
                request.query,
                request.headers,
                request.body,
            )
        )

    def _answer_log(self, place: str) -> Response:
        """What an Actions job printed, at an address that needs no credential."""
        with self.forge.lock:
            rows = [row for one in self.forge.repositories.values() for row in one.check_runs]
            text = next((row.log for row in rows if place.endswith(f"/{row.id}")), None)
        if text is None:
            return Response(404, (), b"")
        return Response(200, (("Content-Type", "text/plain; charset=utf-8"),), text.encode())


def serve(
    host: str,
    port: int,
    directory: Path,
    *,
    started: Callable[[GithubDouble], None] = lambda _double: None,
) -> None:
    """Run a double in this thread until it is stopped; `started` is told its address (port 0: any).

    Its people and faults are moved through the control endpoint.
    """
    double = GithubDouble(directory, host=host, port=port)
    started(double)
    double.serve_forever()
