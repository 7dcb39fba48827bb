"""Every write to the outside, exactly once: intent, attempt, read back, receipt.

    open ── preconditions gone ─────────────────────────────> dropped (until they hold again)
      │
      ├─ first attempt ── answered ── read back ────────────> delivered
      │       └─ in doubt (timeout, 5xx, kill) ── read back twice, 10 s and 40 s after
      │               ├─ it is there ───────────────────────> delivered
      │               └─ it is not: once more, if it still may
      ├─ the forge says no: nothing happened ───────────────> refused (a later run may ask again)
      ├─ still in doubt, and of its kind there could be two ─> stopped; InDoubt asks a person, and
      │                                                       once one acted it is looked for anew
      ├─ still in doubt, and there is only ever one: stays open; ForgeError, a later run goes on
      └─ a limit, or the credential is refused: stays open, not counted; ForgeError

The intent is stored before anything is sent, so a kill at any instant is a doubt, not a loss.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from uuid import uuid4

from harness.doors.clock import Clock
from harness.doors.pace import Pace
from harness.doors.store import Store
from harness.doors.writing import Writing
from harness.errors import DoorError, ForgeError, GitError, InDoubt
from harness.facts.intents import EditComment, Intent, Merge, Precondition, Receipt, Write
from harness.rules.doubt import is_safe_again
from harness.rules.markers import strip_marker
from harness.rules.undo import is_over

logger = logging.getLogger(__name__)

FIRST_LOOK = 10.0  # seconds after doubt; see docs/decisions on reading back
SECOND_LOOK = 30.0  # seconds more
MOST_ATTEMPTS = 2


@dataclass(frozen=True)
class Outbox:
    """Delivers the writes of one repository for one run."""

    store: Store
    writing: Writing
    clock: Clock
    pace: Pace
    dress: Callable[[Write, str], Write]
    """Passes every text through the one gateway and puts the hidden marker in (write, nonce)."""

    def write(
        self,
        *,
        run_id: str,
        repo_id: int,
        item: int,
        purpose: str,
        write: Write,
        why: str,
        needs: Precondition | None = None,
    ) -> Intent:
        """Make this write unless it was made before; returns its settled intent.

        Raises ForgeError while the forge cannot be written to, and then the intent stays open;
        InDoubt when only a person can tell whether it happened.
        """
        intent = self._open(run_id, repo_id, item, purpose, write, why, needs or Precondition())
        intent = self._look_after_person(intent)
        again = 2
        while self._is_over(intent, run_id):
            renewed = f"{purpose}#{again}"
            intent = self._open(run_id, repo_id, item, renewed, write, why, needs or Precondition())
            again += 1
        return self.finish(intent)

    def _open(
        self,
        run_id: str,
        repo_id: int,
        item: int,
        purpose: str,
        write: Write,
        why: str,
        needs: Precondition,
    ) -> Intent:
        nonce = uuid4().hex
        return self.store.open_intent(
            Intent(
                id=uuid4().hex,
                run_id=run_id,
                repo_id=repo_id,
                item=item,
                purpose=purpose,
                write=self.dress(write, nonce),
                needs=needs,
                why=why,
                nonce=nonce,
                forge_time=self.writing.forge_time(),
                state="open",
                reason="",
                receipt=None,
                attempts=0,
                created_at=self.clock.now(),
            )
        )

    def says_the_same(self, write: EditComment, last: str) -> bool:
        """Whether an edit would change nothing that a reader sees."""
        dressed = self.dress(write, "0" * 32)
        assert isinstance(dressed, EditComment)
        return strip_marker(dressed.body) == strip_marker(last)

    def finish(self, intent: Intent) -> Intent:
        """Bring an open intent to its end; a settled one is returned as it is."""
        if intent.state == "stopped":
            raise _in_doubt(intent)
        if intent.state != "open":
            return intent
        found = self._look_twice(intent) if intent.attempts else None
        if found:
            return self._settle(intent, "delivered", "found after doubt", found)
        before = 0 if is_safe_again(intent.write) else intent.attempts
        for _ in range(before, MOST_ATTEMPTS):
            gone = self.writing.unmet(intent)
            if gone:
                return self._settle(intent, "dropped", gone, None)
            settled = self._attempt(intent)
            if settled is not None:
                return settled
        return self._give_in(intent)

    def _give_in(self, intent: Intent) -> Intent:
        """It was not found after as many attempts as may be made. Always raises."""
        if is_safe_again(intent.write):
            what = f"{intent.write.kind} for item {intent.item} did not come to pass"
            raise ForgeError(f"{what}; it is tried again later", reason="unreachable")
        raise _in_doubt(self._settle(intent, "stopped", "the forge does not tell", None))

    def give_up(self, intent: Intent, reason: str) -> Intent:
        """An open intent that must not be made any more: delivered if it happened, else dropped."""
        found = self._look_twice(intent) if intent.attempts else None
        if found:
            return self._settle(intent, "delivered", "found after doubt", found)
        return self._settle(intent, "dropped", reason, None)

    def finish_open(self, repo_id: int, item: int | None = None) -> None:
        """Finish what an earlier run left open; a merge only as far as it is settled already.

        Nothing takes a merge back, and what people did since the run ended is not looked at here:
        whoever wants it still writes it again, and then it is finished.
        """
        for intent in self.store.open_intents(repo_id, item):
            if isinstance(intent.write, Merge):
                self._settle_known(intent)
            else:
                self.finish(intent)

    def _settle_known(self, intent: Intent) -> None:
        """Note that it happened, or that it cannot any more."""
        found = self.writing.read_back(intent) if intent.attempts else None
        if found:
            self._settle(intent, "delivered", "found after doubt", found)
        elif gone := self.writing.unmet(intent):
            self._settle(intent, "dropped", gone, None)

    def _is_over(self, intent: Intent, run_id: str) -> bool:
        """Whether nothing of an earlier run's write stands, and nothing stands against it now."""
        if intent.run_id == run_id:
            return False
        match intent.state:
            case "refused":
                return True
            case "dropped" if not self.writing.unmet(intent):
                return True
            case "stopped" if not self._is_asked(intent):
                return True
        undone = {one.run_id for one in self.store.undone(intent.repo_id, intent.item)}
        return bool(undone) and is_over(
            intent, self.store.intents(intent.repo_id, intent.item), undone
        )

    def _is_asked(self, intent: Intent) -> bool:
        """Whether a person is asked about this item and has not acted since."""
        return self.store.person_called(intent.repo_id, intent.item) is not None

    def _look_after_person(self, intent: Intent) -> Intent:
        """What was in doubt is looked for once more when a person who was asked has acted."""
        if intent.state != "stopped" or self._is_asked(intent):
            return intent
        found = self.writing.read_back(intent)
        if not found:
            return intent
        return self._settle(intent, "delivered", "found after a person looked", found)

    def _attempt(self, intent: Intent) -> Intent | None:
        """One attempt; None when it is in doubt and was not found."""
        with self.pace.turn():
            self.store.attempt_intent(intent.id, self.clock.now())
            try:
                receipt = self.writing.deliver(intent)
            except ForgeError as error:
                if error.reason in {"rate_limited", "unauthorised"}:
                    self.store.turn_away(intent.id)
                    raise
                failed: ForgeError | GitError | None = error
            except GitError as error:
                failed = error
            else:
                failed = None
        if failed is not None:
            return self._after_error(intent, failed)
        return self._settle(intent, "delivered", "", self._confirm(intent) or receipt)

    def _after_error(self, intent: Intent, error: ForgeError | GitError) -> Intent | None:
        if isinstance(error, ForgeError) and not error.may_have_happened:
            found = self.writing.read_back(intent)
            if found:
                return self._settle(intent, "delivered", "it was there already", found)
            return self._settle(intent, "refused", str(error), None)
        found = self._look_twice(intent)
        if found:
            return self._settle(intent, "delivered", "found after doubt", found)
        logger.warning("%s for item %d in doubt: %s", intent.write.kind, intent.item, error)
        return None

    def _look_twice(self, intent: Intent) -> Receipt | None:
        """Look 10 s and 40 s after the doubt began; an error leaves the intent open."""
        for seconds in (FIRST_LOOK, SECOND_LOOK):
            self.clock.wait(seconds)
            found = self.writing.read_back(intent)
            if found:
                return found
        return None

    def _confirm(self, intent: Intent) -> Receipt | None:
        """Read back after a clear yes; the yes stands where the look fails."""
        try:
            return self.writing.read_back(intent)
        except DoorError as error:
            logger.warning("reading back %s failed: %s", intent.write.kind, error)
            return None

    def _settle(
        self,
        intent: Intent,
        state: Literal["delivered", "dropped", "refused", "stopped"],
        reason: str,
        receipt: Receipt | None,
    ) -> Intent:
        logger.info("%s for item %d: %s %s", intent.write.kind, intent.item, state, reason)
        return self.store.settle_intent(intent.id, state, reason, receipt, self.clock.now())


def _in_doubt(intent: Intent) -> InDoubt:
    what = f"{intent.write.kind.replace('_', ' ')} for item {intent.item}"
    return InDoubt(
        f"GitHub does not tell whether this write happened: {what} ({intent.why}). "
        "Look there, then say so in a comment",
        reason="unexpected",
    )
