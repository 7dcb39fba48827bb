from __future__ import annotations

import pytest

from harness.rules.strict_json import StrictJsonError, last_json, load_object


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("", "is empty", id="nothing"),
        pytest.param("  \n", "is empty", id="blanks"),
        pytest.param("I looked at it and it is fine.", "not one JSON object", id="prose"),
        pytest.param("[]", "not a JSON object", id="a list"),
        pytest.param("null", "not a JSON object", id="null"),
        pytest.param('{"a": 1} Done.', "Extra data at line 1 column 10", id="text behind it"),
        pytest.param('Here: {"a": 1}', "not one JSON object", id="text before it"),
        pytest.param('{"a": 1}{"a": 2}', "Extra data", id="two objects"),
        pytest.param('{"a": 1, "a": 1}', "key 'a' is there twice", id="a key twice"),
        pytest.param('{"x": [{"a": 1, "a": 2}]}', "key 'a' is there twice", id="twice below"),
        pytest.param('{"a": NaN}', "NaN is not JSON", id="NaN"),
        pytest.param('{"a": -Infinity}', "-Infinity is not JSON", id="infinity"),
        pytest.param('{"a": 1', "not one JSON object", id="cut off"),
        pytest.param("{'a': 1}", "not one JSON object", id="single quotes"),
        pytest.param('{"a": 1,}', "not one JSON object", id="trailing comma"),
        pytest.param('```json\n{"a": 1}\n```', "not one JSON object", id="in a code fence"),
        pytest.param('{"a": -1}', "integer -1 is out of range", id="below zero"),
        pytest.param('{"a": 2147483648}', "out of range", id="too large"),
        pytest.param('{"a": ' + "9" * 5_000 + "}", "out of range", id="endless digits"),
        pytest.param('{"a": "\\ud800"}', "half of a surrogate pair", id="half a surrogate"),
        pytest.param('{"a": ' + "[" * 100_000, "nested too deeply", id="deep"),
        pytest.param('{"a": "b\nc"}', "Invalid control character", id="raw newline in a string"),
    ],
)
def test_what_is_not_strictly_one_object_is_named(text: str, complaint: str) -> None:
    with pytest.raises(StrictJsonError, match=complaint.replace("(", r"\(")):
        load_object(text)


def test_one_object_is_read_with_blanks_around_it() -> None:
    assert load_object(' \n{"a": {"b": [1, "é", "\\ud83d\\ude00"]}}\n') == {
        "a": {"b": [1, "é", "😀"]}
    }


@pytest.mark.parametrize(
    ("text", "last"),
    [
        pytest.param('{"a": 1}', '{"a": 1}', id="one"),
        pytest.param('{"a": 1}{"a": 2}', '{"a": 2}', id="two"),
        pytest.param('{"a": 1}\n\n {"a": "}{"} ', '{"a": "}{"} ', id="braces in strings"),
        pytest.param('{"a": 1}\n{"a": 2', '{"a": 1}\n{"a": 2', id="the last is cut off"),
        pytest.param('No. {"a": 2}', 'No. {"a": 2}', id="prose before"),
        pytest.param('{"a": 1} then {"a": 2}', '{"a": 1} then {"a": 2}', id="prose between"),
        pytest.param('{"a": 1} wait', '{"a": 1} wait', id="prose behind"),
        pytest.param("prose", "prose", id="prose"),
        pytest.param("", "", id="nothing"),
        pytest.param("[1] [2]", "[1] [2]", id="no objects"),
    ],
)
def test_of_several_complete_objects_the_last_is_the_answer(text: str, last: str) -> None:
    assert last_json(text) == last
