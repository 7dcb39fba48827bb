"""The hidden marker at the end of what we write: `<!-- harness:NONCE.MAC -->`.

The MAC covers where the text stands and what it says, so that a marker that was copied, or a text
that was changed, does not verify. It only ever takes authority away: a text that verifies is ours.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Literal

from harness.facts.intents import (
    CommentOn,
    CreateIssue,
    EditBody,
    EditComment,
    OpenPull,
    PostReview,
    ReplaceReview,
    ReplyIn,
    Write,
)
from harness.facts.value import Fact

Kind = Literal["item", "comment", "thread", "review"]
MarkerVerdict = Literal["absent", "verified", "forged"]

_MARKER = re.compile(r"<!--[ \t]*harness:([0-9a-f]{32})\.([0-9a-f]{32})[ \t]*-->")
_BLANKS = " \t\r\n"
_ANY_MARKER = re.compile(r"<!--\s*harness:", re.IGNORECASE)


class Marker(Fact):
    """What stands in a marker; nothing is proven by it yet."""

    nonce: str
    mac: str


def make_marker(key: bytes, *, repo_id: int, kind: Kind, parent: int, nonce: str, body: str) -> str:
    """The marker line of a body that carries none yet.

    `parent` is the number of the issue or pull request that a comment, reply or review stands in;
    0 for the body of an item itself, whose number is not known when it is written.
    """
    digest = hashlib.sha256(normalise_body(body).encode("utf-8", "surrogatepass")).hexdigest()
    told = "\0".join(("harness-marker-1", str(repo_id), kind, str(parent), nonce, digest))
    mac = hmac.new(key, told.encode(), hashlib.sha256).hexdigest()[:32]
    return f"<!-- harness:{nonce}.{mac} -->"


def put_marker(key: bytes, *, repo_id: int, kind: Kind, parent: int, nonce: str, body: str) -> str:
    """The body with its marker as the last line."""
    line = make_marker(key, repo_id=repo_id, kind=kind, parent=parent, nonce=nonce, body=body)
    said = body.rstrip(_BLANKS)
    return f"{said}\n\n{line}" if said else line


def read_marker(body: str) -> Marker | None:
    """The marker that ends a body, unproven; None where it does not end with one."""
    found = _last_marker(body)
    return Marker(nonce=found[1], mac=found[2]) if found else None


def strip_marker(body: str) -> str:
    """The body without the marker that ends it."""
    found = _last_marker(body)
    return normalise_body(body[: found.start()] if found else body)


def verify_marker(key: bytes, *, repo_id: int, kind: Kind, parent: int, body: str) -> MarkerVerdict:
    """Whether a body found on the forge is word for word one that we wrote in that place."""
    if _ANY_MARKER.search(body) is None:
        return "absent"
    marker = read_marker(body)
    if marker is None:
        return "forged"
    made = make_marker(
        key,
        repo_id=repo_id,
        kind=kind,
        parent=parent,
        nonce=marker.nonce,
        body=strip_marker(body),
    )
    right = hmac.compare_digest(made, f"<!-- harness:{marker.nonce}.{marker.mac} -->")
    return "verified" if right else "forged"


def normalise_body(body: str) -> str:
    """A body as it survives a forge: LF, no blanks at the end of lines or of the text."""
    lines = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip(" \t") for line in lines).strip("\n")


def mark_write(write: Write, *, key: bytes, repo_id: int, nonce: str) -> Write:
    """The write with its marker in, inline notes included; kinds without a body are unchanged.

    A note's nonce derives from the review's, so that it too is known as ours under a shared login.
    """

    def marked(kind: Kind, parent: int, body: str, its: str = nonce) -> str:
        return put_marker(key, repo_id=repo_id, kind=kind, parent=parent, nonce=its, body=body)

    match write:
        case OpenPull() | EditBody() | CreateIssue():
            return write.model_copy(update={"body": marked("item", 0, write.body)})
        case CommentOn() | EditComment():
            return write.model_copy(update={"body": marked("comment", write.number, write.body)})
        case ReplyIn():
            return write.model_copy(update={"body": marked("thread", write.number, write.body)})
        case ReplaceReview():
            return write.model_copy(update={"body": marked("review", write.number, write.body)})
        case PostReview():
            notes = tuple(
                note.model_copy(
                    update={
                        "body": marked("thread", write.number, note.body, note_nonce(nonce, index))
                    }
                )
                for index, note in enumerate(write.notes)
            )
            body = marked("review", write.number, write.body)
            return write.model_copy(update={"body": body, "notes": notes})
        case _:
            return write


def note_nonce(nonce: str, index: int) -> str:
    """The nonce of a review's inline note."""
    return hashlib.sha256(f"{nonce}/{index}".encode()).hexdigest()[:32]


def _last_marker(body: str) -> re.Match[str] | None:
    text = body.rstrip(_BLANKS)
    start = text.rfind("<!--")
    return _MARKER.fullmatch(text, start) if start >= 0 else None
