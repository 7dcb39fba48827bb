"""The part of a Responses request that the harness may send; every other field is refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

Status = Literal["in_progress", "completed", "incomplete"]


class Closed(BaseModel):
    """Unknown fields are refused: the vendor's `unknown_parameter`."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Part(Closed):
    """A piece of a message of ours."""

    type: Literal["input_text"]
    text: str


class Say(Closed):
    """A message to the model."""

    type: Literal["message"] = "message"
    role: Literal["user", "system", "developer"]
    content: str | list[Part]


class OutputText(Closed):
    """Text by the model."""

    type: Literal["output_text"]
    text: str
    annotations: list[Any]  # Any: never issued by the double
    logprobs: list[Any] = []  # Any: never issued by the double


class OutputRefusal(Closed):
    """The model's no."""

    type: Literal["refusal"]
    refusal: str


class Spoke(Closed):
    """A message by the model."""

    type: Literal["message"]
    id: str
    role: Literal["assistant"]
    status: Status
    content: list[Annotated[OutputText | OutputRefusal, Field(discriminator="type")]]
    phase: Literal["commentary", "final_answer"] | None = None


class Summary(Closed):
    """A summary of reasoning."""

    type: Literal["summary_text"]
    text: str


class Reasoning(Closed):
    """Reasoning, encrypted."""

    type: Literal["reasoning"]
    id: str
    summary: list[Summary]
    encrypted_content: str | None = None
    status: Status | None = None


class FunctionCall(Closed):
    """A call of a function."""

    type: Literal["function_call"]
    id: str | None = None
    call_id: str
    name: str
    arguments: str
    status: Status | None = None


class FunctionOutput(Closed):
    """What it came to."""

    type: Literal["function_call_output"]
    call_id: str
    output: str


class Local(Closed):
    """The machine of the caller."""

    type: Literal["local"]


class Action(Closed):
    """Commands."""

    commands: list[str]
    timeout_ms: int | None = None
    max_output_length: int | None = None


class ShellCall(Closed):
    """A call of the shell."""

    type: Literal["shell_call"]
    id: str | None = None
    call_id: str
    action: Action
    environment: Local | None = None
    status: Status | None = None


class Exited(Closed):
    """How a command ended."""

    type: Literal["exit"]
    exit_code: int


class TimedOut(Closed):
    """That a command did not end in time."""

    type: Literal["timeout"]


class Printed(Closed):
    """What a command printed."""

    stdout: str
    stderr: str
    outcome: Annotated[Exited | TimedOut, Field(discriminator="type")]


class ShellOutput(Closed):
    """What a shell call came to."""

    type: Literal["shell_call_output"]
    call_id: str
    output: list[Printed] = Field(min_length=1)
    max_output_length: int | None = None


class Update(Closed):
    """A file made or changed."""

    type: Literal["create_file", "update_file"]
    path: str
    diff: str


class Delete(Closed):
    """A file removed."""

    type: Literal["delete_file"]
    path: str


class PatchCall(Closed):
    """A call of apply_patch."""

    type: Literal["apply_patch_call"]
    id: str | None = None
    call_id: str
    operation: Annotated[Update | Delete, Field(discriminator="type")]
    status: Literal["in_progress", "completed"]


class PatchOutput(Closed):
    """What it came to."""

    type: Literal["apply_patch_call_output"]
    call_id: str
    status: Literal["completed", "failed"]
    output: str | None = None


def _tag(item: Any) -> str:  # Any: JSON before it is judged
    if not isinstance(item, dict):
        return str(getattr(item, "type", ""))
    kind = str(item.get("type", "message"))
    return "spoke" if kind == "message" and item.get("role") == "assistant" else kind


Item = Annotated[
    Annotated[Say, Tag("message")]
    | Annotated[Spoke, Tag("spoke")]
    | Annotated[Reasoning, Tag("reasoning")]
    | Annotated[FunctionCall, Tag("function_call")]
    | Annotated[FunctionOutput, Tag("function_call_output")]
    | Annotated[ShellCall, Tag("shell_call")]
    | Annotated[ShellOutput, Tag("shell_call_output")]
    | Annotated[PatchCall, Tag("apply_patch_call")]
    | Annotated[PatchOutput, Tag("apply_patch_call_output")],
    Discriminator(_tag),
]
Call = FunctionCall | ShellCall | PatchCall
Output = FunctionOutput | ShellOutput | PatchOutput


class Function(Closed):
    """A tool of the caller's."""

    type: Literal["function"]
    name: str
    description: str | None = None
    parameters: dict[str, Any]  # Any: a JSON schema
    strict: bool


class Shell(Closed):
    """The vendor's shell."""

    type: Literal["shell"]
    environment: Local


class ApplyPatch(Closed):
    """The vendor's editor."""

    type: Literal["apply_patch"]


class Format(Closed):
    """The shape of the text."""

    type: Literal["json_schema"]
    name: str
    description: str | None = None
    schema_: dict[str, Any] = Field(alias="schema")  # Any: a JSON schema
    strict: bool = False


class TextConfig(Closed):
    """How the text is made."""

    format: Format | None = None
    verbosity: Literal["low", "medium", "high"] | None = None


class ReasoningConfig(Closed):
    """How hard the model thinks."""

    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    summary: Literal["auto", "concise", "detailed"] | None = None


class ResponsesRequest(Closed):
    """A whole request."""

    model: str = Field(min_length=1)
    input: str | list[Item] = Field(min_length=1)
    instructions: str | None = None
    max_output_tokens: int | None = Field(default=None, ge=16, le=128_000)
    reasoning: ReasoningConfig | None = None
    include: list[Literal["reasoning.encrypted_content"]] = []
    store: bool = True
    prompt_cache_key: str = Field(default="", max_length=64)
    text: TextConfig | None = None
    tools: list[Annotated[Function | Shell | ApplyPatch, Field(discriminator="type")]] = []
    tool_choice: Literal["auto", "none", "required"] = "auto"
    parallel_tool_calls: bool = True
    stream: bool = False

    @property
    def items(self) -> list[Any]:  # Any: the union of items, told apart by isinstance
        """The input as items."""
        if isinstance(self.input, str):
            return [Say(role="user", content=self.input)]
        return list(self.input)


class CountRequest(Closed):
    """What input_tokens takes."""

    model: str = Field(min_length=1)
    input: str | list[Item]
    instructions: str | None = None
    reasoning: ReasoningConfig | None = None
    text: TextConfig | None = None
    tools: list[Annotated[Function | Shell | ApplyPatch, Field(discriminator="type")]] = []
    tool_choice: Literal["auto", "none", "required"] = "auto"
    parallel_tool_calls: bool = True
