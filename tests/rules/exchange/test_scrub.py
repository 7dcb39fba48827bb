from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.rules.scrub import MASK, find_ours, find_shapes, scrub

OURS = "s3cr3t-Value/with+signs=" + "x" * 12
GITHUB = "ghp_" + "a1B2" * 9
ANTHROPIC = "sk-ant-api03-" + "Ab1_" * 20
OPENAI = "sk-proj-" + "Ab1-" * 20
KEY = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    + ("MIIEpAIBAAKCAQEA" * 4 + "\n") * 3
    + "-----END RSA PRIVATE KEY-----"
)


@pytest.mark.parametrize(
    "secret",
    [
        OURS,
        base64.b64encode(OURS.encode()).decode().rstrip("="),
        base64.b64encode(f"x-access-token:{OURS}".encode()).decode(),
        "s3cr3t-Value%2Fwith%2Bsigns%3D" + "x" * 12,
        GITHUB,
        "github_pat_" + "a1B2_" * 16,
        ANTHROPIC,
        OPENAI,
        "AKIA" + "ABCD1234" * 2,
        "xoxb-1234567890-abcdefghij",
        "glpat-" + "a1B2" * 5,
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
        KEY,
        KEY.removesuffix("-----END RSA PRIVATE KEY-----"),
        KEY.removeprefix("-----BEGIN RSA PRIVATE KEY-----"),
        KEY.replace("\n", "\\n"),
    ],
)
@pytest.mark.parametrize("around", ["{}", 'token = "{}"', "a {} b", "x={}&y", "({})\n"])
def test_a_secret_never_leaves_and_masking_twice_changes_nothing(secret: str, around: str) -> None:
    text = around.format(secret)

    masked = scrub(text, [OURS])

    assert secret not in masked
    assert secret.strip()[40:60] not in masked or len(secret) < 60
    assert MASK in masked
    assert scrub(masked, [OURS]) == masked


ODD = 'it\'s "p&ss"/wörd<x>+' + "q9" * 6


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


WRITTEN: dict[str, Callable[[str], str]] = {
    "after a user": lambda one: _base64(f"git:{one}"),
    "before a user": lambda one: _base64(f"{one}:x-oauth-basic"),
    "as git sends it": lambda one: _base64(f"x-access-token:{one}"),
    "one letter in": lambda one: _base64(f"a{one}b"),
    "two letters in": lambda one: _base64(f"ab{one}\n"),
    "for addresses": lambda one: base64.urlsafe_b64encode(f"abc{one}".encode()).decode(),
    "in an address": lambda one: quote(one, safe=""),
    "in a path": quote,
    "in a form": quote_plus,
    "lower": lambda one: re.sub("%..", lambda code: code[0].lower(), quote(one, safe="")),
    "every byte": lambda one: "".join(f"%{byte:02X}" for byte in one.encode()),
    "every byte, lower": lambda one: "".join(f"%{byte:02x}" for byte in one.encode()),
    "hex": lambda one: one.encode().hex(),
    "hex, upper": lambda one: one.encode().hex().upper(),
    "json": json.dumps,
    "json in json": lambda one: json.dumps(json.dumps(one)),
    "json, not ascii": lambda one: json.dumps(one, ensure_ascii=False),
    "html": html.escape,
    "html, quotes kept": lambda one: html.escape(one, quote=False),
    "html of others": lambda one: html.escape(one).replace("&#x27;", "&#39;"),
}


@pytest.mark.parametrize("secret", [OURS, ODD], ids=["plain", "odd"])
@pytest.mark.parametrize("write", WRITTEN.values(), ids=WRITTEN)
def test_a_secret_of_ours_is_masked_however_it_is_written(
    secret: str, write: Callable[[str], str]
) -> None:
    written = write(secret).rstrip("=")

    masked = scrub(f"a {written} b", [secret])

    assert MASK in masked
    assert written[24:32] not in masked
    assert find_ours(f"a {written} b", [secret])
    assert scrub(masked, [secret]) == masked


def test_each_line_of_a_key_of_ours_is_masked_wherever_it_stands() -> None:
    line = "q8ZtY3LmVb7RwX2c" * 4
    key = f"-----BEGIN PRIVATE KEY-----\n{line}\nshort\n-----END PRIVATE KEY-----\n"

    assert line not in scrub(f"+{line}\n 3 | {line}", [key])
    assert scrub("-----BEGIN PRIVATE KEY-----\nshort", [key]).endswith("short")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("https://user:hunter2@example.org/x", "https://[masked]@example.org/x"),
        (f"https://{GITHUB}@github.com/a/b.git", "https://[masked]@github.com/a/b.git"),
        ("Authorization: Bearer abcdefghijklm", "Authorization: Bearer [masked]"),
        ('"x-api-key": "abcdef1234567890"', '"x-api-key": "[masked]"'),
        (r"{\"x-api-key\": \"abcdef1234567890\"}", r"{\"x-api-key\": \"[masked]\"}"),
        (f"leaked {GITHUB} here", "leaked ghp_...[masked] here"),
        (f"{KEY}\nnext", "[masked]\nnext"),
    ],
    ids=[
        "password",
        "token as user",
        "bearer",
        "api key",
        "api key in json",
        "four characters",
        "key",
    ],
)
def test_a_mask_leaves_what_is_around_it(text: str, masked: str) -> None:
    assert scrub(text) == masked


MIXED, HEX, DIGITS = "a1B2c3D4" * 20, "0a1b2c3d" * 8, "1234567890" * 2


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"aws_secret_access_key = {MIXED[:40]}", MIXED[:40]),
        (f'export AWS_SECRET_ACCESS_KEY="{MIXED[:38]}/+"', f"{MIXED[:38]}/+"),
        (f'"awsSecretAccessKey": "{MIXED[:40]}",', MIXED[:40]),
        (json.dumps(f'aws_secret_access_key = "{MIXED[:40]}"'), MIXED[:40]),
        (json.dumps(json.dumps({"awsSecretAccessKey": MIXED[:40]})), MIXED[:40]),
        (f"AccountName=shop;AccountKey={MIXED[:86]}==;EndpointSuffix=x", MIXED[:86]),
        (f"SharedAccessKey={MIXED[:43]}=", MIXED[:43]),
        (f"client_secret=a1B8Q~{MIXED[:34]}", f"8Q~{MIXED[:34]}"),
        (f"GOCSPX-{MIXED[:28]}", MIXED[:28]),
        (f"ya29.{MIXED[:100]}", MIXED[:100]),
        (f"whsec_{MIXED[:32]}", MIXED[:32]),
        (f"sid = 'SK{HEX[:32]}'", HEX[:32]),
        (f"TWILIO_AUTH_TOKEN={HEX[:32]}", HEX[:32]),
        (f"bot 123456789:AA{MIXED[:33]}", MIXED[:33]),
        (f"https://discord.com/api/webhooks/{DIGITS[:18]}/{MIXED[:68]}", MIXED[:68]),
        (f"https://discordapp.com/api/v10/webhooks/{DIGITS[:19]}/{MIXED[:68]}", MIXED[:68]),
    ],
    ids=[
        "aws",
        "aws exported",
        "aws in json",
        "aws in code in json",
        "aws in json in json",
        "azure storage",
        "azure bus",
        "azure client",
        "google client",
        "google access",
        "stripe hook",
        "twilio key",
        "twilio token",
        "telegram",
        "discord",
        "discord before",
    ],
)
def test_a_known_shape_is_masked_and_found(text: str, secret: str) -> None:
    masked = scrub(text)

    assert secret not in masked
    assert MASK in masked
    assert any(secret in one for one in find_shapes(text))
    assert scrub(masked) == masked


@pytest.mark.parametrize(
    "code",
    [
        "git@github.com:owner/name.git",
        "ssh://git@github.com/owner/name",
        'f"https://{user}:{password}@{host}"',
        "https://example.org/@scope/package",
        'headers["Authorization"] = build_header(token)',
        "authorization: required",
        "Authorization: Bearer $TOKEN",
        "x-api-key: api_key_of_the_agent",
        "the task-management-service-with-a-long-name",
        "sk-spinner-with-a-long-class-name",
        "-----BEGIN PRIVATE KEY-----",
        "sha256:" + "0123456789abcdef" * 4,
        "commit 1234567890abcdef1234567890abcdef12345678",
        "import ghp_module",
        "aws_secret_access_key = read_secret(vault)",
        "AWS_SECRET_ACCESS_KEY: ${{ secrets.AWS_SECRET_ACCESS_KEY }}",
        "AccountKey=<your-key>",
        "twilio_auth_token = settings.twilio_auth_token",
        "https://discord.com/api/webhooks/123456789012345678/token",
        "SK" + "0123456789abcdef" * 4,
        "10:30:59 12345678:AAA",
    ],
)
def test_code_stays_code(code: str) -> None:
    assert scrub(code) == code


def test_a_secret_inside_another_is_masked_with_it() -> None:
    assert scrub("abcdefgh-1234", ["abcdefgh", "abcdefgh-1234"]) == MASK


def test_what_is_too_short_to_be_told_apart_is_left() -> None:
    assert scrub("abc masked", ["abc", "", "masked"]) == "abc masked"


@given(st.text(alphabet="ab:/@ \n-_.=Authorizn[]msked1GHghp_{}", max_size=80))
def test_masking_is_stable(text: str) -> None:
    once = scrub(text, ["aaaaaaaa"])

    assert scrub(once, ["aaaaaaaa"]) == once


def test_long_hostile_text_is_masked_in_good_time() -> None:
    hostile = "-----BEGIN RSA PRIVATE KEY-----\n" * 2_000 + "." + "eyJ" * 20_000 + "sk-" * 20_000

    assert scrub(hostile).count("PRIVATE KEY") == 2_000


@pytest.mark.parametrize(
    "line",
    ["MIIEpAIBAAKCAQEA" * 4, "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"],
    ids=["data", "begins", "ends"],
)
def test_a_long_file_of_one_line_costs_what_its_length_costs(line: str) -> None:
    text = f"{line}\n" * 60_000

    assert find_shapes(text) == ()
    assert scrub(text) == text


def test_a_long_tail_of_a_key_is_masked_from_its_first_line() -> None:
    tail = ("MIIEpAIBAAKCAQEA" * 4 + "\n") * 50

    assert scrub(f"before\n{tail}-----END RSA PRIVATE KEY-----\nafter") == (
        f"before\n{MASK}\nafter"
    )
