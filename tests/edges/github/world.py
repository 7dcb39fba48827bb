"""A rehearsal forge with the edge on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from harness.edges.github.reading import GithubReading
from harness.edges.github.wire import Wire
from harness.edges.github.writing import GithubWriting
from harness.facts.intents import Intent, Precondition, Write
from harness.rehearsal.github import GithubDouble
from harness.rules.markers import mark_write

SLUG = "octo/demo"
TOKEN = "secret-token"


class KeptEtags:
    """What a store would keep."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[str, str]] = {}

    def etag(self, url: str) -> tuple[str, str] | None:
        return self.kept.get(url)

    def store_etag(self, url: str, etag: str, body: str) -> None:
        self.kept[url] = (etag, body)


@dataclass
class World:
    double: GithubDouble
    wire: Wire
    reading: GithubReading
    writing: GithubWriting
    statuses: list[tuple[str, str, int]] = field(default_factory=list)
    numbers: count[int] = field(default_factory=lambda: count(1))

    def intent(self, write: Write, needs: Precondition | None = None) -> Intent:
        """An intent made now, its body marked."""
        nonce = f"{next(self.numbers):032x}"
        at = self.writing.forge_time()
        return Intent(
            id=nonce,
            run_id="run",
            repo_id=1,
            item=1,
            purpose=nonce,
            write=mark_write(write, key=b"key", repo_id=1, nonce=nonce),
            needs=needs or Precondition(),
            why="a test wants it",
            nonce=nonce,
            forge_time=at,
            state="open",
            reason="",
            receipt=None,
            attempts=0,
            created_at=at,
        )


def connect(double: GithubDouble, token: str = TOKEN) -> World:
    wire = Wire(double.url, lambda: token, timeout=5)
    return World(double, wire, GithubReading(wire, SLUG), GithubWriting(wire, SLUG))
