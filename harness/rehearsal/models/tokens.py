"""Counting tokens, and the two vendors' prompt caches."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

_CHARS_PER_TOKEN = 4
SMALLEST = 1_024  # tokens below which neither vendor caches
_LOOK_BACK = 20  # blocks before a breakpoint in which Anthropic looks for an earlier write
_STEP = 128  # tokens by which OpenAI's cached prefixes grow
LIFETIMES = {"5m": timedelta(minutes=5), "1h": timedelta(hours=1)}
_OPENAI_LIFETIME = timedelta(minutes=30)


def count(text: str) -> int:
    """A deterministic estimate."""
    return -(-len(text) // _CHARS_PER_TOKEN)


@dataclass(frozen=True)
class Split:
    """Input tokens: read from the cache, written to it, and neither."""

    read: int
    write: int
    plain: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.read + self.write + self.plain


@dataclass(frozen=True)
class Piece:
    """A block of a prompt in the order of the cache: its text and its breakpoint's lifetime."""

    text: str
    breakpoint: timedelta | None = None


class _Entries:
    def __init__(self) -> None:
        self._until: dict[str, datetime] = {}
        self.lock = threading.Lock()  # one request reads and writes entries as a whole

    def is_alive(self, key: str, now: datetime) -> bool:
        return self._until.get(key, now) > now

    def keep(self, key: str, until: datetime) -> None:
        self._until[key] = max(until, self._until.get(key, until))


def _chain(texts: Sequence[str], seed: str) -> list[str]:
    keys, state = [], seed
    for text in texts:
        state = hashlib.sha256(f"{state}\0{text}".encode("utf-8", "replace")).hexdigest()
        keys.append(state)
    return keys


class BreakpointCache:
    """Anthropic's: entries are written at breakpoints, read up to 20 blocks before one.

    Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
    """

    def __init__(self) -> None:
        self._entries = _Entries()

    def split(self, model: str, pieces: Sequence[Piece], now: datetime) -> Split:
        """How this prompt is billed; remembers what it writes."""
        keys = _chain([piece.text for piece in pieces], model)
        upto, total = [], 0
        for piece in pieces:
            total += count(piece.text)
            upto.append(total)
        marks = [
            (at, piece.breakpoint)
            for at, piece in enumerate(pieces)
            if piece.breakpoint and upto[at] >= SMALLEST
        ]
        with self._entries.lock:
            read = max((self._read(at, keys, upto, life, now) for at, life in marks), default=0)
            for at, life in marks:
                self._entries.keep(keys[at], now + life)
        write = max(0, upto[marks[-1][0]] - read) if marks else 0
        return Split(read, write, total - read - write)

    def _read(
        self, mark: int, keys: list[str], upto: list[int], life: timedelta, now: datetime
    ) -> int:
        for at in range(mark, max(-1, mark - _LOOK_BACK), -1):
            if upto[at] >= SMALLEST and self._entries.is_alive(keys[at], now):
                self._entries.keep(keys[at], now + life)
                return upto[at]
        return 0


class PrefixCache:
    """OpenAI's: prefixes of 1,024 tokens and more are kept by themselves, in steps of 128.

    Source: https://developers.openai.com/api/docs/guides/prompt-caching
    """

    def __init__(self) -> None:
        self._entries = _Entries()

    def split(self, model: str, cache_key: str, prompt: str, now: datetime) -> Split:
        """How this prompt is billed; remembers it."""
        total, width = count(prompt), _STEP * _CHARS_PER_TOKEN
        whole = len(prompt) // width
        keys = _chain(
            [prompt[n * width : (n + 1) * width] for n in range(whole)], model + cache_key
        )
        with self._entries.lock:
            alive = [n for n, key in enumerate(keys, 1) if self._entries.is_alive(key, now)]
            for key in keys:
                self._entries.keep(key, now + _OPENAI_LIFETIME)
        read = max((n * _STEP for n in alive if n * _STEP >= SMALLEST), default=0)
        write = max(0, whole * _STEP - read) if whole * _STEP >= SMALLEST else 0
        return Split(read, write, total - read - write)
