"""Code that cannot be left by what stands in it: fences and ticks longer than any run inside."""

from __future__ import annotations

import re


def fence(text: str, info: str = "") -> str:
    """A fenced block; `info` is the language, reduced to what an info string may safely hold."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    kept = re.sub(r"[^A-Za-z0-9_+#.-]", "", info)
    return f"{ticks}{kept}\n{text.strip(chr(10))}\n{ticks}"


def code_span(text: str) -> str:
    """A code span on one line; "" for nothing."""
    line = " ".join(text.split())
    if not line:
        return ""
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"
