"""Server-sent events, decoded from bytes.

Lines end at CR or LF only: a decoder that splits text wherever Unicode sees a line would cut JSON
that holds U+2028. (https://html.spec.whatwg.org/multipage/server-sent-events.html)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")  # a CR at the end of a chunk may be half of a CRLF


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = _LINE_END.split(rest + chunk)
        yield from whole


def decode_events(
    chunks: Iterable[bytes],
) -> Iterator[dict[str, Any]]:  # Any: JSON of a vendor, read field by field where it is used
    """The JSON object of each event that has one; ValueError when an event's data is no JSON.

    Both vendors repeat the event's name as `type` in its data. An event cut off by the end of the
    stream is not given, as the standard asks.
    """
    data: list[bytes] = []
    for line in _lines(chunks):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            text, data = b"\n".join(data), []
            if text.strip() != b"[DONE]" and isinstance(event := json.loads(text), dict):
                yield event
