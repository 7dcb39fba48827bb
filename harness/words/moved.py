"""What is said of a repository that is not where the config says."""

from __future__ import annotations


def renamed_sentence(name: str, to: str) -> str:
    """The way out; `to` is its name of today, "" where GitHub did not tell."""
    if not to:
        return f"{name} was renamed or transferred: put its new name under [[repos]] name"
    return f"{name} is called {to} now: put that under [[repos]] name"
