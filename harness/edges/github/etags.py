"""Answers kept for conditional requests, but for those that quote one of our secrets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.edges.github.wire import Etags


@dataclass(frozen=True)
class CleanEtags:
    """What is not kept is read anew each time; a masked answer would read otherwise than before."""

    kept: Etags
    quotes_ours: Callable[[str], bool]

    def etag(self, url: str) -> tuple[str, str] | None:
        return self.kept.etag(url)

    def store_etag(self, url: str, etag: str, body: str) -> None:
        if not self.quotes_ours(body):
            self.kept.store_etag(url, etag, body)
