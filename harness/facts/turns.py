"""What is said to an LLM and what comes back, in no vendor's words.

A conversation is rendered to the wire by the vendor's edge, deterministically: the same
conversation gives the same bytes, so that a resumed exchange hits the cache. An answer's
`content` is opaque: the vendor's own items as JSON text, sent back byte for byte.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from harness.facts.money import Usage
from harness.facts.value import Fact

Provider = Literal["anthropic", "openai"]
Effort = Literal["low", "medium", "high", "xhigh", "max"]


class AgentPin(Fact):
    """The agent, model and settings an exchange is held to from its first turn to its last."""

    agent: str
    provider: Provider
    model: str
    effort: Effort


class Tools(StrEnum):
    """What an exchange may do: nothing, run commands in an overlay, or change the work tree."""

    NOTHING = "nothing"
    READ = "read"  # shell and view, in an overlay that is thrown away
    EDIT = "edit"  # shell, view and edit, in the work tree


class ReplySchema(Fact):
    """The strict shape of the reply; `schema_text` is the committed file, sent as it is."""

    name: str
    description: str
    schema_text: str


class Call(Fact):
    """A tool call by the LLM, normalised; `arguments` is JSON text as received.

    Arguments by tool, after normalising (keys exactly these):
    shell {command, timeout_seconds}; view {path, start_line, end_line} (0 0 = whole);
    create {path, text}; replace {path, old, new}; insert {path, after_line, text};
    patch {path, diff} (V4A hunks as OpenAI's apply_patch sends them); remove {path};
    reply: the reply itself, untouched; restart {}; unknown: whatever was sent; withheld: the same,
    with a secret of ours masked in it.
    """

    id: str
    tool: Literal[
        "shell",
        "view",
        "create",
        "replace",
        "insert",
        "patch",
        "remove",
        "restart",
        "reply",
        "withheld",
        "unknown",
    ]
    name: str  # the vendor's name for it, to answer under
    arguments: str


class Prompted(Fact):
    """We said something: the brief, a nudge, or a complaint about a reply given as text."""

    kind: Literal["prompted"] = "prompted"
    text: str


class Heard(Fact):
    """The LLM's turn, to be sent back byte for byte."""

    kind: Literal["heard"] = "heard"
    content: str


class CallResult(Fact):
    """What a tool call came to; for `reply` it is the complaint."""

    call_id: str
    tool: str
    output: str
    is_error: bool
    exit: int | None = None


class Returned(Fact):
    """The results of all calls of the last turn, in their order."""

    kind: Literal["returned"] = "returned"
    results: tuple[CallResult, ...]


Message = Annotated[Prompted | Heard | Returned, Field(discriminator="kind")]


class Conversation(Fact):
    """Everything one request says."""

    exchange_id: str  # also the cache key
    pin: AgentPin
    system: str
    tools: Tools
    reply: ReplySchema
    messages: tuple[Message, ...]
    max_tokens: int


class Stop(StrEnum):
    """Why a turn ended."""

    END = "end"
    CALLS = "calls"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    OVERFLOW = "overflow"
    PAUSED = "paused"


class Turn(Fact):
    """One answered request."""

    content: str
    text: str  # all final text; without tools the last complete message is the reply
    calls: tuple[Call, ...]
    stop: Stop
    usage: Usage
    usage_known: bool
    model: str
    request_id: str
