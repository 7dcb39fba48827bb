"""What other processes do to a store: `python other_process.py WORK PATH ...`."""

from __future__ import annotations

import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

from harness.edges.store import SqliteStore
from harness.facts.journal import Asked
from harness.facts.money import Caps, MicroDollars

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def wait_for_start() -> None:
    """Say that we are ready, and go when the test says so."""
    say("ready")
    sys.stdin.readline()


def start(path: Path) -> None:
    wait_for_start()
    SqliteStore.open(path).close()


def write_pairs(path: Path, name: str) -> None:
    store = SqliteStore.open(path)
    wait_for_start()
    for number in range(50):
        with store._records.writing():
            store.store_etag(f"{name}/{number}/left", "e", "")
            store.store_etag(f"{name}/{number}/right", "e", "")
    store.close()


def read(path: Path, url: str) -> None:
    store = SqliteStore.open(path)
    say((store.etag(url) or ("nothing", ""))[0])
    store.close()


def die_half_way(path: Path) -> None:
    store = SqliteStore.open(path)
    store.store_etag("before", "e", "")
    with store._records.writing():
        store.store_etag("half", "e", "")
        os.kill(os.getpid(), signal.SIGKILL)


def hold(path: Path, key: str) -> None:
    store = SqliteStore.open(path)
    lease = store.claim(key, NOON)
    say(str(lease.epoch) if lease else "none")
    sys.stdin.readline()


def ask(path: Path, exchange_id: str, bound: int, cap: int) -> None:
    store = SqliteStore.open(path)
    caps = Caps(exchange=cap, item=cap, repo_day=cap, day=cap)
    asked = Asked(n=1, bound=MicroDollars(bound), max_tokens=8_000)
    wait_for_start()
    say(store.ask(exchange_id, asked, caps, "2026-11-30", NOON))
    sys.stdin.readline()


def main(work: str, path: str, *rest: str) -> None:
    match work:
        case "start":
            start(Path(path))
        case "write_pairs":
            write_pairs(Path(path), rest[0])
        case "read":
            read(Path(path), rest[0])
        case "die_half_way":
            die_half_way(Path(path))
        case "hold":
            hold(Path(path), rest[0])
        case "ask":
            ask(Path(path), rest[0], int(rest[1]), int(rest[2]))
        case _:
            raise ValueError(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
