"""A scripted turn as Anthropic says it: a message, and the events of its stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from harness.rehearsal.models.anthropic_judge import THOUGHT
from harness.rehearsal.models.script import Act, Counted, Said, check_offered
from harness.rehearsal.models.seals import name, sign
from harness.rehearsal.models.tokens import count

Json = dict[str, Any]  # Any: JSON in the vendor's own shape
_PIECE = 40  # characters of a delta
_DELTA = ("stop_reason", "stop_sequence", "stop_details", "container")
_DELTA_USAGE = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
    "output_tokens_details",
    "server_tool_use",
)
EDITOR = "str_replace_based_edit_tool"


class Spoken:
    """What is said, block by block; inputs stay text: they can be cut, or hold a key twice."""

    def __init__(self, said: Said, *, model: str, seed: str, thinks: bool, offered: bool) -> None:
        acts = said.acts
        if thinks and acts and all(act.kind != "think" for act in acts):
            acts = (Act("think", {"text": "Let me see."}), *acts)
        self.blocks: list[Json] = []
        self.inputs: dict[int, str] = {}
        self._ending = THOUGHT if thinks else "n"
        self._seed = seed
        for act in acts:
            check_offered(act, offered=offered)
            self._say(act, model, thinks=thinks, offered=offered)

    def _say(self, act: Act, model: str, *, thinks: bool, offered: bool) -> None:
        given = act.arguments
        match act.kind:
            case "text":
                self.blocks.append({"type": "text", "text": given["text"], "citations": None})
            case "think" if thinks:
                thought = given["text"]
                signature = sign(model, thought)
                self.blocks.append(
                    {"type": "thinking", "thinking": thought, "signature": signature}
                )
            case "think":
                pass
            case "reply" if not offered:
                self.blocks.append({"type": "text", "text": act.raw, "citations": None})
            case "reply":
                self._use("reply", act.raw)
            case "use":
                self._use(given["name"], json.dumps(given["arguments"]))
            case _:
                for tool, arguments in _vendor_calls(act):
                    self._use(tool, json.dumps(arguments, ensure_ascii=False))

    def _use(self, tool: str, raw: str) -> None:
        at = len(self.blocks)
        self.inputs[at] = raw
        use = {"type": "tool_use", "id": name("toolu_", self._seed, at) + self._ending}
        self.blocks.append(
            {**use, "name": tool, "input": _parsed(raw), "caller": {"type": "direct"}}
        )

    @property
    def has_calls(self) -> bool:
        """Whether a tool is used."""
        return bool(self.inputs)

    def tokens(self) -> tuple[int, int]:
        """Output tokens: all, and those of thinking."""
        thought = sum(count(b["thinking"]) for b in self.blocks if b["type"] == "thinking")
        return max(1, thought + sum(count(text) for text in self._said())), thought

    def _said(self) -> Iterator[str]:
        yield from (block["text"] for block in self.blocks if block["type"] == "text")
        yield from self.inputs.values()

    def cut(self, tokens: int) -> None:
        """Keep so many tokens of what is said; thinking stays whole."""
        left = tokens * 4
        for at, block in enumerate(self.blocks):
            text = self.inputs.get(at, block.get("text"))
            if text is None:
                continue
            if len(text) > left:
                self._shorten(at, text[:left])
                return
            left -= len(text)

    def _shorten(self, at: int, text: str) -> None:
        del self.blocks[at + 1 :]
        self.inputs = {n: raw for n, raw in self.inputs.items() if n <= at}
        if at in self.inputs:
            self.inputs[at], self.blocks[at]["input"] = text, _parsed(text)
        else:
            self.blocks[at]["text"] = text


def message(spoken: Spoken, *, model: str, seed: str, stop: str, used: Counted) -> Json:
    """The whole message."""
    return {
        "id": name("msg_", seed),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": spoken.blocks,
        "container": None,
        "stop_reason": stop,
        "stop_sequence": None,
        "stop_details": _details(stop),
        "usage": {
            "input_tokens": used.input,
            "cache_creation_input_tokens": used.cache_write,
            "cache_read_input_tokens": used.cache_read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": used.cache_write,
                "ephemeral_1h_input_tokens": 0,
            },
            "output_tokens": used.output,
            "output_tokens_details": {"thinking_tokens": spoken.tokens()[1]},
            "server_tool_use": None,
            "service_tier": "standard",
            "inference_geo": None,
        },
    }


def _details(stop: str) -> Json | None:
    if stop != "refusal":
        return None
    return {"type": "refusal", "category": None, "explanation": None}


def message_events(whole: Json, spoken: Spoken) -> Iterator[Json]:
    """The message as a stream."""
    usage = whole["usage"]
    begun = {**usage, "output_tokens": 1, "output_tokens_details": None}
    started = {**whole, "content": [], "stop_reason": None, "stop_details": None, "usage": begun}
    yield {"type": "message_start", "message": started}
    yield {"type": "ping"}
    for at, block in enumerate(whole["content"]):
        yield {"type": "content_block_start", "index": at, "content_block": _bare(block)}
        for delta in _deltas(block, spoken.inputs.get(at, "")):
            yield {"type": "content_block_delta", "index": at, "delta": delta}
        yield {"type": "content_block_stop", "index": at}
    yield {
        "type": "message_delta",
        "delta": {key: whole[key] for key in _DELTA},
        "usage": {key: usage[key] for key in _DELTA_USAGE},
    }
    yield {"type": "message_stop"}


def _bare(block: Json) -> Json:
    empty = {"text": "", "thinking": "", "signature": "", "input": {}}
    return {key: empty.get(key, value) for key, value in block.items()}


def _deltas(block: Json, raw: str) -> Iterator[Json]:
    match block["type"]:
        case "text":
            for piece in _pieces(block["text"]):
                yield {"type": "text_delta", "text": piece}
        case "thinking":
            for piece in _pieces(block["thinking"]):
                yield {"type": "thinking_delta", "thinking": piece}
            yield {"type": "signature_delta", "signature": block["signature"]}
        case _:
            yield {"type": "input_json_delta", "partial_json": ""}
            for piece in _pieces(raw):
                yield {"type": "input_json_delta", "partial_json": piece}


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))


def _parsed(raw: str) -> Json:
    try:
        value = json.loads(raw)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _vendor_calls(act: Act) -> Iterator[tuple[str, Json]]:
    given = act.arguments
    match act.kind:
        case "shell":
            yield from (("bash", {"command": command}) for command in given["commands"])
        case "restart":
            yield "bash", {"restart": True}
        case "view":
            lines = [given["start_line"], given["end_line"] or -1]
            ranged = {"view_range": lines} if given["start_line"] else {}
            yield EDITOR, {"command": "view", "path": given["path"], **ranged}
        case "create":
            yield EDITOR, {"command": "create", "path": given["path"], "file_text": given["text"]}
        case "edit":
            replaced = {"old_str": given["old"], "new_str": given["new"]}
            yield EDITOR, {"command": "str_replace", "path": given["path"], **replaced}
        case "insert":
            inserted = {"insert_line": given["after_line"], "insert_text": given["text"]}
            yield EDITOR, {"command": "insert", "path": given["path"], **inserted}
        case "remove":
            yield "bash", {"command": f"rm -- '{given['path']}'"}
        case kind:
            raise ValueError(f"Claude has no tool for {kind}")
