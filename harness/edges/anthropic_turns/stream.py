"""A Messages stream, event by event, until it is a turn."""

from __future__ import annotations

from collections.abc import Mapping

from harness.edges.anthropic_turns.calls import normalise
from harness.edges.told import Json, Unreadable, parse
from harness.edges.vendor import compact, failure, mend, mend_all
from harness.facts.money import Usage
from harness.facts.turns import Call, Stop, Turn

VENDOR = "Anthropic"

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
        self._usage: Json = {}
        self._stop: str | None = None
        self._uncounted = 0  # bytes streamed since the vendor last counted

    def take(self, event: Json) -> None:
        """Add one event; an error event is the caller's, unknown ones are passed over."""
        match event.get("type"):
            case "message_start":
                self._message = event["message"]
                self._usage = _told(event["message"].get("usage"))
            case "content_block_start":
                self._blocks[event["index"]] = dict(event["content_block"])
            case "content_block_delta":
                self._add(event["index"], event["delta"])
            case "message_delta":
                self._stop = event["delta"].get("stop_reason")
                self._usage |= _told(event.get("usage"))
                self._uncounted = 0

    def _add(self, index: int, delta: Json) -> None:
        block, kind = self._blocks[index], delta["type"]
        if kind == "input_json_delta":
            self._inputs[index] = self._inputs.get(index, "") + delta["partial_json"]
            self._uncounted += len(delta["partial_json"].encode("utf-8", "replace"))
        elif kind == "citations_delta":
            block["citations"] = [*(block.get("citations") or []), delta["citation"]]
        elif field := _APPENDED.get(kind):
            block[field] = block.get(field, "") + delta[field]
            self._uncounted += len(delta[field].encode("utf-8", "replace"))

    def usage(self) -> Usage | None:
        """What was used so far, None before the vendor told anything.

        Output that was streamed and not yet counted is estimated, so that a dead connection is not
        cheaper than it was.
        """
        if "input_tokens" not in self._usage:
            return None
        return Usage(
            input=self._usage["input_tokens"],
            cache_read=self._usage.get("cache_read_input_tokens", 0),
            cache_write=self._usage.get("cache_creation_input_tokens", 0),
            output=self._usage.get("output_tokens", 0) + -(-self._uncounted // _BYTES_PER_TOKEN),
        )

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
            model=str(self._message.get("model", "")),
            request_id=request_id or str(self._message.get("id", "")),
        )

    def _finish(self) -> tuple[tuple[Call, ...], list[Json]]:
        calls: list[Call] = []
        blocks: list[Json] = []
        for index, block in sorted(self._blocks.items()):
            if block["type"] == "tool_use":
                raw = mend(self._inputs.get(index) or compact(block.get("input") or {}))
                sent = _object(raw)
                block["input"] = {"INVALID_JSON": raw} if sent is None else sent
                calls.append(normalise(block["id"], block["name"], sent, raw))
            blocks.append(mend_all(block))
        return tuple(calls), blocks


def _told(usage: Json | None) -> Json:
    return {key: count for key, count in (usage or {}).items() if isinstance(count, int)}


def _object(raw: str) -> Json | None:
    try:
        value = parse(raw)
    except Unreadable:
        return None
    return mend_all(value) if isinstance(value, dict) else None


def _text(blocks: list[Json], *, alone: bool) -> str:
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    joined = "".join(texts)
    if not alone or _object(joined) is not None:
        return joined
    return next((text for text in reversed(texts) if text.strip()), "")
