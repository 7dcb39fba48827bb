"""Signatures by which the double knows its own thinking again, in any process."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

_KEY = b"rehearsal"  # guards nothing: it tells altered blocks from issued ones


def sign(*parts: str) -> str:
    """A signature over the parts."""
    mac = hmac.new(_KEY, "\0".join(parts).encode("utf-8", "replace"), hashlib.sha256)
    return base64.b64encode(mac.digest()).decode()


def is_signed(signature: str, *parts: str) -> bool:
    """Whether the signature is ours and nothing was changed."""
    return hmac.compare_digest(signature.encode("utf-8", "replace"), sign(*parts).encode())


def seal(model: str, text: str) -> str:
    """Text that only the double opens, as far as anybody here cares."""
    body = base64.b64encode(text.encode()).decode()
    return f"{body}.{sign(model, body)}"


def is_sealed(sealed: str, model: str) -> bool:
    """Whether this is what `seal` made for this model."""
    body, _, signature = sealed.partition(".")
    return is_signed(signature, model, body)


def name(prefix: str, *parts: Any) -> str:  # Any: whatever tells two things apart
    """An id that follows from its parts."""
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()
    return prefix + digest[:24]
