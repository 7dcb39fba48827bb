"""What both vendors say to a bad key, an unpaid account and an unknown model, word for word."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from harness.edges.vendor import NOTHING
from harness.errors import TURNED_AWAY, VendorError
from harness.facts.money import Usage

SAMPLES = Path(__file__).parents[2] / "samples" / "vendors" / "turned_away.json"
SAID = [
    pytest.param(vendor, one, id=f"{vendor}-{n}-{one['status']}-{one['reason']}")
    for vendor, said in json.loads(SAMPLES.read_text()).items()
    for n, one in enumerate(said)
]


@contextmanager
def answering(status: int, body: Any) -> Iterator[str]:
    """A vendor who says this to everybody; its address."""
    text = json.dumps(body).encode()

    class Vendor(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *args: Any) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Vendor) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(("vendor", "said"), SAID)
def test_what_only_the_operator_can_mend_is_told_apart(vendor: Any, said: Any, room: Any) -> None:
    with (
        answering(said["status"], said["body"]) as url,
        pytest.raises(VendorError) as caught,
    ):
        room.talk(vendor, url).ask()

    assert caught.value.reason == said["reason"]
    assert caught.value.reason in TURNED_AWAY
    assert said["body"]["error"]["message"] in str(caught.value)
    assert Usage.model_validate_json(caught.value.usage_json) == NOTHING


STRANGE: list[Any] = [None, 5, "no", [], ["x"], {"a": 1}, "\ud800"]
BODIES = [
    *STRANGE,
    *({"error": one} for one in STRANGE),
    *({"error": {"code": one, "type": one, "message": one, "details": one}} for one in STRANGE),
]


@pytest.mark.parametrize("status", [400, 500])
@pytest.mark.parametrize("body", BODIES, ids=json.dumps)
def test_a_no_of_any_shape_is_one(status: int, body: Any, provider: Any, room: Any) -> None:
    with answering(status, body) as url, pytest.raises(VendorError) as caught:
        room.talk(provider, url).ask()

    assert Usage.model_validate_json(caught.value.usage_json) == NOTHING
    assert str(caught.value).encode()
