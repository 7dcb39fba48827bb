"""Secrets in what is about to be pushed.

Only new lines count: what the base held is not this change's. One of our own secrets always
counts. Something of a secret's shape does not where it plainly stands for one (an example, a few
characters again and again), where the operator allows it, or where the base holds the same value
elsewhere (a moved line): `suspects` says what to look for there, the run looks, `leaks` judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase

from harness.facts.leaks import Addition, Leak, Spotted
from harness.facts.value import Fact

Spot = Callable[[str], tuple[Spotted, ...]]

MOST = 20  # leaks that are told
_VARIED = 8  # different characters of a value that is no placeholder
_STANDS_FOR = ("example", "placeholder", "dummy", "redacted")


class Suspect(Fact):
    """A leak with the value that was found, which goes no further than these rules."""

    leak: Leak
    value: str


def suspects(
    additions: Iterable[Addition], spot: Spot, samples: tuple[str, ...] = ()
) -> tuple[Suspect, ...]:
    """Everything that may be a secret; `samples` are globs of files that hold pretended ones."""
    found = (one for addition in additions for one in _in_one(addition, spot))
    return tuple(one for one in found if _counts(one, samples))


def leaks(found: Iterable[Suspect], held: Callable[[str], bool]) -> tuple[Leak, ...]:
    """What must not be pushed; `held` says whether the base holds a line."""
    kept = [one.leak for one in found if one.leak.ours or not held(longest_line(one.value))]
    return tuple(dict.fromkeys(kept))[:MOST]


def longest_line(value: str) -> str:
    """The part of a value that can be looked for in one line."""
    return max(value.split("\n"), key=len).strip()


def leak_line(leak: Leak) -> str:
    """Where and of what kind: `tests/a.py:3 (it looks like a token or a private key)`."""
    what = "one of the harness's own secrets" if leak.ours else "it looks like a token or a key"
    where = f"{leak.where}:{leak.line}" if leak.line else leak.where
    return f"{where} ({what})"


def _in_one(addition: Addition, spot: Spot) -> Iterator[Suspect]:
    old = {line for text in addition.before for line in text.split("\n")}
    lines = addition.text.split("\n")
    fresh = [(n, line) for n, line in enumerate(lines, start=1) if line not in old]
    text = "\n".join(line for _, line in fresh)
    for one in spot(text):
        before = text[: text.find(one.value)].count("\n")
        line = fresh[before][0] if addition.in_file else 0
        leak = Leak(where=addition.where, line=line, ours=one.ours, in_file=addition.in_file)
        yield Suspect(leak=leak, value=one.value)


def _counts(one: Suspect, samples: tuple[str, ...]) -> bool:
    if one.leak.ours:
        return True
    if one.leak.in_file and any(fnmatchcase(one.leak.where, glob) for glob in samples):
        return False
    folded = one.value.casefold()
    return len(set(folded)) >= _VARIED and not any(word in folded for word in _STANDS_FOR)
