"""A Responses stream, event by event, until it is a turn."""

from __future__ import annotations

from collections.abc import Mapping

from harness.edges.openai_turns.calls import normalise
from harness.edges.openai_turns.errors import VENDOR, response_failure
from harness.edges.told import Json
from harness.edges.vendor import compact, failure, mend_all
from harness.facts.money import Usage
from harness.facts.turns import Call, Stop, Turn

_INCOMPLETE: Mapping[str, Stop] = {
    "max_output_tokens": Stop.TRUNCATED,
    "max_messages": Stop.TRUNCATED,
    "content_filter": Stop.REFUSED,
    "steered": Stop.PAUSED,
}
_ENDS = {"response.completed", "response.incomplete", "response.failed"}
POLICIES = {"bio_policy", "misalignment_policy_violation", "invalid_prompt"}


class ResponseStream:
    """Collects the output items as they were finished, and the response that ends the stream."""

    def __init__(self) -> None:
        self._response: Json | None = None
        self._done: dict[int, Json] = {}

    def take(self, event: Json) -> None:
        """Add one event; an error event is the caller's, deltas are passed over."""
        kind = event.get("type")
        if kind == "response.output_item.done":
            self._done[event["output_index"]] = event["item"]
        elif kind in _ENDS:
            self._response = event["response"]

    def usage(self) -> Usage | None:
        """What was used, None before the last event, the only one that tells."""
        told = (self._response or {}).get("usage")
        if not told:
            return None
        details = told.get("input_tokens_details") or {}
        read, write = details.get("cached_tokens") or 0, details.get("cache_write_tokens") or 0
        return Usage(
            input=max(0, told["input_tokens"] - read - write),
            cache_read=read,
            cache_write=write,
            output=told["output_tokens"],
        )

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
            model=str(response.get("model", "")),
            request_id=request_id or str(response.get("id", "")),
        )

    def _items(self, response: Json) -> list[Json]:
        told = dict(enumerate(response.get("output") or []))
        return [mend_all(item) for _, item in sorted((told | self._done).items())]


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
            reason = str((response.get("incomplete_details") or {}).get("reason"))
            if reason in _INCOMPLETE:
                return _INCOMPLETE[reason]
            raise failure(VENDOR, f"incomplete: {reason}", "unexpected", usage=usage)
        case "failed" if (response.get("error") or {}).get("code") in POLICIES:
            return Stop.REFUSED
        case "failed":
            raise response_failure(response.get("error") or {}, usage)
        case status:
            raise failure(VENDOR, f"unknown status {status}", "unexpected", usage=usage)


def _refusals(item: Json) -> list[str]:
    if item.get("type") != "message":
        return []
    return [part["refusal"] for part in item["content"] if part["type"] == "refusal"]


def _text(items: list[Json], *, alone: bool) -> str:
    """The last message where it is the reply, else all but commentary; else the refusal."""
    said = [
        "".join(part["text"] for part in item["content"] if part["type"] == "output_text")
        for item in items
        if item["type"] == "message" and item.get("phase") != "commentary"
    ]
    refused = "\n".join(one for item in items for one in _refusals(item))
    return refused or "".join(said[-1:] if alone else said)
