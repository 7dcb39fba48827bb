"""A Responses stream, event by event, until it is a turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.edges.openai_turns.calls import normalise
from harness.edges.openai_turns.errors import VENDOR, event_failure, response_failure
from harness.edges.told import (
    Json,
    Unreadable,
    an_error,
    an_object,
    compact,
    mend_all,
    read,
    read_or,
    read_tokens,
    said,
)
from harness.edges.vendor import failure
from harness.facts.money import Usage
from harness.facts.turns import Call, Stop, Turn

_INCOMPLETE: Mapping[str, Stop] = {
    "max_output_tokens": Stop.TRUNCATED,
    "max_messages": Stop.TRUNCATED,
    "content_filter": Stop.REFUSED,
    "steered": Stop.PAUSED,
}
POLICIES = {"bio_policy", "misalignment_policy_violation", "invalid_prompt"}


class ResponseStream:
    """Collects the output items as they were finished, and the response that ends the stream."""

    def __init__(self) -> None:
        self._response: Json | None = None
        self._done: dict[int, Json] = {}

    def take(self, event: Json) -> None:
        """Add one event; VendorError by an error event, deltas are passed over."""
        match event.get("type"):
            case "response.output_item.done":
                self._done[read(event, "output_index", int)] = read(event, "item", dict)
            case "response.completed" | "response.incomplete" | "response.failed":
                self._response = read(event, "response", dict)
            case "error":
                raise event_failure(event)

    @property
    def ended(self) -> bool:
        """Whether the last event was taken."""
        return self._response is not None

    def usage(self) -> Usage | None:
        """What was used; None before the last event, which alone tells, or if it cannot be."""
        try:
            return _usage(read(self._response or {}, "usage", dict))
        except Unreadable:
            return None

    def turn(self, request_id: str, *, alone: bool) -> Turn:
        """The finished turn; `alone`: no tools were offered, the last message is the reply.

        VendorError unreachable when the stream ended before it said why, and by the response's
        own error when it failed.
        """
        usage, response = self.usage(), self._response
        if response is None:
            raise failure(VENDOR, "the stream ended early", "unreachable")
        items = self._items(response)
        calls = tuple(call for item in items for call in normalise(item))
        return Turn(
            content=compact(items),
            text=_text(items, alone=alone),
            calls=calls,
            stop=_stop(response, items, calls, usage),
            usage=usage or Usage(input=0, cache_read=0, cache_write=0, output=0),
            usage_known=usage is not None,
            model=said(response, "model"),
            request_id=request_id or said(response, "id"),
        )

    def _items(self, response: Json) -> list[Json]:
        told = dict(enumerate(read_or(response, "output", list, [])))
        return [_item(item) for _, item in sorted((told | self._done).items())]


def _item(told: Any) -> Json:  # Any: JSON goes in
    item = an_object(mend_all(told))
    read(item, "type", str)
    return item


def _usage(told: Json) -> Usage:
    details = read_or(told, "input_tokens_details", dict, {})
    cached = read_tokens(details, "cached_tokens", 0)
    written = read_tokens(details, "cache_write_tokens", 0)
    return Usage(
        input=max(0, read_tokens(told, "input_tokens") - cached - written),
        cache_read=cached,
        cache_write=written,
        output=read_tokens(told, "output_tokens"),
    )


def declined(model: str) -> Turn:
    """A prompt that was refused before anything was made of it; what it cost is not told."""
    return Turn(
        content="[]",
        text="",
        calls=(),
        stop=Stop.REFUSED,
        usage=Usage(input=0, cache_read=0, cache_write=0, output=0),
        usage_known=False,
        model=model,
        request_id="",
    )


def _stop(response: Json, items: list[Json], calls: tuple[Call, ...], usage: Usage | None) -> Stop:
    match response.get("status"):
        case "completed" if any(_refusals(item) for item in items):
            return Stop.REFUSED
        case "completed":
            return Stop.CALLS if calls else Stop.END
        case "incomplete":
            reason = said(read_or(response, "incomplete_details", dict, {}), "reason")
            if reason in _INCOMPLETE:
                return _INCOMPLETE[reason]
            raise failure(VENDOR, f"incomplete: {reason}", "unexpected", usage=usage)
        case "failed" if said(an_error(response.get("error")), "code") in POLICIES:
            return Stop.REFUSED
        case "failed":
            raise response_failure(response.get("error"), usage)
        case status:
            raise failure(VENDOR, f"unknown status {status}", "unexpected", usage=usage)


def _refusals(item: Json) -> list[str]:
    return _parts(item, "refusal", "refusal")


def _parts(item: Json, kind: str, field: str) -> list[str]:
    """The texts of a message's parts of this kind; what is no message has none."""
    if item["type"] != "message":
        return []
    parts = [an_object(part) for part in read(item, "content", list)]
    return [read(part, field, str) for part in parts if part.get("type") == kind]


def _text(items: list[Json], *, alone: bool) -> str:
    """The last message where it is the reply, else all but commentary; else the refusal."""
    texts = [
        "".join(_parts(item, "output_text", "text"))
        for item in items
        if item["type"] == "message" and item.get("phase") != "commentary"
    ]
    refused = "\n".join(one for item in items for one in _refusals(item))
    return refused or "".join(texts[-1:] if alone else texts)
