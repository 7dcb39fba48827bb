"""How a secret reaches git, and how it is kept out of everything else.

The header stands in the environment of the one call that needs it: never in the arguments, the
URL, a file or an error.
"""

from __future__ import annotations

import base64
import re
from urllib.parse import urlsplit

from harness.errors import ConfigError

_USERINFO = re.compile(r"(?<=://)[^/@\s]+(?=@)")
_HEADER = re.compile(r"(?i)(authorization:\s*\S+\s+)\S+")
_SCHEMES = ("https", "http", "file")


def check_url(url: str) -> str:
    """The scheme of a repository's URL.

    Raises ConfigError for a URL that carries a credential or that git would run a program for.
    """
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES:
        raise ConfigError(f"{mask(url)} is not an https, http or file URL: give one as git_url")
    if "@" in parts.netloc:
        raise ConfigError(f"{mask(url)} carries a credential: name its variable as token_env")
    return parts.scheme


def header_config(url: str, token: str) -> tuple[str, str]:
    """The git setting that sends `token` to `url` and to nothing else.

    GitHub takes tokens as the password of `x-access-token` over smart HTTP.
    """
    return f"http.{url}.extraHeader", f"Authorization: Basic {_basic(token)}"


def secrets_of(token: str) -> tuple[str, ...]:
    """Every form in which a token may turn up in what git prints."""
    return (token, _basic(token)) if token else ()


def mask(text: str, secrets: tuple[str, ...] = ()) -> str:
    """The text without these secrets, without user names in URLs, without authorisation headers."""
    for secret in secrets:
        text = text.replace(secret, "***")
    return _HEADER.sub(r"\1***", _USERINFO.sub("***", text))


def _basic(token: str) -> str:
    return base64.b64encode(f"x-access-token:{token}".encode()).decode("ascii")
