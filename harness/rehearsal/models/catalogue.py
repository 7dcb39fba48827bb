"""What the vendors say of a model, of one that is not there, and of a key that is not valid."""

from __future__ import annotations

from harness.facts.turns import Provider
from harness.rehearsal.models.answer import Json
from harness.rehearsal.models.refusal import Refusal
from harness.rehearsal.models.script import Question


def known_model(provider: Provider, model: str) -> Json:
    """GET /v1/models/ID."""
    if provider == "openai":
        return {"id": model, "object": "model", "created": 1_790_000_000, "owned_by": "system"}
    return {
        "id": model,
        "type": "model",
        "display_name": model,
        "created_at": "2026-09-01T00:00:00Z",
        "capabilities": None,
        "max_input_tokens": 1_000_000,
        "max_tokens": 128_000,
        "line": None,
        "lifecycle": "active",
        "deprecated_at": None,
        "retires_at": None,
    }


def no_model(provider: Provider, model: str) -> Refusal:
    """There is none of this name, for this key."""
    if provider == "anthropic":
        return Refusal(404, "not_found_error", f"model: {model}")
    said = f"The model `{model}` does not exist or you do not have access to it."
    return Refusal(404, "model_not_found", said)


def bad_key(provider: Provider) -> Refusal:
    """Nobody has this key, or nobody has it any more."""
    if provider == "anthropic":
        return Refusal(401, "authentication_error", "invalid x-api-key")
    return Refusal(401, "invalid_api_key", "Incorrect API key provided: sk-********wn-3.")


def looking_for(provider: Provider, model: str) -> Question:
    """A look at a model, as the board of faults knows it: by the headline `models`."""
    return Question(provider, model, headline="models", turn=0, brief="", last="")
