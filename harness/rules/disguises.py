"""Every way in which one of our secrets may be written, so that it is found in each.

Base64 of a longer text holds a secret at one of three alignments; of each only the characters that
no neighbour changes are looked for. Of a secret of several lines each line is one, too.
"""

from __future__ import annotations

import base64
import html
import json
import string
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

SHORTEST = 6  # characters; anything shorter would be found everywhere
_SHORTEST_LINE = 16
_UNRESERVED = frozenset(string.ascii_letters + string.digits + "-._~")
_QUOTES = ("'", "&#x27;", "&#39;", "&apos;"), ('"', "&quot;", "&#34;", "&#x22;")


@lru_cache(maxsize=64)
def disguises(secret: str) -> frozenset[str]:
    """All forms of one secret that are long enough to be told apart, itself among them."""
    written = {
        *_lines(secret),
        *_in_base64(secret.encode("utf-8", "surrogatepass")),
        *_in_urls(secret),
        *_in_quotes(secret),
        secret.encode("utf-8", "surrogatepass").hex(),
        secret.encode("utf-8", "surrogatepass").hex().upper(),
    }
    return frozenset(form for form in written if len(form) >= SHORTEST)


def _lines(secret: str) -> Iterator[str]:
    yield secret
    lines = (line.strip() for line in secret.splitlines())
    yield from (one for one in lines if len(one) >= _SHORTEST_LINE and not one.startswith("-----"))


def _in_base64(secret: bytes) -> Iterator[str]:
    """Whole, and inside what is encoded with it: `user:secret`, `secret:x-oauth-basic`."""
    whole = base64.b64encode(secret).decode().rstrip("=")
    for before in range(3):
        text = base64.b64encode(b"\0" * before + secret).decode()
        core = text[-(-8 * before // 6) : 8 * (before + len(secret)) // 6]
        yield from _both_alphabets(core)
    yield from _both_alphabets(whole)


def _both_alphabets(text: str) -> Iterable[str]:
    return text, text.replace("+", "-").replace("/", "_")


def _in_urls(secret: str) -> Iterator[str]:
    """Percent-encoded: what must be (RFC 3986), what a form or a path does, and every byte."""
    data = secret.encode("utf-8", "surrogatepass")
    pairs = [(chr(byte), f"%{byte:02X}") for byte in data]
    needed = "".join(char if char in _UNRESERVED else code for char, code in pairs)
    every = "".join(code for _, code in pairs)
    for form in (needed, every, needed.replace("%2F", "/"), needed.replace("%20", "+")):
        yield form
        yield _lower_codes(form)
    yield every.lower()


def _lower_codes(form: str) -> str:
    head, *rest = form.split("%")
    return "%".join((head, *(f"{part[:2].lower()}{part[2:]}" for part in rest)))


def _in_quotes(secret: str) -> Iterator[str]:
    """As JSON (once and twice), as a literal of code, as HTML."""
    for ascii_only in (True, False):
        once = json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
        yield once
        yield json.dumps(once, ensure_ascii=ascii_only)[1:-1]
        yield once.replace("/", "\\/")
    yield secret.encode("unicode_escape", "surrogatepass").decode()
    for single, double in product(*_QUOTES):
        yield html.escape(secret, quote=False).replace("'", single).replace('"', double)
