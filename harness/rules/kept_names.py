"""Names of what is kept for a person in the state directory."""

from __future__ import annotations

from harness.facts.journal import Brief

LOGS = "log"
TRANSCRIPTS = "transcripts"


def transcript_folder(repo: str) -> str:
    """Where the transcripts of `owner/name` lie."""
    return f"{TRANSCRIPTS}/{repo.replace('/', '-')}"


def transcript_name(repo: str, brief: Brief) -> str:
    """The file of an exchange's transcript; it begins with the item's number."""
    about = (brief.item, brief.kind.value, brief.pin.agent, brief.round, brief.attempt)
    return f"{transcript_folder(repo)}/{'-'.join(str(part) for part in about)}.md"


def item_of_transcript(name: str) -> int:
    """The item that a transcript's file is about, -1 for a file of another name."""
    number = name.rpartition("/")[2].partition("-")[0]
    return int(number) if number.isdigit() else -1
