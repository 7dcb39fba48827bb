"""Refs as git lists them: one listing until a ref moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.rehearsal.github.bare import Bare
from harness.rehearsal.github.handling import Response
from harness.rehearsal.github.listing import Listings, is_listing


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    made = Bare.make(tmp_path / "bare", "main")
    made.write_files("main", {"a": "1"}, "First", author=("Ada", "ada@localhost"), at="1")
    return made


def test_a_listing_stays_until_a_ref_or_the_default_branch_moves(bare: Bare) -> None:
    listings, told = Listings(), []

    def run() -> Response:
        told.append(len(told))
        return Response(200, (), bytes(told))

    def ask(query: str = "v2") -> bytes:
        return listings.ask(bare, (query,), run).body

    first = [ask(), ask(), ask("v1"), ask("v1")]
    bare.move("refs/heads/topic", bare.tip("main"))
    moved = [ask(), ask()]
    bare.run("symbolic-ref", "HEAD", "refs/heads/topic")
    renamed = ask()

    assert first == [b"\0", b"\0", b"\0\1", b"\0\1"]
    assert moved == [b"\0\1\2"] * 2
    assert renamed == b"\0\1\2\3"


@pytest.mark.parametrize(
    ("path", "body", "lists"),
    [
        ("/octo/demo.git/info/refs", b"", True),
        ("/octo/demo.git/git-upload-pack", b"0014command=ls-refs\n", True),
        ("/octo/demo.git/git-upload-pack", b"0012command=fetch", False),
        ("/octo/demo.git/git-receive-pack", b"0000", False),
    ],
)
def test_only_questions_about_names_are_listings(path: str, body: bytes, *, lists: bool) -> None:
    assert is_listing(path, body) is lists
