"""The model double: both vendors' APIs on one loopback port.

    with ModelDouble(Tale(on("review *", reply({...})))) as models:
        ...  # base_url = models.url, for either vendor

Other processes reach it by its address; the script, the faults and the record live here.
"""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

from harness.doors.clock import Clock
from harness.edges.clock import SystemClock
from harness.rehearsal.models.desk import Desk, Recorded
from harness.rehearsal.models.faults import Fault
from harness.rehearsal.models.http import Server
from harness.rehearsal.models.script import Script

_WINDOW = 1_000_000


class ModelDouble:
    """A context manager; `clock` says when cached prompts have lapsed and what Date is sent."""

    def __init__(
        self,
        script: Script,
        *,
        clock: Clock | None = None,
        port: int = 0,
        context_window: int = _WINDOW,
    ) -> None:
        self._desk = Desk(script, clock or SystemClock(), context_window)
        self._server = Server(port, self._desk)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, name="models"
        )

    @property
    def url(self) -> str:
        """The base URL for both vendors' SDKs."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def requests(self) -> tuple[Recorded, ...]:
        """Every request so far, oldest first."""
        return tuple(self._desk.recorded)

    def fail(
        self,
        fault: Fault,
        *,
        times: int = 1,
        headline: str = "*",
        model: str = "*",
        turn: int | None = None,
    ) -> None:
        """Let the next `times` questions that fit (globs, assistant turns so far) go wrong."""
        self._desk.faults.switch_on(fault, times=times, headline=headline, model=model, turn=turn)

    def lose_model(self, model: str) -> None:
        """From now on no key may ask this model."""
        self._desk.lost.add(model)

    def refuse_key(self, key: str) -> None:
        """From now on this key is nobody's."""
        self._desk.refused.add(key)

    def __enter__(self) -> Self:
        """Start to answer."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop, hang up, and leave no thread behind."""
        self._desk.stopping.set()
        self._server.shutdown()
        self._server.hang_up()
        self._server.server_close()
        self._thread.join()
