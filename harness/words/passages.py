"""The shapes that comments and bodies are made of; what agents wrote cannot leave them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from harness.rules.outgoing import close_line, close_markup, code_span

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\[(])")


def said(text: str) -> str:
    """What an agent wrote, as Markdown of its own that ends where it ends."""
    return close_markup(text.strip())


def on_line(text: str) -> str:
    """What an agent wrote, on one line of ours."""
    return close_line(text)


def sentence(text: str) -> str:
    """A reason as a sentence on one line: a capital first, a full stop last; "" for nothing."""
    line = on_line(text)
    if not line:
        return ""
    return f"{line[0].upper()}{line[1:]}{'' if line[-1] in '.!?…' else '.'}"


def bullet(text: str) -> str:
    """A list item; further lines stay inside it."""
    first, *rest = said(text).split("\n")
    return "\n".join([f"- {first}", *(f"  {line}" if line else "" for line in rest)])


def bullets(texts: Iterable[str]) -> str:
    """A list of all texts that say something."""
    return "\n".join(bullet(text) for text in texts if text.strip())


def quote(text: str) -> str:
    """A block quote."""
    return "\n".join(f"> {line}".rstrip() for line in said(text).split("\n"))


def section(title: str, body: str, *, level: int = 3) -> str:
    """A heading with its body; "" where there is no body."""
    return f"{'#' * level} {title}\n\n{body}" if body.strip() else ""


def folded(summary: str, body: str) -> str:
    """A folded part; "" where there is no body."""
    if not body.strip():
        return ""
    return f"<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>"


def paragraphs(*parts: str) -> str:
    """All parts that say something, a blank line between them."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())


def first_sentence(text: str, limit: int = 300) -> str:
    """The first sentence of the first paragraph, on one line."""
    paragraph = " ".join(text.strip().split("\n\n", 1)[0].split())
    return shorten(_SENTENCE.split(paragraph, maxsplit=1)[0], limit)


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters of one line, cut between words, with an ellipsis."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    kept = line[: limit - 1]
    space = kept.rfind(" ")
    return f"{kept[: space if space > limit // 2 else len(kept)].rstrip(' ,;:.')}…"


def place(file: str, start: int, end: int) -> str:
    """Where something stands, as code: `a.py:3-5`."""
    if not file:
        return ""
    lines = "" if not start else f":{start}" if end <= start else f":{start}-{end}"
    return code_span(f"{file}{lines}")


def counted(count: int, one: str, many: str = "") -> str:
    """`1 point`, `2 points`."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
