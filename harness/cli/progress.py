"""What happens now, on stderr: one live line per item on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self

from harness.cli.console import tell, visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.live import Live
    from rich.table import Table


class Shown(Protocol):
    """A progress that is entered while work goes on."""

    def step(self, item: int, text: str, *, round_: int = 0) -> None: ...

    def spent(self, item: int, tokens: int, micro_dollars: int) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


@dataclass
class _Line:
    """What is known of one item."""

    began: float
    text: str = ""
    round_: int = 0
    tokens: int = 0
    micro_dollars: int = 0

    def told(self) -> str:
        """Elapsed time, tokens and money, in one phrase."""
        seconds = int(time.monotonic() - self.began)
        clock = f"{seconds // 60}:{seconds % 60:02d}"
        return f"{clock}  {self.tokens:,} tokens  ${self.micro_dollars / 1_000_000:.2f}"


@dataclass
class _Lines:
    """All items; several threads write, so each change is made under the lock."""

    mask: Callable[[str], str]
    lines: dict[int, _Line] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def step(self, item: int, text: str, round_: int) -> _Line:
        with self.lock:
            line = self.lines.setdefault(item, _Line(time.monotonic()))
            line.text, line.round_ = self.mask(" ".join(visible(text).split())), round_
            return line

    def spent(self, item: int, tokens: int, micro_dollars: int) -> None:
        with self.lock:
            line = self.lines.setdefault(item, _Line(time.monotonic()))
            line.tokens += tokens
            line.micro_dollars += micro_dollars


class PlainProgress:
    """One line per step."""

    def __init__(self, mask: Callable[[str], str]) -> None:
        self._all = _Lines(mask)

    def step(self, item: int, text: str, *, round_: int = 0) -> None:
        """Print what begins."""
        line = self._all.step(item, text, round_)
        tell(f"{_where(item, round_)}{line.text}  ({line.told()})")

    def spent(self, item: int, tokens: int, micro_dollars: int) -> None:
        """Count; it is printed with the next step."""
        self._all.spent(item, tokens, micro_dollars)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing stays behind."""


class QuietProgress:
    """Says nothing (-q)."""

    def step(self, item: int, text: str, *, round_: int = 0) -> None:
        """Say nothing."""

    def spent(self, item: int, tokens: int, micro_dollars: int) -> None:
        """Say nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing stays behind."""


class LiveProgress:
    """A table that is drawn again as things happen, and stays as the last state."""

    def __init__(self, mask: Callable[[str], str]) -> None:
        from rich.console import Console
        from rich.live import Live as Drawn

        self._all = _Lines(mask)
        self._live: Live = Drawn(
            console=Console(stderr=True),
            get_renderable=self._table,
            refresh_per_second=4,
        )

    def step(self, item: int, text: str, *, round_: int = 0) -> None:
        """Show what begins."""
        self._all.step(item, text, round_)

    def spent(self, item: int, tokens: int, micro_dollars: int) -> None:
        """Add to the item's counts."""
        self._all.spent(item, tokens, micro_dollars)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def _table(self) -> Table:
        from rich.table import Table
        from rich.text import Text

        table = Table.grid(padding=(0, 2))
        with self._all.lock:
            for item, line in sorted(self._all.lines.items()):
                told = (_where(item, line.round_).strip(), line.text, line.told())
                table.add_row(*map(Text, told))
        return table


def make_progress(*, quiet: bool, mask: Callable[[str], str]) -> Shown:
    """The progress that fits where stderr goes; `mask` takes secrets out of what it shows."""
    if quiet:
        return QuietProgress()
    return LiveProgress(mask) if sys.stderr.isatty() else PlainProgress(mask)


def _where(item: int, round_: int) -> str:
    number = f"#{item} " if item else ""
    return f"{number}round {round_}: " if round_ else f"{number}"
