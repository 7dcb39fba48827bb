"""Git's requests of the rehearsal forge: judged, struck by faults, answered by git itself."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from harness.rehearsal.github.credentials import Credentials
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.handling import Handling, Request, Response
from harness.rehearsal.github.heads import follow_all
from harness.rehearsal.github.listing import Listings, is_listing
from harness.rehearsal.github.rows import Account, Repository
from harness.rehearsal.github.smart_http import refuse, repository_of, run_backend, token_of

PUSH = "git-receive-pack"
PROBE = b"0000"  # git asks so whether it may, before it sends much


@dataclass
class GitSide:
    """Fetches and pushes; a fault strikes a push only where it names `git-receive-pack`."""

    forge: Forge
    credentials: Credentials
    handling: Handling
    pushes: list[str] = field(default_factory=list)
    listings: dict[int, Listings] = field(default_factory=lambda: defaultdict(Listings))

    def answer(self, request: Request) -> Response:
        """Answer, or fail as a fault says."""
        token = token_of(request.headers.get("authorization", ""))
        writes = PUSH in request.path + request.query
        with self.forge.lock:
            account = self.credentials.of_token(token)
            repository = repository_of(self.forge, request.path)
            refused = refuse(self.forge, repository, account, writes=writes)
        if refused is not None or repository is None:
            assert refused is not None
            return Response(refused.status, refused.headers, refused.body)
        if writes and request.method == "POST" and request.body != PROBE:
            return self._push(repository, account, request)
        if is_listing(request.path, request.body):
            return self._list(repository, account, request)
        return _run(repository, account, request)

    def _list(self, repository: Repository, account: Account | None, request: Request) -> Response:
        headers = request.headers
        about = (request.query, headers.get("git-protocol", ""), request.body)
        asked = (request.method, request.path, *about)
        known = self.listings[repository.id]
        return known.ask(repository.bare, asked, lambda: _run(repository, account, request))

    def _push(self, repository: Repository, account: Account | None, request: Request) -> Response:
        def push() -> Response:
            answer = _run(repository, account, request)
            with self.forge.lock:
                self.pushes.append(repository.slug)
                follow_all(self.forge, account)
            return answer

        with self.forge.lock:
            fault = self.handling.faults.struck("POST", request.path, named=PUSH)
        if fault is None:
            return push()
        if fault.kind == "late":
            self.handling.do_later(fault.seconds, push)
        elif fault.kind.endswith("_after"):
            push()
        status = 0 if fault.kind.startswith("drop") else fault.status
        return Response(status, (), b"")


def _run(repository: Repository, account: Account | None, request: Request) -> Response:
    done = run_backend(
        repository,
        account,
        method=request.method,
        path=request.path,
        query=request.query,
        headers=request.headers,
        body=request.body,
    )
    return Response(done.status, done.headers, done.body)
