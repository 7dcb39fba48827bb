"""What the scanner adds to exact matches and common shapes."""

from __future__ import annotations

import base64
import tomllib

import pytest

from harness.config import read_settings
from harness.edges.secrets import find_secrets, has_scanner
from harness.wiring import House, open_house

CONFIG = """
[[repos]]
name = "ada/engine"
[agents.a]
provider = "anthropic"
model = "claude-opus-5-5"
[agents.b]
provider = "openai"
model = "gpt-6.1-sol"
"""
STRIPE = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dcAbC"
SLACK = "https://hooks.slack.com/services/" + "T01234567/B01234567/abcdefghijklmnopqrstuvwx"


@pytest.fixture
def house() -> House:
    settings = read_settings(tomllib.loads(CONFIG), "harness.toml")
    return open_house(settings, {"GITHUB_TOKEN": "an-operators-own-token"})


def test_the_scanner_is_installed() -> None:
    assert has_scanner()


@pytest.mark.parametrize("secret", [STRIPE, SLACK], ids=["stripe", "slack"])
def test_a_known_kind_of_secret_does_not_leave(house: House, secret: str) -> None:
    assert secret not in house.mask(f"url = '{secret}'\n")


def test_a_long_text_of_many_secrets_costs_what_its_length_costs(house: House) -> None:
    lines = "".join(f"u = '{SLACK.replace('T01', f'T{n:04}')}'\n" for n in range(1_000))
    data = ("MIIEpAIBAAKCAQEA" * 4 + "\n") * 8_000

    masked = house.mask(f"{lines}{data}")

    assert "hooks.slack.com" not in masked
    assert masked.endswith(data)


def test_our_own_secrets_do_not_leave_whatever_they_look_like(house: House) -> None:
    assert "an-operators-own-token" not in house.mask("it is an-operators-own-token.")


def test_masking_twice_changes_nothing_more(house: House) -> None:
    once = house.mask(f"a {STRIPE} b an-operators-own-token c")

    assert house.mask(once) == once


@pytest.mark.parametrize(
    "code",
    [
        'password = os.environ["DB_PASSWORD"]',
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "commit 8ab9bc9487f3cb7eb7d2b6c5b2a9d0f1e4c3a2b1",
        "token = read_token(path)",
    ],
)
def test_code_stays_code(house: House, code: str) -> None:
    assert house.mask(code) == code


def test_a_text_without_secrets_has_none() -> None:
    assert find_secrets("nothing to see\n" * 100) == ()
    assert find_secrets("") == ()


def test_a_text_cannot_excuse_itself_from_the_scanner(house: House) -> None:
    assert STRIPE not in house.mask(f"url = '{STRIPE}'  # gitleaks:allow\n")
    assert find_secrets(f"url = '{STRIPE}'  # betterleaks:ALLOW\n") == (STRIPE,)


PEM = "-----BEGIN PRIVATE KEY-----\n" + "q8ZtY3LmVb7RwX2c\n" * 3 + "-----END PRIVATE KEY-----\n"


@pytest.fixture
def app_house() -> House:
    """One that logs in as an App, and was issued a token since."""
    given = tomllib.loads(f'[github]\nauth = "app"\napp_id = 7\n{CONFIG}')
    house = open_house(read_settings(given, "harness.toml"), {"HARNESS_APP_KEY": PEM})
    house.issued.add("installation-token-of-an-hour")
    return house


@pytest.mark.parametrize(
    "secret",
    ["installation-token-of-an-hour", base64.b64encode(PEM.encode()).decode()],
    ids=["an installation's token", "the private key"],
)
def test_the_secrets_of_an_app_neither_leave_nor_are_pushed(app_house: House, secret: str) -> None:
    assert secret.rstrip("=") not in app_house.mask(f"it is {secret}.")
    assert [one.ours for one in app_house.spot(f"it is {secret}.")][:1] == [True]
    assert app_house.quotes_ours(f"it is {secret}.")
