"""What git lists of a repository: asked again while no ref has moved, the answer is the same."""

from __future__ import annotations

from collections.abc import Callable

from harness.rehearsal.github.bare import Bare
from harness.rehearsal.github.handling import Response

Asked = tuple[str | bytes, ...]
_Refs = tuple[str, dict[str, str]]  # HEAD, all others

_LIST = b"command=ls-refs"


def is_listing(path: str, body: bytes) -> bool:
    """Whether a request asks for refs, or for what this git can do, and for no object."""
    return path.endswith("/info/refs") or _LIST in body


class Listings:
    """Answers of one repository, for as long as its refs stay."""

    def __init__(self) -> None:
        self._refs: _Refs = ("", {})
        self._known: dict[Asked, Response] = {}

    def ask(self, bare: Bare, asked: Asked, run: Callable[[], Response]) -> Response:
        """The answer as it is known, else as `run` gives it."""
        refs = (bare.head(), bare.refs())
        if refs != self._refs:
            self._refs, self._known = refs, {}
        known = self._known
        if asked not in known:
            known[asked] = run()
        return known[asked]
