from __future__ import annotations

import ssl

import pytest

from harness.edges.connecting import certificates


def test_plain_http_on_this_machine_reads_no_certificates_and_believes_none() -> None:
    known = certificates("http://127.0.0.1:8080/v1")

    assert isinstance(known, ssl.SSLContext)
    assert (known.get_ca_certs(), known.verify_mode) == ([], ssl.CERT_REQUIRED)
    assert known.check_hostname


@pytest.mark.parametrize(
    "url", ["https://api.anthropic.com", "https://localhost:8443", "http://models.intranet/v1"]
)
def test_everybody_else_is_known_by_the_machines_certificates(url: str) -> None:
    assert certificates(url) is True
