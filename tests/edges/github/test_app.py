from __future__ import annotations

from dataclasses import dataclass

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from harness.edges.github.app import AppToken
from harness.edges.github.reading import GithubReading
from harness.edges.github.wire import Wire
from harness.edges.github.writing import GithubWriting
from harness.errors import ForgeError
from harness.facts.intents import CommentOn, CreateIssue, MakeCheckRun
from tests.edges.github.world import SLUG, World


@dataclass(frozen=True)
class Keys:
    private: str
    public: str


@pytest.fixture(scope="module")
def keys() -> Keys:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return Keys(private.decode(), public.decode())


@pytest.fixture
def token(world: World, keys: Keys) -> AppToken:
    """The App harness-app, which may write."""
    app = world.double.credentials.add_app("harness-app", keys.public)
    world.double.people.allow(SLUG, "harness-app[bot]", "write")
    return app_token(world, str(app.id), keys.private)


def app_token(world: World, app_id: str, key: str) -> AppToken:
    def now() -> object:
        return world.double.forge.now

    return AppToken(world.double.url, app_id=app_id, private_key=key, repo=SLUG, now=now)  # type: ignore[arg-type] # the rehearsal's clock


def test_an_app_writes_under_its_own_name_and_finds_it_again(world: World, token: AppToken) -> None:
    wire = Wire(world.double.url, token)
    writing = GithubWriting(wire, SLUG, bot=token.bot)
    me = GithubReading(wire, SLUG, bot=token.bot).whoami()
    for write in (CommentOn(number=1, body="hi"), CreateIssue(title="t", body="b", labels=())):
        intent = world.intent(write)
        writing.deliver(intent)
        assert writing.read_back(intent) is not None

    assert (me.login, me.kind) == ("harness-app[bot]", "app")
    assert world.reading.comments(1)[0].author == me


def test_an_app_makes_check_runs_and_finds_them_by_nonce(
    world: World, token: AppToken, head: str
) -> None:
    writing = GithubWriting(Wire(world.double.url, token), SLUG, bot=token.bot)
    run = MakeCheckRun(
        sha=head, name="harness/review", conclusion="success", title="t", summary="s"
    )
    one, other = world.intent(run), world.intent(run)

    receipt = writing.deliver(one)

    found = writing.read_back(one)
    assert found is not None
    assert found.id == receipt.id
    assert writing.read_back(other) is None


def test_a_token_is_kept_and_renewed_before_it_ends(world: World, token: AppToken) -> None:
    first, same = token(), token()
    world.double.wait(54 * 60)
    still = token()
    world.double.wait(2 * 60)

    renewed = token()

    assert first == same == still != renewed
    world.double.wait(30 * 60)
    assert Wire(world.double.url, lambda: renewed).ask("GET", f"/repos/{SLUG}").status == 200
    with pytest.raises(ForgeError) as caught:
        Wire(world.double.url, lambda: first).ask("GET", f"/repos/{SLUG}")
    assert caught.value.reason == "unauthorised"


def test_a_wrong_key_is_unauthorised_and_not_quoted(world: World, token: AppToken) -> None:
    wrong = app_token(world, "1", "no key at all")

    with pytest.raises(ForgeError) as caught:
        wrong()

    assert caught.value.reason == "unauthorised"
    assert "no key at all" not in str(caught.value)


def test_an_unknown_app_is_refused(world: World, keys: Keys) -> None:
    with pytest.raises(ForgeError) as caught:
        app_token(world, "999", keys.private)()

    assert caught.value.reason == "gone"
