"""A scripted turn as OpenAI says it: a response, and the events of its stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from harness.rehearsal.models.openai_judge import REASONED
from harness.rehearsal.models.openai_request import ResponsesRequest
from harness.rehearsal.models.script import Act, Counted, Said, check_offered
from harness.rehearsal.models.seals import name, seal
from harness.rehearsal.models.tokens import count

Json = dict[str, Any]  # Any: JSON in the vendor's own shape
_PIECE = 40  # characters of a delta


class Spoken:
    """What is said, item by item."""

    def __init__(self, said: Said, *, model: str, seed: str, sealed: bool, offered: bool) -> None:
        self.items: list[Json] = []
        self.seed, self._model, self._offered = seed, model, offered
        thoughts = [act.arguments["text"] for act in said.acts if act.kind == "think"]
        self.thought = "\n".join(thoughts or ["Let me see."]) if said.acts else ""
        if said.acts:
            encrypted = seal(model, self.thought) if sealed else None
            self.items.append(
                {
                    "id": name("rs_", seed),
                    "type": "reasoning",
                    "summary": [],
                    "encrypted_content": encrypted,
                }
            )
        for act in said.acts:
            check_offered(act, offered=offered)
            self._say(act)

    def _say(self, act: Act) -> None:
        given = act.arguments
        match act.kind:
            case "think":
                pass
            case "text":
                self._speak({"type": "output_text", "text": given["text"]})
            case "reply" if not self._offered:
                self._speak({"type": "output_text", "text": act.raw})
            case "reply":
                self._call("function_call", name="reply", arguments=act.raw)
            case "use":
                arguments = json.dumps(given["arguments"])
                self._call("function_call", name=given["name"], arguments=arguments)
            case "shell":
                self._run(given["commands"], given["timeout_seconds"] * 1000 or None)
            case "view":
                lines = f"{given['start_line'] or 1},{given['end_line'] or '$'}p"
                self._run([f"sed -n '{lines}' -- '{given['path']}'"], None)
            case kind:
                self._call("apply_patch_call", operation=_operation(kind, given))

    def refuse(self, said: str) -> None:
        """Say no in place of everything else."""
        del self.items[1:]
        self._speak({"type": "refusal", "refusal": said})

    def _speak(self, part: Json) -> None:
        if part["type"] == "output_text":
            part = {**part, "annotations": [], "logprobs": []}
        self.items.append(
            {
                "id": self._id("msg_"),
                "type": "message",
                "role": "assistant",
                "status": "completed",
                "content": [part],
                "phase": None,
            }
        )

    def _run(self, commands: list[str], timeout_ms: int | None) -> None:
        action = {"commands": commands, "timeout_ms": timeout_ms, "max_output_length": None}
        self._call("shell_call", action=action, environment={"type": "local"})

    def _call(self, kind: str, **fields: Any) -> None:  # Any: the fields of a call of this kind
        ids = {"id": self._id("fc_"), "type": kind, "call_id": self._id("call_")}
        self.items.append({**ids, **fields, "status": "completed"})

    def _id(self, prefix: str) -> str:
        return name(prefix, self.seed, len(self.items)) + REASONED

    def tokens(self) -> tuple[int, int]:
        """Output tokens: all, and those of reasoning."""
        thought = count(self.thought)
        texts = (_said(item) for item in self.items[1:])
        return max(1, thought + sum(count(text) for text in texts)), thought

    def cut(self, tokens: int) -> None:
        """Keep so many tokens of what is said; the item that is cut is incomplete."""
        left = tokens * 4
        for at, item in enumerate(self.items[1:], 1):
            if len(_said(item)) > left:
                del self.items[at + 1 :]
                _shorten(item, left)
                return
            left -= len(_said(item))


def _said(item: Json) -> str:
    match item["type"]:
        case "message":
            return "".join(part.get("text", part.get("refusal")) for part in item["content"])
        case "function_call":
            return str(item["arguments"])
        case "shell_call":
            return "\n".join(item["action"]["commands"])
        case "apply_patch_call":
            return str(item["operation"].get("diff", ""))
        case _:
            return ""


def _shorten(item: Json, chars: int) -> None:
    item["status"] = "incomplete"
    match item["type"]:
        case "message":
            item["content"][0]["text"] = item["content"][0]["text"][:chars]
        case "function_call":
            item["arguments"] = item["arguments"][:chars]
        case "shell_call":
            item["action"]["commands"] = [_said(item)[:chars]]
        case _:
            item["status"] = "in_progress"
            item["operation"]["diff"] = item["operation"].get("diff", "")[:chars]


def _operation(kind: str, given: Json) -> Json:
    match kind:
        case "create":
            diff = "".join(f"+{line}\n" for line in given["text"].splitlines())
            return {"type": "create_file", "path": given["path"], "diff": diff}
        case "edit":
            old = "".join(f"-{line}\n" for line in given["old"].splitlines())
            new = "".join(f"+{line}\n" for line in given["new"].splitlines())
            return {"type": "update_file", "path": given["path"], "diff": f"@@\n{old}{new}"}
        case "patch":
            return {"type": "update_file", "path": given["path"], "diff": given["diff"]}
        case "remove":
            return {"type": "delete_file", "path": given["path"]}
        case _:
            raise ValueError(f"GPT has no tool for {kind}")


def response(
    request: ResponsesRequest, spoken: Spoken, *, stop: str, used: Counted, at: datetime
) -> Json:
    """The response; `stop` is "" or why it is incomplete."""
    output, reasoning = used.output, spoken.tokens()[1]
    total = used.input + used.cache_read + used.cache_write
    return {
        "id": name("resp_", spoken.seed),
        "object": "response",
        "created_at": int(at.timestamp()),
        "completed_at": None if stop else int(at.timestamp()),
        "status": "incomplete" if stop else "completed",
        "error": None,
        "incomplete_details": {"reason": stop} if stop else None,
        "output": spoken.items,
        "usage": {
            "input_tokens": total,
            "input_tokens_details": {
                "cached_tokens": used.cache_read,
                "cache_write_tokens": used.cache_write,
            },
            "output_tokens": output,
            "output_tokens_details": {"reasoning_tokens": min(reasoning, output)},
            "total_tokens": total + output,
        },
        "model": request.model,
    }


def echo(request: ResponsesRequest, body: Json) -> Json:
    """What a response repeats of its request."""
    text = body.get("text", {}).get("format", {"type": "text"})
    return {
        "background": False,
        "instructions": request.instructions,
        "max_output_tokens": request.max_output_tokens,
        "max_tool_calls": None,
        "metadata": {},
        "parallel_tool_calls": request.parallel_tool_calls,
        "previous_response_id": None,
        "prompt_cache_key": request.prompt_cache_key or None,
        "reasoning": {"effort": body.get("reasoning", {}).get("effort"), "summary": None},
        "service_tier": "default",
        "temperature": 1.0,
        "text": {"format": text, "verbosity": "medium"},
        "tool_choice": request.tool_choice,
        "tools": body.get("tools", []),
        "top_logprobs": 0,
        "top_p": 1.0,
        "truncation": "disabled",
    }


def response_events(whole: Json) -> Iterator[Json]:
    """The response as a stream."""
    for number, event in enumerate(_events(whole)):
        yield {**event, "sequence_number": number}


def _events(whole: Json) -> Iterator[Json]:
    begun = {
        **whole,
        "status": "in_progress",
        "completed_at": None,
        "incomplete_details": None,
        "error": None,
        "output": [],
    }
    del begun["usage"]  # the description has no null there
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for at, item in enumerate(whole["output"]):
        yield {"type": "response.output_item.added", "output_index": at, "item": _bare(item)}
        for event in _deltas(item):
            yield {**event, "output_index": at}
        yield {"type": "response.output_item.done", "output_index": at, "item": item}
    yield {"type": f"response.{whole['status']}", "response": whole}


def _bare(item: Json) -> Json:
    if item["type"] == "reasoning":
        return {**item, "encrypted_content": None}
    empty: Json = {"content": [], "arguments": ""}
    begun = {key: empty.get(key, value) for key, value in item.items()}
    if item["type"] == "shell_call":
        begun["action"] = {**item["action"], "commands": []}
    return {**begun, "status": "in_progress"}


def _deltas(item: Json) -> Iterator[Json]:
    place = {"item_id": item["id"]}
    match item["type"]:
        case "message":
            for n, part in enumerate(item["content"]):
                yield from ({**e, **place, "content_index": n} for e in _part_deltas(part))
        case "function_call":
            kind, text = "response.function_call_arguments", item["arguments"]
            yield from ({"type": f"{kind}.delta", "delta": p, **place} for p in _pieces(text))
            named = {"name": item["name"], "arguments": text}
            yield {"type": f"{kind}.done", **named, **place}
        case "shell_call":
            for n, command in enumerate(item["action"]["commands"]):
                kind, of = "response.shell_call_command", {"command_index": n}
                yield {"type": f"{kind}.added", "command": "", **of}
                yield from ({"type": f"{kind}.delta", "delta": p, **of} for p in _pieces(command))
                yield {"type": f"{kind}.done", "command": command, **of}


def _part_deltas(part: Json) -> Iterator[Json]:
    field = "refusal" if part["type"] == "refusal" else "text"
    kind = "response.refusal" if field == "refusal" else "response.output_text"
    logprobs: Json = {} if field == "refusal" else {"logprobs": []}
    yield {"type": "response.content_part.added", "part": {**part, field: ""}}
    yield from ({"type": f"{kind}.delta", "delta": p, **logprobs} for p in _pieces(part[field]))
    yield {"type": f"{kind}.done", field: part[field], **logprobs}
    yield {"type": "response.content_part.done", "part": part}


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))
