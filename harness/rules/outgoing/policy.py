"""What is meant: who may be mentioned, what may be closed, how long a text may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

GITHUB_CHARS = 65_536  # GitHub refuses longer bodies
MARKER_ROOM = 256  # the hidden marker is put in after the gateway
TITLE_CHARS = 256  # GitHub refuses longer titles
STATUS_CHARS = 140  # GitHub refuses longer descriptions of a commit status


class Where(StrEnum):
    """Where a text goes."""

    TITLE = "title"
    BODY = "body"
    COMMENT = "comment"
    REVIEW = "review"
    NOTE = "note"  # inline notes and replies in a thread
    STATUS = "status"
    COMMIT = "commit"

    @property
    def is_plain(self) -> bool:
        """Whether it is read as it is, not as Markdown."""
        return self in {Where.TITLE, Where.STATUS, Where.COMMIT}

    @property
    def is_one_line(self) -> bool:
        """Whether it has no line breaks."""
        return self in {Where.TITLE, Where.STATUS}


@dataclass(frozen=True)
class OutgoingPolicy:
    """What the operator and the run mean; `mask` takes secrets out and is stable on its own output.

    `mentions` are logins and `org/team` names that may be pinged, `closes` numbers of this
    repository that may be closed, `trailers` commit lines that stand as configured.
    """

    mask: Callable[[str], str]
    mentions: frozenset[str] = frozenset()
    closes: frozenset[int] = frozenset()
    trailers: tuple[str, ...] = ()
    body_chars: int = 24_000
    comment_chars: int = 4_000

    def limits(self, where: Where) -> tuple[int, int]:
        """The most code points and bytes."""
        match where:
            case Where.TITLE:
                return TITLE_CHARS, 4 * TITLE_CHARS
            case Where.STATUS:
                return STATUS_CHARS, 4 * STATUS_CHARS
            case Where.COMMENT | Where.NOTE:
                chars = self.comment_chars
            case Where.BODY | Where.REVIEW | Where.COMMIT:
                chars = self.body_chars
        most = GITHUB_CHARS - MARKER_ROOM
        return min(chars, most), most
