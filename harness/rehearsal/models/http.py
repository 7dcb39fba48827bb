"""HTTP on loopback: streams in chunks, and connections that die when a fault says so."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from typing import Any

from harness.rehearsal.models.answer import Answer, Json
from harness.rehearsal.models.desk import Desk, Response
from harness.rehearsal.models.faults import Dead, GivesUp, Overflow, Silent, Slow

_RESET = struct.pack("ii", 1, 0)  # SO_LINGER 0: closing resets, as a dying machine does


class Server(ThreadingHTTPServer):
    """Threads that end when it does: open connections are shut down with it."""

    daemon_threads = False

    def __init__(self, port: int, desk: Desk) -> None:
        self.desk = desk
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:  # Any: socketserver's own
        """Remember the connection."""
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:  # Any: socketserver's own
        """Forget it."""
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End all connections, so that their threads come to an end."""
        for request in list(self._open):
            try:
                request.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it is gone already

    def handle_error(self, request: Any, client_address: Any) -> None:  # Any: socketserver's own
        """A client that went away is no error of ours."""
        import sys

        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else small chunks wait for the client's delayed ACK
    wbufsize = -1
    server: Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name; Any: its own
        """Say nothing: the record has it all."""

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The Date header is the rehearsal's time."""
        now = self.server.desk.clock.now().timestamp()
        return super().date_time_string(now if timestamp is None else timestamp)

    def do_POST(self) -> None:
        """Answer, unless a fault says otherwise."""
        length = int(self.headers.get("Content-Length", 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        response = self.server.desk.post(self.path, headers, self.rfile.read(length))
        answer = response.answer
        if answer and isinstance(answer.fault, Slow):
            self.server.desk.stopping.wait(answer.fault.seconds)
        if answer and answer.events:
            self._stream(answer, answer.events)
        elif answer and isinstance(answer.fault, Dead | Silent | GivesUp):
            self._die()
        else:
            self._whole(response)

    def do_GET(self) -> None:
        """What is there to ask; a connection that dies where a fault says so."""
        headers = {name.lower(): value for name, value in self.headers.items()}
        response = self.server.desk.get(self.path, headers)
        if response.dies:
            self._die()
        else:
            self._whole(response)

    def _whole(self, response: Response) -> None:
        content = json.dumps(response.body, ensure_ascii=False).encode()
        self._begin(response.status, "application/json")
        if response.retry_after:
            self.send_header("Retry-After", response.retry_after)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, answer: Answer, events: Iterator[Json]) -> None:
        self._begin(200, "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        match answer.fault:
            case Dead(after_events):
                self._send(islice(events, after_events))
                self._die()
                return
            case Silent(after_events):
                self._send(islice(events, after_events))
            case GivesUp(after_events):
                self._send(islice(events, after_events))
                self._send(iter([{**answer.given_up, "sequence_number": after_events}]))
            case Overflow() if answer.question.provider == "openai":
                self._send(islice(events, 2))
                self._send(iter([{**answer.given_up, "sequence_number": 2}]))
            case _:
                self._send(events)
        self.wfile.write(b"0\r\n\r\n")

    def _send(self, events: Iterator[Json]) -> None:
        for event in events:
            data = json.dumps(event, ensure_ascii=False)
            piece = f"event: {event['type']}\ndata: {data}\n\n".encode()
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.flush()

    def _begin(self, status: int, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        number = f"req_{len(self.server.desk.recorded):06d}"
        self.send_header("request-id", number)
        self.send_header("x-request-id", number)

    def _die(self) -> None:
        self.wfile.flush()
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.connection.close()
