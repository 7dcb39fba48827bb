"""A Messages stream, event by event, until it is a turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.edges.anthropic_turns.calls import normalise
from harness.edges.anthropic_turns.errors import VENDOR, event_failure
from harness.edges.told import (
    Json,
    Unreadable,
    an_object,
    compact,
    mend,
    mend_all,
    parse,
    read,
    read_or,
    read_tokens,
    said,
)
from harness.edges.vendor import failure
from harness.facts.money import Usage
from harness.facts.turns import Call, Stop, Turn

_STOPS: Mapping[str, Stop] = {
    "end_turn": Stop.END,
    "stop_sequence": Stop.END,
    "tool_use": Stop.CALLS,
    "max_tokens": Stop.TRUNCATED,
    "refusal": Stop.REFUSED,
    "pause_turn": Stop.PAUSED,
    "model_context_window_exceeded": Stop.OVERFLOW,
}
_APPENDED = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
_BYTES_PER_TOKEN = 3  # of output that was streamed before the vendor counted it, on the safe side


class MessageStream:
    """Collects the blocks as the vendor will want them back, and the usage as far as it is told."""

    def __init__(self) -> None:
        self._message: Json = {}
        self._blocks: dict[int, Json] = {}
        self._inputs: dict[int, str] = {}
        self._told: list[Any] = []  # Any: usage in whatever shape, the later outdoes the earlier
        self._stop: str | None = None
        self._uncounted = 0  # bytes streamed since the vendor last counted
        self._counted = False  # whether it ever did, after it began
        self.ended = False

    def take(self, event: Json) -> None:
        """Add one event; VendorError by an error event, unknown ones are passed over."""
        match event.get("type"):
            case "message_start":
                self._message = read(event, "message", dict)
                self._told.append(self._message.get("usage"))
            case "content_block_start":
                self._blocks[read(event, "index", int)] = dict(read(event, "content_block", dict))
            case "content_block_delta":
                self._add(read(event, "index", int), read(event, "delta", dict))
            case "message_delta":
                self._count(event.get("usage"))
                self._stop = read_or(read(event, "delta", dict), "stop_reason", str, "") or None
            case "message_stop":
                self.ended = True
            case "error":
                raise event_failure(event, self.usage())

    def _count(self, usage: Any) -> None:  # Any: JSON goes in
        self._told.append(usage)
        if isinstance(usage, dict) and usage.get("output_tokens") is not None:
            self._uncounted, self._counted = 0, True

    def _add(self, index: int, delta: Json) -> None:
        block = read({"the block": self._blocks.get(index)}, "the block", dict)
        kind = read(delta, "type", str)
        if kind == "input_json_delta":
            piece = read(delta, "partial_json", str)
            self._inputs[index] = self._inputs.get(index, "") + piece
            self._uncounted += len(piece.encode("utf-8", "replace"))
        elif kind == "citations_delta":
            found = read(delta, "citation", dict)
            block["citations"] = [*read_or(block, "citations", list, []), found]
        elif field := _APPENDED.get(kind):
            piece = read(delta, field, str)
            block[field] = read_or(block, field, str, "") + piece
            self._uncounted += len(piece.encode("utf-8", "replace"))

    def usage(self) -> Usage | None:
        """What was used so far; None before the vendor told anything, or if it cannot be.

        Output that was streamed and not yet counted is estimated, so that a dead connection is not
        cheaper than it was. A finished answer whose output was never counted is not: thinking may
        be longer than what is shown of it.
        """
        if self._stop is not None and not self._counted:
            return None
        try:
            told = _joined(self._told)
            counted = read_tokens(told, "output_tokens", 0)
            return Usage(
                input=read_tokens(told, "input_tokens"),
                cache_read=read_tokens(told, "cache_read_input_tokens", 0),
                cache_write=read_tokens(told, "cache_creation_input_tokens", 0),
                output=counted + -(-self._uncounted // _BYTES_PER_TOKEN),
            )
        except Unreadable:
            return None

    def turn(self, request_id: str, *, alone: bool) -> Turn:
        """The finished turn; `alone`: no tools were offered, the last whole text is the reply.

        VendorError unreachable when the stream ended before it said why.
        """
        usage = self.usage()
        if self._stop is None:
            raise failure(VENDOR, "the stream ended early", "unreachable", usage=usage)
        if self._stop not in _STOPS:
            raise failure(VENDOR, f"unknown stop reason {self._stop}", "unexpected", usage=usage)
        calls, blocks = self._finish()
        stop = _STOPS[self._stop]
        if stop in {Stop.END, Stop.CALLS}:
            stop = Stop.CALLS if calls else Stop.END
        return Turn(
            content=compact(blocks),
            text=_text(blocks, alone=alone),
            calls=calls,
            stop=stop,
            usage=usage or Usage(input=0, cache_read=0, cache_write=0, output=0),
            usage_known=usage is not None,
            model=said(self._message, "model"),
            request_id=request_id or said(self._message, "id"),
        )

    def _finish(self) -> tuple[tuple[Call, ...], list[Json]]:
        calls: list[Call] = []
        blocks: list[Json] = []
        for index, told in sorted(self._blocks.items()):
            block = mend_all(told)
            if read(block, "type", str) == "tool_use":
                raw = mend(self._inputs.get(index) or compact(block.get("input") or {}))
                sent = _object(raw)
                block["input"] = {"INVALID_JSON": raw} if sent is None else sent
                call_id, name = read(block, "id", str), read(block, "name", str)
                calls.append(normalise(call_id, name, sent, raw))
            blocks.append(block)
        return tuple(calls), blocks


def _joined(usages: list[Any]) -> Json:  # Any: JSON goes in
    told = [an_object(usage) for usage in usages if usage is not None]
    return {key: count for usage in told for key, count in usage.items() if count is not None}


def _object(raw: str) -> Json | None:
    try:
        value = parse(raw)
    except Unreadable:
        return None
    return mend_all(value) if isinstance(value, dict) else None


def _text(blocks: list[Json], *, alone: bool) -> str:
    texts = [read(block, "text", str) for block in blocks if block["type"] == "text"]
    joined = "".join(texts)
    if not alone or _object(joined) is not None:
        return joined
    return next((text for text in reversed(texts) if text.strip()), "")
