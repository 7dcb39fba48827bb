"""A Markdown text as blocks: fenced code, running text, and everything else.

Read by a CommonMark parser, as GitHub does. Only fences count as code here: what other
implementations may read as running text (indented code, for one) is treated as such.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from harness.facts.value import Fact

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

Kind = Literal["fence", "text", "other"]

_TABLE = re.compile(r"^(?=.*[|:])[>| \t:-]*-[| \t:-]*$", re.MULTILINE)  # a delimiter row


class Block(Fact):
    """Consecutive lines, with their line ends; `open` is a fence at the top that never ends."""

    kind: Kind
    text: str
    top: bool = False  # not inside a list or a quote
    marker: str = ""  # of a fence: its ticks or tildes
    info: str = ""
    open: bool = False


def read_blocks(text: str) -> list[Block]:
    """All blocks in order; their texts joined are the text."""
    lines = _split(text)
    kinds: list[tuple[int, int, Block]] = []
    for token in _parser().parse(text):
        if token.map is None or token.type not in {"fence", "inline"}:
            continue
        start, end = token.map[0], min(token.map[1], len(lines))
        said = "".join(lines[start:end])
        block = Block(
            kind="fence" if token.type == "fence" else _kind_of_text(said),
            text=said,
            top=token.level == 0,
            marker=token.markup if token.type == "fence" else "",
            info=token.info.strip(),
            open=token.type == "fence" and token.level == 0 and not _is_closed(said, token.markup),
        )
        kinds.append((start, end, block))
    return _filled(lines, kinds)


def _split(text: str) -> list[str]:
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _filled(lines: list[str], found: list[tuple[int, int, Block]]) -> list[Block]:
    """The blocks found, with what lies between them."""
    blocks: list[Block] = []
    at = 0
    for start, end, block in sorted(found, key=lambda one: one[0]):
        if start < at:
            continue
        if start > at:
            blocks.append(Block(kind="other", text="".join(lines[at:start])))
        blocks.append(block)
        at = end
    if at < len(lines):
        blocks.append(Block(kind="other", text="".join(lines[at:])))
    return blocks


def _kind_of_text(said: str) -> Kind:
    """In a GitHub table, which CommonMark does not know, cells part code spans."""
    return "other" if _TABLE.search(said) else "text"


def _is_closed(said: str, marker: str) -> bool:
    last = said.rstrip("\n").split("\n")[1:][-1:]
    closing = rf" {{0,3}}{re.escape(marker[0])}{{{len(marker)},}}[ \t]*"
    return bool(last) and re.fullmatch(closing, last[0]) is not None


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 100})
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
