"""Markup that cannot swallow what follows: fences and tags closed, everything else shown as text.

Only the tags that we write ourselves work: `<details>`, `<summary>`, `<br>`. Any other tag, a
comment (which may hide a marker), a tag that closes nothing and an entity that spells plain ASCII
are escaped, so that they are read and do nothing.
"""

from __future__ import annotations

import html
import re

from harness.rules.outgoing.blocks import Block, read_blocks
from harness.rules.outgoing.characters import BREAK, one_line, visible_text
from harness.rules.outgoing.pieces import Piece, read_pieces, tag_name
from harness.rules.outgoing.stable import until_stable

_ENTITY = re.compile(r"&(?:#(?:\d+|[xX][0-9a-fA-F]+);?|[A-Za-z][A-Za-z0-9]*;)")
_MARKER = re.compile(r"<(?=!--\s*harness:)", re.IGNORECASE)
_LONE_TICKS = re.compile(r"(?P<escape>\\[!-/:-@\[-`{-~])|`+")
_IMAGE = re.compile(r"!(?=\[)")
_SAFE = frozenset("<>&\"'")


def close_markup(text: str) -> str:
    """The text with its fences and tags closed and foreign markup escaped.

    Pass every text that somebody else wrote through it before it is put into a longer one.
    """
    return until_stable(text, _close_once)


def _close_once(text: str) -> str:
    open_tags: list[str] = []
    blocks = read_blocks(visible_text(text))
    out = [_escape_block(block, open_tags) for block in blocks]
    end = _fence_end(blocks)
    tail = "".join(f"\n\n</{name}>" for name in reversed(open_tags))
    return "".join(out).rstrip() + end + tail if end or tail else "".join(out)


def close_line(text: str) -> str:
    """The text on one line, to be put into a line of ours: it opens nothing and closes nothing."""
    line = one_line(visible_text(text))
    return "".join(_escape_inline(piece) for piece in read_pieces(line, spans=True))


def _escape_inline(piece: Piece) -> str:
    if piece.kind == "tag":
        return f"&lt;{piece.text[1:]}"
    text = _escape_piece(piece, [])
    if piece.kind == "words":
        return _LONE_TICKS.sub(lambda found: found["escape"] or "'", text)
    return text


def _fence_end(blocks: list[Block]) -> str:
    """What closes a fence that would go on; one in a list or quote ends with it."""
    said = [block for block in blocks if block.text.strip()]
    return f"\n{said[-1].marker}" if said and said[-1].open else ""


def _escape_block(block: Block, open_tags: list[str]) -> str:
    if block.kind == "fence":
        return _MARKER.sub(f"<{BREAK}", block.text)
    pieces = read_pieces(block.text, spans=block.kind == "text")
    return "".join(_escape_piece(piece, open_tags) for piece in pieces)


def _escape_piece(piece: Piece, open_tags: list[str]) -> str:
    match piece.kind:
        case "angle":
            return "&lt;"
        case "tag":
            return _balanced(piece.text, open_tags)
        case "span":
            return piece.text.replace("<!--", f"<{BREAK}!--")
        case "link":
            return piece.text
        case "words":
            return _IMAGE.sub(f"!{BREAK}", _ENTITY.sub(_escape_entity, piece.text))


def _balanced(tag: str, open_tags: list[str]) -> str:
    name, closes = tag_name(tag)
    if name == "br":
        return tag
    if not closes:
        open_tags.append(name)
        return tag
    if open_tags and open_tags[-1] == name:
        open_tags.pop()
        return tag
    return f"&lt;{tag[1:]}"


def _escape_entity(found: re.Match[str]) -> str:
    meant = html.unescape(found[0] if found[0].endswith(";") else f"{found[0]};")
    shown = len(meant) == 1 and (meant in _SAFE or (meant > "\x7f" and meant.isprintable()))
    return found[0] if shown else f"&amp;{found[0][1:]}"
