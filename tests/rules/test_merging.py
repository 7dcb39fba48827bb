from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

import pytest

from harness.facts.forge import Author, ForgeReview, Permission, Repo
from harness.facts.settings import ProtectedSettings
from harness.rules.merging import method_allowed, objections, protected_paths

MIA = Author(id=2, login="mia", kind="user")
WRITERS = {"mia": Permission.WRITE}


def review(author: Author, state: str) -> ForgeReview:
    fields: dict[str, Any] = {"state": state}
    now = datetime(2026, 11, 30, tzinfo=UTC)
    return ForgeReview(id=1, author=author, body="", commit="a", submitted_at=now, **fields)


@pytest.mark.parametrize(
    ("reviews", "who"),
    [
        pytest.param([review(MIA, "CHANGES_REQUESTED")], ("mia",), id="asked"),
        pytest.param(
            [review(MIA, "CHANGES_REQUESTED"), review(MIA, "COMMENTED")], ("mia",), id="twice"
        ),
        pytest.param(
            [review(MIA, "CHANGES_REQUESTED"), review(MIA, "APPROVED")], (), id="approved since"
        ),
        pytest.param(
            [review(MIA, "APPROVED"), review(MIA, "CHANGES_REQUESTED")], ("mia",), id="changed mind"
        ),
        pytest.param([review(MIA, "DISMISSED")], (), id="dismissed"),
    ],
)  # fmt: skip
def test_a_person_objects_until_they_say_otherwise(
    reviews: list[ForgeReview], who: tuple[str, ...]
) -> None:
    assert objections(reviews, WRITERS) == who


def test_who_may_not_write_does_not_hold_it_and_who_is_not_known_does() -> None:
    asked = [review(MIA, "CHANGES_REQUESTED")]

    assert objections(asked, {"mia": Permission.READ}) == ()
    assert objections(asked, {}) == ("mia",)


@pytest.mark.parametrize("method", ["merge", "squash", "rebase"])
def test_only_the_allowed_method_is_used(method: Literal["merge", "squash", "rebase"]) -> None:
    allowed = {f"allow_{name}": name == method for name in ("merge", "squash", "rebase")}
    fields: dict[str, Any] = {
        "id": 1, "host": "github.com", "owner": "o", "name": "r", "default_branch": "main",
        "private": False, "archived": False, "clone_url": "",
    }  # fmt: skip
    repo = Repo(**fields, **allowed)

    told = [name for name in ("merge", "squash", "rebase") if method_allowed(repo, name)]

    assert told == [method]


@pytest.mark.parametrize(
    ("path", "protected"),
    [
        (".github/workflows/ci.yml", True),
        (".GitHub/Workflows/ci.yml", True),
        (".harness/rules.md", True),
        ("AGENTS.md", True),
        ("Jenkinsfile", True),
        ("infra/prod/a.tf", True),
        ("infra.md", False),
        ("src/agents.md", False),
        ("docs/.github.md", False),
    ],
)
def test_policy_ci_and_configured_paths_need_a_person(path: str, protected: bool) -> None:
    settings = ProtectedSettings(paths=("Infra/",))

    assert protected_paths([path], settings) == ((path,) if protected else ())


def test_workflows_may_be_allowed_policy_never() -> None:
    settings = ProtectedSettings(allow_workflows=True)

    assert protected_paths([".github/workflows/ci.yml", ".harness/x"], settings) == (".harness/x",)
