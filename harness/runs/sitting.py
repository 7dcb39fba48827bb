"""An exchange under way: its doors, its limits, and its journal as it is stored."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from harness.doors.clock import Clock
from harness.doors.notify import Progress
from harness.doors.store import Journal
from harness.doors.turns import Turns
from harness.doors.workbench import Bench
from harness.facts.journal import Ended, Ending, Exchange, JournalRow, Replied
from harness.facts.judgement import Judgement
from harness.facts.money import Caps, PriceList
from harness.facts.moves import Editor, ExchangeLimits, Finish, Held, Pause
from harness.facts.trees import Left
from harness.facts.turns import ReplySchema

logger = logging.getLogger(__name__)


@dataclass
class Sitting:
    """One exchange in one process; `rows` is its journal, read once and appended to in step."""

    exchange: Exchange
    rows: tuple[JournalRow, ...]
    store: Journal
    turns: Turns
    open_bench: Callable[[], Bench]
    judge: Callable[[str], Judgement]
    left: Callable[[], Left | None]
    clock: Clock
    caps: Caps
    prices: PriceList
    limits: ExchangeLimits
    reply: ReplySchema
    editor: Editor
    scrub: Callable[[str], str]
    progress: Progress

    def append(self, row: JournalRow) -> None:
        """Store a row (`asked` is stored with its reserve, by runs/paid_turn.py)."""
        self.store.append(self.exchange.id, row, self.clock.now())
        self.rows = (*self.rows, row)

    def end(self, finish: Finish) -> Held:
        """Store the ending and tell it."""
        ended = Ended(result=finish.ending, reason=finish.reason, not_before=finish.not_before)
        self.append(ended)
        logger.info("exchange %s ended %s: %s", self.exchange.id, finish.ending, finish.reason)
        return self.tell(finish.ending, finish.reason)

    def tell(self, ending: Ending, reason: str) -> Held:
        """How it came out, from the journal."""
        told = Held(exchange=self.store.exchange(self.exchange.id), ending=ending, reason=reason)
        replied = [row for row in self.rows if isinstance(row, Replied)]
        if ending is not Ending.REPLIED or not replied:
            return told
        last = replied[-1]
        return told.model_copy(
            update={"reply_text": last.text, "fallen": last.fallen, "left": last.left}
        )

    def pause(self, pause: Pause) -> Held:
        """Leave it open, and say why in the store."""
        self.store.rest(self.exchange.id, pause.reason)
        logger.info("exchange %s waits: %s", self.exchange.id, pause.reason)
        return Held(
            exchange=self.store.exchange(self.exchange.id),
            ending=None,
            reason=pause.reason,
            waiting_until=pause.not_before,
        )
