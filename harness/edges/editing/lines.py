"""Text as lines that keep their own endings, and a byte order mark that stays where it is.

Sent into the workbench as source, so it imports nothing but the standard library and its siblings.
"""

from __future__ import annotations

import re

BOM = "\ufeff"


def split_bom(text: str) -> tuple[str, str]:
    """(byte order mark or "", the rest)."""
    return (BOM, text[1:]) if text.startswith(BOM) else ("", text)


def split_lines(text: str) -> list[str]:
    """Lines with their endings, which are CRLF or LF and nothing else."""
    return re.findall(r"[^\n]*\n|[^\n]+$", text)


def to_lf(text: str) -> str:
    """The same with LF for CRLF."""
    return text.replace("\r\n", "\n")


def with_ending(text: str, ending: str) -> str:
    """The same with `ending` for every CRLF and LF."""
    return to_lf(text).replace("\n", ending)


def ending_of(line: str) -> str:
    """How this line ends: CRLF, LF or not at all."""
    return "\r\n" if line.endswith("\r\n") else "\n" if line.endswith("\n") else ""


def main_ending(text: str) -> str:
    """The ending that most lines have."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def nearest_ending(raw: str, at: int) -> str:
    """How the line at this place ends; where it does not end, as most lines do."""
    newline = raw.find("\n", at)
    return ending_of(raw[: newline + 1]) if newline >= 0 else main_ending(raw)


def join_lines(lines: list[str], before: str) -> str:
    """The lines as a file that ends as it did before: with a newline or without one."""
    ending = main_ending(before)
    whole = [line if ending_of(line) else line + ending for line in lines]
    if whole and before and not before.endswith("\n"):
        whole[-1] = whole[-1].removesuffix(ending_of(whole[-1]))
    return "".join(whole)
