"""Escaping changes what a text is read as, so it is done again until nothing changes any more."""

from __future__ import annotations

from collections.abc import Callable

_MOST_ROUNDS = 20


def until_stable(text: str, once: Callable[[str], str]) -> str:
    """The text after as many rounds of `once` as it takes."""
    for _ in range(_MOST_ROUNDS):
        done = once(text)
        if done == text:
            return done
        text = done
    return until_stable(_without_markup(text), once)


def _without_markup(text: str) -> str:
    """A text that does not settle loses what could be read as structure."""
    return text.replace("&", " ").replace("<", " ").replace("`", "'").replace("~", "-")
