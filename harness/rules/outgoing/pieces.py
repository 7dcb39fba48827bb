"""Running text as pieces: code spans, tags, and words; read left to right, as CommonMark does."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from harness.rules.ticks import TickRuns

_TOKEN = re.compile(
    r"(?P<shown>\\<)"
    r"|(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`+)"
    r"|(?P<link><(?:https?://[^\s<>]*|[\w.+-]+@[\w.-]+)>)"
    r"|(?P<tag><(?=[A-Za-z/!?]))"
)
_TAG = re.compile(r"<(/?)(details|summary|br)((?<=details) open)?\s?/?>", re.IGNORECASE)


class Piece(NamedTuple):
    """A stretch of running text; `tag` pieces are the few tags that we use ourselves."""

    kind: Literal["words", "span", "link", "tag", "angle"]
    text: str


def read_pieces(text: str, *, spans: bool) -> list[Piece]:
    """The pieces of a block; inside raw HTML (`spans` False) ticks are only ticks."""
    pieces: list[Piece] = []
    runs = TickRuns(text)
    at = start = 0
    while found := _TOKEN.search(text, at):
        end = found.end()
        piece = _piece_at(text, found, runs, spans=spans)
        if piece is None:
            at = end
            continue
        if found.start() > start:
            pieces.append(Piece("words", text[start : found.start()]))
        pieces.append(piece)
        at = start = found.start() + len(piece.text)
    if start < len(text):
        pieces.append(Piece("words", text[start:]))
    return pieces


def tag_name(tag: str) -> tuple[str, bool]:
    """(name, whether it closes) of a tag piece."""
    found = _TAG.fullmatch(tag)
    assert found is not None, tag
    return found[2].lower(), bool(found[1])


def _piece_at(text: str, found: re.Match[str], runs: TickRuns, *, spans: bool) -> Piece | None:
    match found.lastgroup:
        case "ticks" if spans:
            end = runs.next_end(len(found[0]), found.end())
            return Piece("span", text[found.start() : end]) if end else None
        case "shown":
            return Piece("angle", found[0])
        case "link" if spans:
            return Piece("link", found[0])
        case "tag" | "link":
            tag = _TAG.match(text, found.start())
            return Piece("tag", tag[0]) if tag else Piece("angle", "<")
        case _:
            return None
