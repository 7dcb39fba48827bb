"""Looking whether a key may ask a model: one free request that ends soon."""

from __future__ import annotations

from contextlib import closing

import pytest

from harness.edges.anthropic_turns import AnthropicTurns
from harness.edges.openai_turns import OpenAITurns
from harness.edges.told import Unreadable
from harness.edges.vendor import read_model
from harness.errors import VendorError
from harness.rehearsal.models import ModelDouble, Tale
from tests.edges.turns.conftest import MODELS, Hands

TURNS = {"anthropic": AnthropicTurns, "openai": OpenAITurns}


@pytest.mark.parametrize("vendor", ["anthropic", "openai"])
def test_a_model_that_may_be_asked_is_found_without_a_question(vendor: str) -> None:
    with (
        ModelDouble(Tale()) as models,
        closing(TURNS[vendor](lambda: "key", models.url, clock=Hands())) as turns,
    ):
        turns.find_model(MODELS[vendor])

        assert models.requests == ()


@pytest.mark.parametrize("vendor", ["anthropic", "openai"])
def test_an_address_where_nobody_listens_is_unreachable(vendor: str) -> None:
    with (
        closing(TURNS[vendor](lambda: "key", "http://127.0.0.1:9", clock=Hands())) as turns,
        pytest.raises(VendorError) as caught,
    ):
        turns.find_model(MODELS[vendor])

    assert caught.value.reason == "unreachable"


def test_an_answer_that_drips_is_not_waited_for() -> None:
    clock = Hands()
    clock.ticks = 6.0

    with pytest.raises(VendorError) as caught:
        read_model(iter([b"{", b" ", b" ", b" "]), clock, "Anthropic", 15.0)

    assert caught.value.reason == "unreachable"


def test_a_retired_model_cannot_be_asked() -> None:
    told = b'{"id": "claude-old", "lifecycle": "retired"}'

    with pytest.raises(VendorError) as caught:
        read_model([told], Hands(), "Anthropic", 15.0)

    assert caught.value.reason == "misconfigured"
    assert "claude-old is retired" in str(caught.value)


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"3", b"{}", b'{"id": 3}', b"\xff"])
def test_what_is_no_model_cannot_be_read(body: bytes) -> None:
    with pytest.raises(Unreadable):
        read_model([body], Hands(), "OpenAI", 15.0)
