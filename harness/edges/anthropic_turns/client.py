"""One question to Anthropic, by its SDK."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from harness.doors.clock import Clock
from harness.edges.anthropic_turns.errors import VENDOR, status_failure
from harness.edges.anthropic_turns.stream import MessageStream
from harness.edges.anthropic_turns.wire import render, rendered_bytes
from harness.edges.connecting import TIMEOUTS, Kept, Timeouts, connection
from harness.edges.hearing import hear, translated
from harness.edges.vendor import read_model
from harness.facts.turns import Conversation, Tools, Turn

if TYPE_CHECKING:
    from anthropic import Anthropic

_API = "https://api.anthropic.com"
_UNSEEN = 2_000  # tokens that the vendor adds for thinking, tools and formats, on the safe side


class AnthropicTurns:
    """Satisfies `doors.turns.Turns`; `key` is asked for the API key at each question."""

    def __init__(
        self,
        key: Callable[[], str],
        base_url: str = "",
        *,
        clock: Clock,
        timeouts: Timeouts = TIMEOUTS,
    ) -> None:
        self._base_url = base_url or _API
        self._clock = clock
        self._timeouts = timeouts
        self._kept = Kept(VENDOR, key, self._make)

    def input_bound(self, conversation: Conversation) -> int:
        """No token is shorter than a byte; what the vendor adds unseen is allowed for."""
        return rendered_bytes(conversation) + _UNSEEN

    def ask(self, conversation: Conversation) -> Turn:
        """One streamed request; the SDK neither retries nor reads the environment."""
        stream = MessageStream()
        client: Any = self._kept.client()  # Any: the body is a dict, the overloads want literals
        with self._translated(stream):
            create = client.messages.with_streaming_response.create
            with create(**render(conversation), stream=True) as response:
                whole = self._timeouts.whole
                hear(response.iter_bytes(), stream, self._clock, vendor=VENDOR, seconds=whole)
                request_id = response.headers.get("request-id", "")
            return stream.turn(request_id, alone=conversation.tools is Tools.NOTHING)

    def find_model(self, model: str) -> None:
        """One request that costs nothing."""
        with self._translated(MessageStream()):
            retrieve = self._kept.client().models.with_streaming_response.retrieve
            with retrieve(model, timeout=self._timeouts.look) as response:
                read_model(response.iter_bytes(), self._clock, VENDOR, self._timeouts.look)

    def close(self) -> None:
        """Close the connections."""
        self._kept.close()

    @contextmanager
    def _translated(self, stream: MessageStream) -> Iterator[None]:
        import anthropic

        cut, other = anthropic.APIConnectionError, anthropic.AnthropicError
        with translated(stream, vendor=VENDOR, cut=cut, other=other):
            try:
                yield
            except anthropic.APIStatusError as error:
                raise status_failure(error, self._clock) from error

    def _make(self, key: str) -> Anthropic:
        import anthropic

        way = connection(self._base_url, self._timeouts)
        client = anthropic.Anthropic(
            api_key=key,
            base_url=self._base_url,
            max_retries=0,
            timeout=way["timeout"],
            open_telemetry=False,
            http_client=anthropic.DefaultHttpxClient(**way),
        )
        client._custom_headers = {}  # noqa: SLF001 - ANTHROPIC_CUSTOM_HEADERS is merged in, with no way to say no
        return client
