from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from harness.rehearsal.models.tokens import (
    LIFETIMES,
    BreakpointCache,
    Piece,
    PrefixCache,
    Split,
    count,
)

NOW = datetime(2026, 12, 1, tzinfo=UTC)
MINUTES = LIFETIMES["5m"]


def piece(tokens: int, mark: timedelta | None = None, letter: str = "x") -> Piece:
    return Piece(letter * (tokens * 4), mark)


def test_four_characters_are_a_token() -> None:
    assert [count(text) for text in ("", "a", "abcd", "abcde")] == [0, 1, 1, 2]


def test_what_is_written_is_read_within_its_lifetime() -> None:
    cache = BreakpointCache()
    prompt = [piece(2_000, MINUTES), piece(50)]

    first = cache.split("m", prompt, NOW)
    soon = cache.split("m", prompt, NOW + timedelta(minutes=4))
    kept = cache.split("m", prompt, NOW + timedelta(minutes=8))
    late = cache.split("m", prompt, NOW + timedelta(minutes=14))

    assert first == late == Split(read=0, write=2_000, plain=50)
    assert soon == kept == Split(read=2_000, write=0, plain=50)


def test_an_hour_is_an_hour() -> None:
    cache = BreakpointCache()
    prompt = [piece(2_000, LIFETIMES["1h"])]
    cache.split("m", prompt, NOW)

    assert cache.split("m", prompt, NOW + timedelta(minutes=59)).read == 2_000


@pytest.mark.parametrize(
    ("first", "second", "read"),
    [
        ([piece(1_023, MINUTES)], [piece(1_023, MINUTES)], 0),
        ([piece(1_024, MINUTES)], [piece(1_024, MINUTES)], 1_024),
        ([piece(2_000)], [piece(2_000, MINUTES)], 0),
        ([piece(2_000, MINUTES)], [piece(2_000), piece(9, MINUTES)], 2_000),
        ([piece(2_000, MINUTES)], [piece(2_000, None, "y"), piece(9, MINUTES)], 0),
        ([piece(2_000, MINUTES)], [piece(2_000), *[piece(1)] * 18, piece(1, MINUTES)], 2_000),
        ([piece(2_000, MINUTES)], [piece(2_000), *[piece(1)] * 19, piece(1, MINUTES)], 0),
    ],
    ids=["too-short", "long-enough", "unmarked", "longer", "other", "within-20", "beyond-20"],
)
def test_what_anthropic_reads(first: list[Piece], second: list[Piece], read: int) -> None:
    cache = BreakpointCache()
    cache.split("m", first, NOW)

    assert cache.split("m", second, NOW).read == read


def test_another_model_has_another_cache() -> None:
    cache = BreakpointCache()
    cache.split("m", [piece(2_000, MINUTES)], NOW)

    assert cache.split("n", [piece(2_000, MINUTES)], NOW).read == 0


@pytest.mark.parametrize(
    ("first", "second", "split"),
    [
        ("x" * 4_000, "x" * 4_000, Split(0, 0, 1_000)),
        ("x" * 4_096, "x" * 4_096, Split(1_024, 0, 0)),
        ("x" * 8_000, "x" * 8_000, Split(1_920, 0, 80)),
        ("x" * 8_000, "x" * 6_000 + "y" * 2_000, Split(1_408, 512, 80)),
        ("x" * 8_000, "y" + "x" * 7_999, Split(0, 1_920, 80)),
    ],
)
def test_what_openai_reads(first: str, second: str, split: Split) -> None:
    cache = PrefixCache()
    cache.split("m", "key", first, NOW)

    assert cache.split("m", "key", second, NOW) == split


def test_a_cache_key_keeps_exchanges_apart_and_half_an_hour_ends_them() -> None:
    cache = PrefixCache()
    cache.split("m", "key", "x" * 8_000, NOW)

    assert cache.split("m", "other", "x" * 8_000, NOW).read == 0
    assert cache.split("m", "key", "x" * 8_000, NOW + timedelta(minutes=30)).read == 0
