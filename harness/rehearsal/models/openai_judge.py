"""What OpenAI refuses in a request whose shape is right.

Sources: developers.openai.com/api/docs/guides/ reasoning, function-calling, structured-outputs,
tools-shell, tools-apply-patch
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.rehearsal.models.openai_request import (
    Call,
    Function,
    FunctionCall,
    FunctionOutput,
    Output,
    PatchCall,
    PatchOutput,
    Reasoning,
    ResponsesRequest,
    ShellCall,
    ShellOutput,
    Spoke,
)
from harness.rehearsal.models.refusal import Refusal
from harness.rehearsal.models.seals import is_sealed
from harness.rules.strictness import name_faults, schema_faults

REASONED = "r"  # the last letter of an item's id when reasoning came before it
_ANSWERS = {FunctionCall: FunctionOutput, ShellCall: ShellOutput, PatchCall: PatchOutput}


def judge_responses(request: ResponsesRequest) -> None:
    """Refusal 400 with the first thing that the vendor would not accept."""
    for code, judge in (
        ("invalid_function_parameters", _schemas),
        ("invalid_request_error", _calls),
        ("invalid_request_error", _reasoning),
        ("invalid_encrypted_content", _seals),
    ):
        if fault := next(judge(request), None):
            raise Refusal(400, code, fault)


def _schemas(request: ResponsesRequest) -> Iterator[str]:
    functions = [tool for tool in request.tools if isinstance(tool, Function)]
    named = [(tool.name, tool.parameters, tool.strict) for tool in functions]
    if request.text and (shape := request.text.format):
        named.append((shape.name, shape.schema_, shape.strict))
    for name, schema, strict in named:
        yield from (f"Invalid 'name': {fault}" for fault in name_faults(name))
        if strict:
            yield from (f"Invalid schema for '{name}': {fault}" for fault in schema_faults(schema))


def _calls(request: ResponsesRequest) -> Iterator[str]:
    calls = {item.call_id: item for item in request.items if isinstance(item, Call)}
    outputs = [item for item in request.items if isinstance(item, Output)]
    for output in outputs:
        call = calls.get(output.call_id)
        if call is None or not isinstance(output, _ANSWERS[type(call)]):
            yield f"No tool call found for {output.type} with call_id {output.call_id}."
    answered = [output.call_id for output in outputs]
    for call_id in calls:
        if call_id not in answered:
            yield f"No tool output found for function call {call_id}."
        if answered.count(call_id) > 1:
            yield f"Duplicate tool output for call {call_id}."
    yield from _order(request)


def _order(request: ResponsesRequest) -> Iterator[str]:
    seen: set[str] = set()
    for item in request.items:
        if isinstance(item, Call):
            seen.add(item.call_id)
        elif isinstance(item, Output) and item.call_id not in seen:
            yield f"No tool call found for {item.type} with call_id {item.call_id}."


def _reasoning(request: ResponsesRequest) -> Iterator[str]:
    reasoned = False  # whether reasoning came since the last word of ours
    for item, after in zip(request.items, [*request.items[1:], None], strict=True):
        made = isinstance(item, Call | Spoke)
        if isinstance(item, Reasoning):
            reasoned = True
            if not isinstance(after, Call | Spoke | Reasoning):
                yield (
                    f"Item '{item.id}' of type 'reasoning' was provided without its required"
                    " following item."
                )
            if not item.encrypted_content and not request.store:
                yield (
                    f"Item with id '{item.id}' not found. Items are not persisted when `store` is"
                    " set to false."
                )
        elif made and item.id and item.id.endswith(REASONED) and not reasoned:
            yield (
                f"Item '{item.id}' of type '{item.type}' was provided without its required"
                " 'reasoning' item."
            )
        elif not made:
            reasoned = False


def _seals(request: ResponsesRequest) -> Iterator[str]:
    for item in request.items:
        if isinstance(item, Reasoning) and not is_sealed(
            item.encrypted_content or "", request.model
        ):
            yield f"The encrypted content for item {item.id} could not be verified."
