"""The log of what works, in the state directory, without secrets; a file per day."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from harness.cli.console import visible
from harness.wiring import House


@contextmanager
def logged(house: House) -> Iterator[Path]:
    """While this is entered, all that the harness logs goes to the file."""
    path = house.state / "log" / f"{datetime.now().astimezone():%Y-%m-%d}.log"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    handler = _open_log(path, house.mask)
    root = logging.getLogger("harness")
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    root.propagate = False
    try:
        yield path
    finally:
        root.removeHandler(handler)
        handler.close()


def _open_log(path: Path, mask: Callable[[str], str]) -> logging.Handler:
    path.touch(mode=0o600)
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(_Masked("%(asctime)s %(levelname)s %(name)s: %(message)s", mask))
    return handler


class _Masked(logging.Formatter):
    """A log line, tracebacks included, without secrets and without what steers a terminal."""

    def __init__(self, form: str, mask: Callable[[str], str]) -> None:
        super().__init__(form)
        self._mask = mask

    def format(self, record: logging.LogRecord) -> str:
        """The whole line, masked."""
        return self._mask(visible(super().format(record)))
