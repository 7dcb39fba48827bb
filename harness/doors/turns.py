"""Asking an LLM once."""

from __future__ import annotations

from typing import Protocol

from harness.facts.turns import Conversation, Turn


class Turns(Protocol):
    """One request to a vendor. No retries inside; raises VendorError with partial usage."""

    def ask(self, conversation: Conversation) -> Turn: ...

    def find_model(self, model: str) -> None:
        """Raise VendorError where this key may not ask this LLM; free, and soon over."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...

    def input_bound(self, conversation: Conversation) -> int:
        """An upper bound of the input tokens of this request, computed locally from its bytes."""
        ...
