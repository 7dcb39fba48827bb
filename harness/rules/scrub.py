"""Known secrets and everything of a token's common shape, masked in text.

Exact values come first (however they are written: `disguises.py`), then shapes. A mask shows at
most the first four characters, which of a known shape are its public prefix. Masking twice is the
same as masking once. Shapes are kept narrow: what an agent reads of code must stay code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from harness.rules.disguises import SHORTEST, disguises

MASK = "[masked]"
_SHOWN = 4
_SHOWN_FROM = 16  # characters of a secret of which four may be seen
_LONG, _WITH_SCHEME = 16, 12  # characters of a header's value that count as a secret

_SHAPES = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"gh[pousr]_[A-Za-z0-9]{20,255}"
    r"|ghs_[A-Za-z0-9_.\-]{36,2000}"
    r"|github_pat_[A-Za-z0-9_]{20,255}"
    r"|sk-ant-[A-Za-z0-9_\-]{16,300}"
    r"|sk-(?=[A-Za-z0-9_\-]{0,300}[0-9])(?=[A-Za-z0-9_\-]{0,300}[A-Z])[A-Za-z0-9_\-]{20,300}"
    r"|[sr]k_(?:live|test)_[A-Za-z0-9]{16,200}"
    r"|glpat-[A-Za-z0-9_\-]{20,200}"
    r"|xox[abeprs]-[A-Za-z0-9\-]{10,250}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|AIza[A-Za-z0-9_\-]{35}(?![A-Za-z0-9_\-])"
    r"|npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"
    r"|pypi-AgE[A-Za-z0-9_\-]{50,500}"
    r"|hf_[A-Za-z0-9]{30,100}"
    r"|GOCSPX-[A-Za-z0-9_\-]{28}(?![A-Za-z0-9_\-])"
    r"|ya29\.[A-Za-z0-9_\-]{30,1000}"
    r"|whsec_[A-Za-z0-9+/]{32,100}"
    r"|SK[0-9a-f]{32}(?![A-Za-z0-9])"
    r"|[0-9]{8,10}:AA[A-Za-z0-9_\-]{33}(?![A-Za-z0-9_\-])"
    r"|discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{17,20}/[A-Za-z0-9_\-]{60,80}"
    r"|[A-Za-z0-9_.~\-]{3}[0-9]Q~[A-Za-z0-9_.~\-]{31,34}(?![A-Za-z0-9_.~\-])"
    r"|eyJ[A-Za-z0-9_\-]{10,4000}\.eyJ[A-Za-z0-9_\-]{10,4000}\.[A-Za-z0-9_\-]{10,2000}"
    r")"
)
_QUOTE = r"(?:\\{0,4}[\"'])?"  # escaped where code stands in JSON, once or twice
_ASSIGNED = re.compile(
    r"((?:aws_?(?:secret_?)?(?:access_?)?key|twilio[a-z_]{0,20}token)"
    rf"{_QUOTE}\s{{0,5}}(?:=>|:=|[:=])\s{{0,5}}{_QUOTE}"
    r"|(?:Account|SharedAccess)Key=)"
    r"((?:[A-Za-z0-9/+]{86}==|[A-Za-z0-9/+]{43}=|[A-Za-z0-9/+]{40}|[0-9a-f]{32})(?![A-Za-z0-9/+=]))",
    re.IGNORECASE,
)
"""Keys that only the name before them tells from other long words: AWS, Azure, Twilio."""
_LONGEST_KEY = 20_000  # characters
_BEGIN = r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_END = r"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_LINE = r"(?:(?:\\[nr]|\s){1,8}[A-Za-z0-9+/=]{16,2000})"
_KEYS = (
    re.compile(rf"{_BEGIN}(?:[A-Za-z0-9+/=\s\\:,.()]|-(?!----)){{1,{_LONGEST_KEY}}}{_END}"),
    re.compile(rf"{_BEGIN}{_LINE}+"),  # cut off below
)
_KEY_END = re.compile(_END)
_BACKWARDS = re.compile(r"(?:(?:[nr]\\|\s){1,8}[A-Za-z0-9+/=]{16,2000})+(?:[nr]\\|\s){1,8}")
_IN_URL = re.compile(r"\b([a-z][a-z0-9+.\-]{1,20}://)([^\s/@\[\]\"'<>{}$`]{1,500})@", re.IGNORECASE)
_IN_HEADER = re.compile(
    r"(\b(?:(?:proxy-)?authorization|x-api-key|api-key|private-token)"
    rf"{_QUOTE}\s{{0,5}}[:=]\s{{0,5}}{_QUOTE})"
    r"((?:bearer|basic|token)\s{1,5})?([A-Za-z0-9+/=_.~\-]{8,2000})",
    re.IGNORECASE,
)


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without secrets; `secrets` are our own, exact."""
    for secret in _forms(secrets):
        text = text.replace(secret, _mask(secret))
    for key in _KEYS:
        text = key.sub(MASK, text)
    for start, end in reversed(_cut_above(text)):
        text = f"{text[:start]}\n{MASK}{text[end:]}"
    text = _IN_URL.sub(_mask_url, text)
    text = _IN_HEADER.sub(_mask_header, text)
    text = _ASSIGNED.sub(lambda found: f"{found[1]}{MASK}", text)
    return _SHAPES.sub(lambda found: _mask(found[0]), text)


def mask_values(text: str, values: Iterable[str]) -> str:
    """The text without these values, to the letter, the first ones first."""
    for value in values:
        if value not in MASK:
            text = text.replace(value, _mask(value))
    return text


def find_ours(text: str, secrets: Iterable[str]) -> tuple[str, ...]:
    """Our own secrets as they stand in a text, in any of the ways they may be written."""
    return tuple(form for form in _forms(secrets) if form in text)


def find_shapes(text: str) -> tuple[str, ...]:
    """Tokens of common shapes and private keys; URLs and headers of code are full of pretence."""
    found: list[str] = []
    for shape in (*_KEYS, _SHAPES):
        found += [hit[0].strip() for hit in shape.finditer(text)]
        text = shape.sub("\0", text)
    found += [hit[2] for hit in _ASSIGNED.finditer(text)]
    return (*found, *(text[start:end].strip() for start, end in _cut_above(text)))


def _cut_above(text: str) -> list[tuple[int, int]]:
    """Where keys lie whose beginning is not there.

    They are read backwards from each end: a long file of such lines costs no more than its length.
    """
    spans = []
    for end in _KEY_END.finditer(text):
        above = text[max(0, end.start() - _LONGEST_KEY) : end.start()][::-1]
        if lines := _BACKWARDS.match(above):
            spans.append((end.start() - lines.end(), end.end()))
    return spans


def _forms(secrets: Iterable[str]) -> list[str]:
    """Every way our secrets may be written, longest first so that no rest of one stays."""
    forms = {
        form
        for secret in secrets
        if len(secret) >= SHORTEST and secret not in MASK
        for form in disguises(secret)
    }
    return sorted(forms, key=len, reverse=True)


def _mask(secret: str) -> str:
    return f"{secret[:_SHOWN]}...{MASK}" if len(secret) >= _SHOWN_FROM else MASK


def _mask_url(found: re.Match[str]) -> str:
    """User and password of a URL; a short user alone is no secret."""
    scheme, secret = found[1], found[2]
    if ":" not in secret and len(secret) < _SHOWN_FROM:
        return found[0]
    return f"{scheme}{MASK}@"


def _mask_header(found: re.Match[str]) -> str:
    """A header's value that may be a credential; a name in code is none."""
    name, scheme, value = found[1], found[2] or "", found[3]
    random = len(value) >= _LONG and any(char.isdigit() for char in value)
    if random or (scheme and len(value) >= _WITH_SCHEME):
        return f"{name}{scheme}{MASK}"
    return found[0]
