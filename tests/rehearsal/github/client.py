"""A plain HTTP client, so that the double is tested without the edge."""

from __future__ import annotations

import json
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Said:
    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@dataclass(frozen=True)
class Client:
    """Asks as the holder of a token."""

    url: str
    token: str

    def ask(self, method: str, path: str, given: object = None, **headers: str) -> Said:
        address = urlsplit(self.url)
        connection = HTTPConnection(address.hostname or "", address.port, timeout=10)
        body = None if given is None else json.dumps(given)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent["Authorization"] = f"token {self.token}"
        try:
            connection.request(method, address.path + path, body=body, headers=sent)
            answer = connection.getresponse()
            text = answer.read().decode()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Said(answer.status, names, text)
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Any:
        said = self.ask("GET", path, **headers)
        assert said.status == 200, said.text
        return said.json

    def post(self, path: str, given: object) -> Any:
        said = self.ask("POST", path, given)
        assert said.status in {200, 201, 202}, said.text
        return said.json

    def graphql(self, query: str, **variables: object) -> Any:
        elsewhere = Client(self.url.removesuffix("/v3"), self.token)
        said = elsewhere.ask("POST", "/graphql", {"query": query, "variables": variables})
        assert said.status == 200, said.text
        return said.json
