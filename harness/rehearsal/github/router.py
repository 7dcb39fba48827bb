"""From method and path to a route; the path stays quoted until it is cut into its parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from harness.rehearsal.github.answers import Answer, Listing, not_found
from harness.rehearsal.github.call import Call, Route

PLACE = re.compile(r"\{(\w+)(\*?)\}")


@dataclass(frozen=True)
class _Compiled:
    method: str
    path: re.Pattern[str]
    handler: Callable[[Call], Answer | Listing]


class Router:
    """All operations; `{name}` is one part of a path, `{name*}` several."""

    def __init__(self, routes: tuple[Route, ...]) -> None:
        self._routes = [
            _Compiled(method, _pattern(path), handler) for method, path, handler in routes
        ]

    def find(
        self, method: str, path: str
    ) -> tuple[Callable[[Call], Answer | Listing], dict[str, str]]:
        """The handler and the unquoted parts of the path. Raises Refusal 404."""
        for route in self._routes:
            match = route.path.fullmatch(path)
            if match and route.method == method:
                return route.handler, {k: unquote(v) for k, v in match.groupdict().items()}
        raise not_found()


def _pattern(path: str) -> re.Pattern[str]:
    def place(found: re.Match[str]) -> str:
        return f"(?P<{found[1]}>{'.+' if found[2] else '[^/]+'})"

    return re.compile(PLACE.sub(place, path))
