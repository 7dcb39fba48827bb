"""The socket side of the rehearsal forge: HTTP/1.1 on loopback, a thread per connection."""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from harness.rehearsal.github.handling import Request, Response

if TYPE_CHECKING:
    from harness.rehearsal.github.double import GithubDouble


logger = logging.getLogger(__name__)


class Server(ThreadingHTTPServer):
    """Carries the double to its handlers."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, address: tuple[str, int], double: GithubDouble) -> None:
        super().__init__(address, Handler)
        self.double = double
        self.connections: set[socket.socket] = set()

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002 - socketserver's
        """A client that was killed in mid-request is what rehearsals are for."""
        error = sys.exc_info()[1]
        logger.debug("a connection from %s broke off: %r", client_address, error)

    def hang_up(self) -> None:
        """Close what clients keep open: a stopped forge answers nobody."""
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class Handler(BaseHTTPRequestHandler):
    """Reads a request whole, answers it in one write."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def setup(self) -> None:
        """Remember the connection."""
        super().setup()
        self.server.connections.add(self.connection)

    def finish(self) -> None:
        """Forget it."""
        self.server.connections.discard(self.connection)
        with contextlib.suppress(OSError):
            super().finish()

    def do_GET(self) -> None:
        """Any method is answered alike."""
        self._answer()

    do_POST = do_GET  # noqa: N815 - as above
    do_PUT = do_GET  # noqa: N815
    do_PATCH = do_GET  # noqa: N815
    do_DELETE = do_GET  # noqa: N815

    def _answer(self) -> None:
        address = urlsplit(self.path)
        request = Request(
            method=self.command,
            path=address.path,
            query=address.query,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self._read_body(),
        )
        self._send(self.server.double.dispatch(request))

    def _read_body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _send(self, response: Response) -> None:
        if response.status == 0:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        reason = HTTPStatus(response.status).phrase
        lines = [f"HTTP/1.1 {response.status} {reason}"]
        lines += [f"{name}: {value}" for name, value in response.headers]
        if response.status not in {204, 304}:
            lines.append(f"Content-Length: {len(response.body)}")
        head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
        self.wfile.write(head + (b"" if response.status in {204, 304} else response.body))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
        """Say nothing: observers see all."""
