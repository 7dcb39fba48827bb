"""Log in to the rehearsal forge as a GitHub App, with a key made for the test."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from harness.rehearsal.github import GithubDouble

SLUG = "harness-app"
BOT = f"{SLUG}[bot]"


@dataclass(frozen=True)
class Keys:
    """An RSA pair as PEM."""

    private: str
    public: str


@cache
def make_keys() -> Keys:
    """One pair for all tests: making one takes a while."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return Keys(private.decode(), public.decode())


def install_app(forge: GithubDouble, *repositories: str) -> tuple[str, str]:
    """Install an App that may write there; returns the lines of [github] and its private key."""
    keys = make_keys()
    app = forge.credentials.add_app(SLUG, keys.public)
    for repository in repositories:
        forge.people.allow(repository, BOT, "write")
    return f'auth = "app"\napp_id = {app.id}\n', keys.private
