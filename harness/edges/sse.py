"""Server-sent events, decoded from bytes.

Lines end at CR or LF only: a decoder that splits text wherever Unicode sees a line would cut JSON
that holds U+2028. (https://html.spec.whatwg.org/multipage/server-sent-events.html)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from harness.edges.told import Json, parse

_LINE_END = re.compile(rb"\r\n|\n|\r")
_NOTHING = {b"", b"[DONE]"}  # what some gateways keep a connection alive with, and how some end


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Each line as soon as its end is seen; the rest of an end that was cut in two is dropped."""
    rest, halved = b"", False
    for chunk in filter(None, chunks):
        new = chunk.removeprefix(b"\n") if halved else chunk
        halved = chunk.endswith(b"\r")
        *whole, rest = _LINE_END.split(rest + new)
        yield from whole


def decode_events(chunks: Iterable[bytes]) -> Iterator[Json]:
    """The JSON object of each event that has one; Unreadable when an event's data is no JSON.

    Both vendors repeat the event's name as `type` in its data. An event cut off by the end of the
    stream is not given, as the standard asks.
    """
    data: list[bytes] = []
    for line in _lines(chunks):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            text, data = b"\n".join(data), []
            if text.strip() not in _NOTHING and isinstance(event := parse(text), dict):
                yield event
