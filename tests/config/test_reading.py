"""The config file: what it accepts, and the one sentence it answers to anything else."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from harness.config import load_config, read_settings, the_two
from harness.errors import ConfigError
from harness.facts import settings as facts
from harness.rooms import data_room

GOOD = """
[[repos]]
name = "ada/engine"
check = "true"

[agents.claude]
provider = "anthropic"
model = "claude-opus-5-5"

[agents.gpt]
provider = "openai"
model = "gpt-6.1-sol"
"""


def read(text: str) -> facts.Settings:
    return read_settings(tomllib.loads(text), "harness.toml")


def test_a_minimal_config_takes_the_documented_defaults() -> None:
    settings = read(GOOD)

    assert settings.repos[0].loop == facts.LoopSettings()
    assert settings.limits.dollars_day == 50.0
    assert the_two(settings, settings.repos[0]) == ("claude", "gpt")


def test_a_repositorys_own_keys_win_over_the_shared_ones() -> None:
    text = GOOD.replace('check = "true"', 'check = "true"\n[repos.loop]\nmax_rounds = 1')

    settings = read(text + '\n[loop]\nmax_rounds = 5\nfirst = "gpt"\n')

    assert settings.repos[0].loop.max_rounds == 1
    assert settings.repos[0].loop.first == "gpt"
    assert the_two(settings, settings.repos[0]) == ("gpt", "claude")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("[loop]\nmax_round = 3", 'unknown key "loop.max_round"; did you mean "max_rounds"?'),
        ("[lop]\nfirst = 'gpt'", 'unknown key "lop"; did you mean "loop"?'),
        ("[loop]\nmax_rounds = '3'", '"loop.max_rounds" must be a valid integer'),
        ("[loop]\nmerge = 'fast'", "\"loop.merge\" must be 'squash', 'merge' or 'rebase'"),
        ("[loop]\nfirst = 'gtp'", '[loop] first names the agent "gtp"; did you mean "gpt"?'),
        ("[agents.gpt2]\nprovider = 'openai'\nmodel = 'x'", "needs exactly two agents"),
        ("[[repos]]\nname = 'ada/engine'", "ada/engine stands twice"),
        ("[[repos]]\nname = 'engine'", 'must be "owner/name"'),
        ("[[repos]]\ncheck = 'true'", 'the key "name" is missing'),
        ("[limits]\ndollars_day = 0", '"limits.dollars_day" must be greater than 0'),
        ("[limits]\nturns = 2030-01-01", "dates and times are not used"),
    ],
    ids=lambda value: value.split("\n")[-1][:30],
)
def test_a_wrong_config_is_answered_with_one_clear_sentence(change: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(GOOD + change)

    assert sentence in str(caught.value)
    assert str(caught.value).startswith("harness.toml")
    assert "\n" not in str(caught.value)


def test_two_agents_of_one_family_are_refused() -> None:
    text = GOOD.replace('"anthropic"', '"openai"')

    with pytest.raises(ConfigError, match="must come from different families"):
        read(text)


def test_a_file_that_is_no_toml_is_said_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("[loop\n")

    with pytest.raises(ConfigError, match=r"broken\.toml cannot be read as TOML"):
        load_config(path)


def test_the_example_documents_every_key_with_its_default() -> None:
    text = data_room("config.example.toml").read_text("utf-8")
    uncommented = re.sub(r"(?m)^#(?=[a-z_]+ = |\[)", "", text)

    table = tomllib.loads(uncommented)

    sections = {
        "github": facts.GithubSettings,
        "loop": facts.LoopSettings,
        "triage": facts.TriageSettings,
        "commit": facts.CommitSettings,
        "limits": facts.LimitSettings,
        "sandbox": facts.SandboxSettings,
        "protected": facts.ProtectedSettings,
        "notify": facts.NotifySettings,
    }
    for name, shape in sections.items():
        shown = shape.model_validate_json(json.dumps(table[name]))
        assert set(table[name]) == set(shape.model_fields), name
        assert (
            shown.model_copy(update={"first": ""}) == shape()
            if name == "loop"
            else shown == shape()
        )
    own = set(facts.RepoSettings.model_fields) - {"loop", "triage", "limits", "protected"}
    assert own == set(table["repos"][0]) - {"loop"}
    assert set(facts.AgentSettings.model_fields) == set(table["agents"]["claude"])


def test_the_example_as_it_stands_is_a_valid_config() -> None:
    settings = load_config(data_room("config.example.toml"))

    assert the_two(settings, settings.repos[0]) == ("claude", "gpt")
