"""`setup` is run by one thread; whoever needs the same waits, and takes what came of it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from harness.errors import SetupFailed
from harness.facts.settings import RepoSettings
from harness.facts.workbench import Ran
from harness.runs.building import build_layers
from harness.runs.desk import Desk
from harness.runs.one_by_one import OneByOne

SHA = "a" * 40


@dataclass
class Bench:
    """Builds are begun, and end when both threads have found that there is no layer."""

    exit: int
    missed: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    made: set[str] = field(default_factory=set)
    builds: int = 0

    def layer(self, key: str) -> str | None:
        if key in self.made:
            return key
        self.missed.release()
        return None

    def build(self, _tree: object, _command: object, key: str) -> Ran:
        self.builds += 1
        for _ in range(3):  # the other thread has looked once, this one twice
            assert self.missed.acquire(timeout=20)
        if self.exit == 0:
            self.made.add(key)
        return Ran(exit=self.exit, output="", seconds=0.0, stopped_by="")


def desk_with(bench: Bench) -> Desk:
    nothing: Any = lambda *_: None  # noqa: E731 - whatever is asked, there is none
    return cast(
        "Desk",
        SimpleNamespace(
            choice=RepoSettings(name="ada/shop", setup="make ready"),
            repo=SimpleNamespace(slug="ada/shop"),
            repo_id=1,
            named=frozenset(),
            setups={},
            one_by_one=OneByOne(),
            trees=SimpleNamespace(read=nothing, share_tree=nothing),
            store=SimpleNamespace(build=nothing, record_build=nothing),
            clock=SimpleNamespace(now=nothing),
            progress=SimpleNamespace(step=nothing),
            notify=SimpleNamespace(call=nothing),
            workbench=bench,
        ),
    )


def test_two_threads_that_need_the_same_run_setup_once() -> None:
    bench = Bench(exit=0)
    desk = desk_with(bench)

    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(lambda _: build_layers(desk, SHA), range(2))

    assert bench.builds == 1
    assert one == two == tuple(bench.made)


def test_a_setup_that_failed_while_somebody_waited_is_not_run_again() -> None:
    bench = Bench(exit=4)
    desk = desk_with(bench)

    def build(_number: int) -> str:
        with pytest.raises(SetupFailed) as caught:
            build_layers(desk, SHA)
        return str(caught.value)

    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(build, range(2))

    assert bench.builds == 1
    assert one == two
