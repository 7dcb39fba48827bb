"""The hash by which an edit knows what it replaces: `was` of EditBody, EditComment and kin."""

from __future__ import annotations

import hashlib

from harness.rules.markers import normalise_body


def body_hash(text: str) -> str:
    """SHA-256 in hex of a text as it survives a forge, its marker included; of a title too."""
    return hashlib.sha256(normalise_body(text).encode("utf-8", "surrogatepass")).hexdigest()
