"""The way to a vendor: time limits, certificates, the key, and the SDK's client for all of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar
from urllib.parse import urlsplit

from harness.edges.vendor import NOTHING, failure

if TYPE_CHECKING:
    from ssl import SSLContext


class Timeouts(NamedTuple):
    """Seconds: to connect, between two pieces of an answer, for the whole of it, and to look."""

    connect: float = 10.0
    read: float = 300.0
    whole: float = 3_600.0
    look: float = 15.0


TIMEOUTS = Timeouts()


class _Client(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=_Client)


class Kept(Generic[C]):
    """The SDK's client, made at the first question and anew for another key."""

    def __init__(self, vendor: str, key: Callable[[], str], make: Callable[[str], C]) -> None:
        self._vendor = vendor
        self._key = key
        self._make = make
        self._made: tuple[str, C] | None = None

    def client(self) -> C:
        """The client for the key of now; VendorError unauthorised where that can be none."""
        key = _checked(self._key(), self._vendor)
        if self._made and self._made[0] == key:
            return self._made[1]
        self.close()
        client = self._make(key)
        self._made = (key, client)
        return client

    def close(self) -> None:
        """Close the connections."""
        if self._made:
            self._made[1].close()
            self._made = None


def connection(url: str, timeouts: Timeouts) -> dict[str, Any]:  # Any: httpx's own
    """How an HTTP client reaches this address: in what time, by what proxy, believing whom."""
    import httpx2

    return {
        "timeout": httpx2.Timeout(timeouts.read, connect=timeouts.connect),
        "trust_env": not is_loopback(url),
        "verify": certificates(url),
    }


def is_loopback(url: str) -> bool:
    """Whether the address is this machine: never asked for through a proxy."""
    return urlsplit(url).hostname in {"127.0.0.1", "localhost", "::1"}


def certificates(url: str) -> SSLContext | bool:
    """What servers are known by: the machine's certificates (True), which take long to read.

    Plain HTTP on this machine shows none: whoever leads on from there to https is not believed.
    """
    if not is_loopback(url) or urlsplit(url).scheme != "http":
        return True
    import ssl

    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _checked(key: str, vendor: str) -> str:
    """The key as a header can carry it; VendorError unauthorised when there is none."""
    stripped = key.strip()
    if not stripped.isascii() or not stripped.isprintable():
        said = "the API key that is set holds a character that no key has"
        raise failure(vendor, said, "unauthorised", usage=NOTHING)
    if not stripped:
        raise failure(vendor, "no API key is set", "unauthorised", usage=NOTHING)
    return stripped
