from __future__ import annotations

import pytest

from harness.words.turned_away import turned_away_sentence


@pytest.mark.parametrize(
    ("why", "remedy"),
    [
        ("unauthorised", "put a key in KEY that is valid for this model"),
        ("unpaid", "add credit or raise the limit there, or put another account's key in KEY"),
        ("misconfigured", "set model, effort and base_url under [agents.gpt] to what KEY may use"),
    ],
)
def test_one_sentence_names_the_agent_what_was_said_and_what_to_do(why: str, remedy: str) -> None:
    assert turned_away_sentence("gpt", "gpt-9", why, "OpenAI: 401 No.", variable="KEY") == (
        "agent gpt (gpt-9) is not asked any more, its vendor turns it away (OpenAI: 401 No): "
        f"{remedy}, then run the same command; it goes on where it stopped"
    )
