"""Whatever stands at a key of the config: settings, or one sentence that names the key."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.config import read_settings
from harness.errors import ConfigError
from harness.facts.settings import Settings
from harness.rooms import data_room
from harness.rules.budget import NO_CAP, caps_of

Path = tuple[str | int, ...]

_TEXT = data_room("config.example.toml").read_text("utf-8")
EXAMPLE: dict[str, Any] = tomllib.loads(re.sub(r"(?m)^#(?=[a-z_]+ = |\[)", "", _TEXT))
EXAMPLE["repos"][0] |= {name: EXAMPLE[name] for name in ("triage", "limits", "protected")}
EXAMPLE["repos"][0]["loop"] = EXAMPLE["loop"]

OF_TYPE: dict[type, st.SearchStrategy[Any]] = {
    bool: st.booleans(),
    int: st.integers(min_value=-(2**70), max_value=2**70),
    float: st.floats(),
    str: st.text(),
    list: st.lists(st.booleans(), min_size=1),
    dict: st.dictionaries(st.text(), st.booleans()),
    date: st.dates(),
}
NUMBERS = st.one_of(
    st.floats(), st.integers(), st.sampled_from([math.inf, -math.inf, math.nan, 1e300, 10**400])
)


def walk(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place of a table."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if path == ("repos",) else inner
    for key, one in inner:
        yield from walk(one, (*path, key))


def at(path: Path) -> Any:
    value: Any = EXAMPLE
    for part in path:
        value = value[part]
    return value


def put(path: Path, value: Any) -> dict[str, Any]:
    """The example with this value in this place."""
    table = deepcopy(EXAMPLE)
    inner: Any = table
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    return table


PLACES = list(walk(EXAMPLE))
NUMBER_PLACES = [path for path in PLACES if type(at(path)) in {int, float}]
TEXT_PLACES = [path for path in PLACES if isinstance(at(path), str)]


def read(table: dict[str, Any]) -> Settings:
    return read_settings(table, "harness.toml")


@st.composite
def wrong(draw: st.DrawFn) -> tuple[Path, Any]:
    path = draw(st.sampled_from(PLACES))
    right = {type(at(path))} | ({int} if isinstance(at(path), float) else set())
    kind = draw(st.sampled_from([kind for kind in OF_TYPE if kind not in right]))
    return path, draw(OF_TYPE[kind])


def test_the_example_with_every_key_shown_is_valid() -> None:
    assert read(EXAMPLE).repos[0].name == "owner/name"


@given(wrong())
def test_a_value_of_the_wrong_type_is_one_sentence_that_names_its_key(
    one: tuple[Path, Any],
) -> None:
    path, value = one

    with pytest.raises(ConfigError) as caught:
        read(put(path, value))

    said = str(caught.value)
    assert "\n" not in said
    assert str(path[-1]) in said or "dates" in said or path[-1] == 0


@given(st.sampled_from(NUMBER_PLACES), NUMBERS)
def test_every_number_is_finite_and_bounded(path: Path, value: float) -> None:
    try:
        settings = read(put(path, value))
    except ConfigError as error:
        assert str(path[-1]) in str(error)  # noqa: PT017 - either is right
        return

    caps = caps_of(settings.repos[0].limits, settings.limits, 1)
    assert 0 <= max(caps.item, caps.exchange, caps.repo_day, caps.day) < NO_CAP
    assert math.isfinite(value)
    assert abs(value) < 2**53


@given(st.sampled_from(TEXT_PLACES), st.text(st.characters(codec="utf-8")))
def test_any_text_is_taken_or_refused_in_one_sentence(path: Path, value: str) -> None:
    try:
        settings = read(put(path, value))
    except ConfigError as error:
        assert "\n" not in str(error)  # noqa: PT017 - either is right
        return

    assert "\0" not in settings.model_dump_json()
    assert "\\u00" not in settings.model_dump_json()


def test_a_price_has_its_keys_and_no_others() -> None:
    table = put(("prices", "some-model", "cach_read"), 1.0)

    with pytest.raises(ConfigError, match=r'unknown key "prices\.some-model\.cach_read"; did you'):
        read(table)


def test_a_key_that_no_terminal_shows_is_refused() -> None:
    with pytest.raises(ConfigError, match=r'"a\\nb" must be one line') as caught:
        read(put(("a\nb",), 1))

    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["a\n<b@c>", "x\n <a@b>", "ada", "", "<a@b>", "a <>", "a\x1b <b>"])
def test_an_author_is_a_name_and_an_address_on_one_line(text: str) -> None:
    with pytest.raises(ConfigError, match=r"commit\.author"):
        read(put(("commit", "author"), text))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no http address"),
        ("api.github.com", "no http address"),
        ("ftp://host/x", "no http address"),
        ("https://", "no http address"),
        ("https://host:99999", "no http address"),
        ("https://[::1", "no http address"),
        ("https://ho st/api", "no http address"),
        ("https://host/api?x=1", "no http address"),
        ("https://ada:hunter2@host/api", "carries a credential"),
    ],
)
@pytest.mark.parametrize("path", [("github", "api_url"), ("agents", "claude", "base_url")])
def test_an_address_is_http_with_a_host_and_without_a_credential(
    path: Path, text: str, why: str
) -> None:
    if not text and path[-1] == "base_url":
        assert read(put(path, text)).agents["claude"].base_url == ""
        return

    with pytest.raises(ConfigError, match=why) as caught:
        read(put(path, text))

    assert str(path[-1]) in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("text", ["git@host:a/b.git", "ext::sh -c x", "https://ada:x@host/a.git"])
def test_a_git_url_is_one_that_git_fetches_without_a_program(text: str) -> None:
    with pytest.raises(ConfigError, match="git_url"):
        read(put(("repos", 0, "git_url"), text))


@pytest.mark.parametrize("text", ["../x", "/etc/passwd", "a/../../b", ""])
def test_a_document_is_a_path_inside_the_repository(text: str) -> None:
    with pytest.raises(ConfigError, match="documents"):
        read(put(("repos", 0, "documents"), [text]))


@pytest.mark.parametrize("text", ["../*.xml", "/etc/*.xml", "a/../../*.xml"])
def test_junit_files_are_inside_the_repository(text: str) -> None:
    with pytest.raises(ConfigError, match="junit"):
        read(put(("repos", 0, "junit"), text))


@pytest.mark.parametrize("text", ["state", "./state", "a/b"])
def test_the_state_directory_does_not_depend_on_where_one_stands(text: str) -> None:
    with pytest.raises(ConfigError, match=r"write the whole path, or one from ~"):
        read(put(("paths", "state"), text))


@pytest.mark.parametrize("name", ["", "../x y", "a/b", "-a", "a" * 41, "ä"])
def test_the_name_of_an_agent_can_stand_in_a_path_and_a_line(name: str) -> None:
    table = deepcopy(EXAMPLE)
    table["agents"][name] = table["agents"].pop("gpt")

    with pytest.raises(ConfigError, match="is no name"):
        read(table)


@pytest.mark.parametrize(
    "path",
    [("github", "token_env"), ("github", "private_key_env"), ("agents", "gpt", "api_key_env")],
    ids=lambda path: path[-1],
)
@pytest.mark.parametrize("text", ["A-B", "1A", "ghp_x y", "$TOKEN"])
def test_a_variable_has_a_name_that_shells_take(path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match=str(path[-1])):
        read(put(path, text))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("github", "token_env"), ""),
        (("agents", "gpt", "model"), ""),
        (("agents", "gpt", "model"), "  "),
        (("triage", "go_label"), ""),
        (("triage", "skip_labels"), [""]),
    ],
    ids=str,
)
def test_what_has_to_say_something_is_not_empty(path: Path, value: Any) -> None:
    with pytest.raises(ConfigError, match=str(path[-1])):
        read(put(path, value))


def test_one_label_does_not_mean_go_and_skip() -> None:
    with pytest.raises(ConfigError, match="it cannot mean both"):
        read(put(("triage", "skip_labels"), ["Harness: GO"]))


def test_a_state_directory_in_nobodys_home_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"\[paths\] state"):
        read(put(("paths", "state"), "~nobody-has-this-name/state"))


def test_an_agent_does_not_stand_in_for_itself() -> None:
    with pytest.raises(ConfigError, match=r"\[agents\.gpt\] fallback is the agent itself"):
        read(put(("agents", "gpt", "fallback"), "gpt"))


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 5_000, "a" + ".a" * 5_000 + " = 1", "x = " + "9" * 5_000]
)
def test_a_file_that_is_made_to_break_readers_is_refused(text: str, tmp_path: Any) -> None:
    from harness.config import load_config

    path = tmp_path / "harness.toml"
    path.write_text(text)

    with pytest.raises(ConfigError):
        load_config(path)
