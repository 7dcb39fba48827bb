"""What GitHub and other bots would make of a text, written apart from the gateway."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from markdown_it import MarkdownIt

# GitHub's html-pipeline, mention_filter.rb and its documented closing keywords.
MENTION = re.compile(r"(?<![A-Za-z0-9_])@([A-Za-z0-9][A-Za-z0-9-]*)(?=\.+[ \t\W]|\.+$|[^\w.]|$)")
CLOSES = re.compile(
    r"(?<![A-Za-z0-9_])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+"
    r"((?:[\w.-]+/[\w.-]+)?#\d+|GH-\d+|https?://[\w.-]+/[\w.-]+/[\w.-]+/(?:issues|pull)/\d+)",
    re.IGNORECASE | re.ASCII,
)
AUTOLINK = re.compile(r"https?://[\w-]+(?:\.[\w-]+)+/[^\s<]*")  # GFM 6.9: no mention inside


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden: list[str] = []
        self.depth: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in {"br", "hr", "img"}:
            self.depth.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.depth:
            while self.depth.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not {"code", "pre", "a"} & set(self.depth):
            self.parts.append(data)

    def handle_comment(self, data: str) -> None:
        self.hidden.append(data)


def rendered(text: str) -> _Text:
    reader = _Text()
    reader.feed(MarkdownIt("commonmark").enable("table").render(text))
    reader.close()
    return reader


def live_mentions(text: str) -> list[str]:
    """Names that GitHub would notify."""
    parts = (AUTOLINK.sub("", part) for part in rendered(text).parts)
    return [name for part in parts for name in MENTION.findall(part)]


def live_closings(text: str) -> list[str]:
    """References that GitHub would close, read raw and rendered."""
    found = CLOSES.findall(text)
    return found + [one for part in rendered(text).parts for one in CLOSES.findall(part)]


def open_tags(text: str) -> list[str]:
    """Tags that are still open where the text ends."""
    return rendered(text).depth
