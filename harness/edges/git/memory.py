"""What git said about objects named by their ids: asked again, it would say the same."""

from __future__ import annotations

from collections.abc import Callable

from harness.edges.git.command import Ended

Question = tuple[object, ...]

MOST = 2_000  # answers
BIGGEST = 16_384  # bytes of an answer that is kept


class Memory:
    """Answers by question, the oldest forgotten first; threads may share it."""

    def __init__(self) -> None:
        self._known: dict[Question, Ended] = {}

    def ask(
        self, question: Question, run: Callable[[], Ended], lasts: Callable[[Ended], bool]
    ) -> Ended:
        """The answer as it is known, else as `run` gives it, kept where it lasts."""
        known = self._known.get(question)
        if known is not None:
            return known
        ended = run()
        if len(ended.out) <= BIGGEST and lasts(ended):
            self._known[question] = ended
            if len(self._known) > MOST:
                self._known.pop(next(iter(list(self._known))), None)
        return ended

    def forget(self) -> None:
        """Objects may have gone."""
        self._known.clear()
