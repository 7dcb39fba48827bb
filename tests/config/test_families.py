from __future__ import annotations

import tomllib

import pytest

from harness.config import read_settings
from harness.errors import ConfigError

TEXT = """
[[repos]]
name = "o/r"
[agents.ann]
provider = "anthropic"
model = "{ann}"
[agents.bob]
provider = "openai"
base_url = "https://gateway.example/v1"
model = "{bob}"
[loop]
first = "{first}"
[agents.eve]
provider = "openai"
model = "gpt-8"
fallback = "fay"
[agents.fay]
provider = "openai"
model = "{fay}"
"""


def read(ann: str = "claude-9", bob: str = "gpt-9", fay: str = "gpt-7", first: str = "") -> None:
    text = TEXT.format(ann=ann, bob=bob, fay=fay, first=first)
    named = text.replace('name = "o/r"', 'name = "o/r"\nagents = ["ann", "bob"]')
    read_settings(tomllib.loads(named), "harness.toml")


@pytest.mark.parametrize(
    ("ann", "bob", "both"),
    [
        ("claude-9", "anthropic/claude-8", "Claude"),
        ("gpt-9", "gpt-9-mini", "GPT"),
        ("openai/o5", "codex-9", "GPT"),
        ("qwen-9", "Qwen/Qwen-8", "Qwen"),
        ("house-llm", "house-llm", "house-llm"),
    ],
)
def test_one_family_behind_two_providers_is_refused(ann: str, bob: str, both: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(ann=ann, bob=bob)

    assert str(caught.value) == (
        f"harness.toml: o/r: ann and bob are both {both}; "
        "the two agents must come from different families"
    )


@pytest.mark.parametrize(
    ("ann", "bob"),
    [("claude-9", "gpt-9"), ("claude-9", "qwen-9"), ("one", "another"), ("claude-9", "house-llm")],
)
def test_two_families_are_taken(ann: str, bob: str) -> None:
    read(ann=ann, bob=bob)


def test_a_stand_in_is_of_its_agents_family_wherever_it_is_served() -> None:
    with pytest.raises(ConfigError, match=r"eve\] fallback must be of the same family \(GPT\)"):
        read(fay="anthropic/claude-8")


def test_the_first_of_a_repository_is_one_of_its_two() -> None:
    with pytest.raises(ConfigError, match='first names "eve", who is none of its two agents'):
        read(first="eve")
