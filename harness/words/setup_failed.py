"""What the operator is told of a `setup` that fails, and what there is to do."""

from __future__ import annotations

from harness.facts.builds import Build
from harness.words.passages import counted

_LINES = 10


def setup_sentence(repo: str, sha: str, failed: Build, *, given_up: bool) -> str:
    """One sentence: how it ended, its last line, what to do, when it is run again."""
    last = failed.tail.strip().splitlines()[-1:] or ["no output"]
    again = (
        "it is run again when its command, a lock file or the commit changes, or for an issue you "
        "name"
        if given_up
        else "the next run tries it again"
    )
    return (
        f"the setup of {repo} failed at {sha[:12]} in {counted(failed.tries, 'try', 'tries')} "
        f"({failed.ended}: {last[0]}); mend `setup` under [[repos]], or what it needs; {again}"
    )


def setup_output(failed: Build) -> str:
    """The last lines that it printed, one below the other; "" where it printed nothing."""
    return "\n".join(f"    {line}" for line in failed.tail.strip().splitlines()[-_LINES:])
