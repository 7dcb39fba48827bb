"""The part of a Messages request that the harness may send; every other field is refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Closed(BaseModel):
    """Unknown fields are refused, as the vendor does."""

    model_config = ConfigDict(extra="forbid", strict=True)


class CacheControl(Closed):
    """A breakpoint."""

    type: Literal["ephemeral"]
    ttl: Literal["5m", "1h"] = "5m"


class Cacheable(Closed):
    """Whatever a breakpoint can stand on."""

    cache_control: CacheControl | None = None


class Text(Cacheable):
    """Plain text."""

    type: Literal["text"]
    text: str
    citations: list[Any] | None = None  # Any: never issued by the double but null


class Thinking(Closed):
    """A thought, signed."""

    type: Literal["thinking"]
    thinking: str
    signature: str


class DirectCaller(Closed):
    """The model itself called."""

    type: Literal["direct"]


class ToolUse(Cacheable):
    """A call."""

    type: Literal["tool_use"]
    id: str
    name: str
    input: dict[str, Any]  # Any: the model's own JSON
    caller: DirectCaller | None = None


class ToolResult(Cacheable):
    """What a call came to."""

    type: Literal["tool_result"]
    tool_use_id: str
    content: str | list[Text] = ""
    is_error: bool = False


Block = Annotated[Text | Thinking | ToolUse | ToolResult, Field(discriminator="type")]


class Message(Closed):
    """One side's say."""

    role: Literal["user", "assistant"]
    content: str | list[Block]

    @property
    def blocks(self) -> list[Text | Thinking | ToolUse | ToolResult]:
        """The content as blocks."""
        if isinstance(self.content, str):
            return [Text(type="text", text=self.content)]
        return self.content


class Bash(Cacheable):
    """The vendor's shell."""

    type: Literal["bash_20250124"]
    name: Literal["bash"]


class Editor(Cacheable):
    """The vendor's editor."""

    type: Literal["text_editor_20250728"]
    name: Literal["str_replace_based_edit_tool"]
    max_characters: int | None = None


class Custom(Cacheable):
    """A tool of the caller's."""

    type: Literal["custom"] = "custom"
    name: str
    description: str = ""
    input_schema: dict[str, Any]  # Any: a JSON schema
    strict: bool = False


class Choice(Closed):
    """Whether tools must be used."""

    type: Literal["auto", "any", "none"]
    disable_parallel_tool_use: bool = False


class Format(Closed):
    """The shape of the text."""

    type: Literal["json_schema"]
    schema_: dict[str, Any] = Field(alias="schema")  # Any: a JSON schema


class OutputConfig(Closed):
    """How the answer is made."""

    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    format: Format | None = None


class ThinkingMode(Closed):
    """Whether the model thinks."""

    type: Literal["adaptive", "disabled"]
    display: Literal["summarized", "omitted"] | None = None


class MessagesRequest(Closed):
    """A whole request."""

    model: str = Field(min_length=1)
    max_tokens: int = Field(ge=1, le=128_000)
    messages: list[Message] = Field(min_length=1)
    system: str | list[Text] = ""
    tools: list[Bash | Editor | Custom] = []
    tool_choice: Choice | None = None
    thinking: ThinkingMode | None = None
    output_config: OutputConfig | None = None
    stream: bool = False


class CountRequest(Closed):
    """What count_tokens takes."""

    model: str = Field(min_length=1)
    messages: list[Message] = Field(min_length=1)
    system: str | list[Text] = ""
    tools: list[Bash | Editor | Custom] = []
    tool_choice: Choice | None = None
    thinking: ThinkingMode | None = None
    output_config: OutputConfig | None = None
