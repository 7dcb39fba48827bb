from __future__ import annotations

from harness.rules.app_permissions import lacks

FULL = {
    "actions": "read",
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "pull_requests": "write",
    "statuses": "write",
    "workflows": "write",
}


def test_an_installation_with_everything_lacks_nothing() -> None:
    assert lacks(FULL) == ()


def test_what_is_needed_comes_first_and_names_the_permission() -> None:
    some = FULL | {"contents": "read"}
    some.pop("actions")

    missing = lacks(some)

    assert [(one.needed, one.text) for one in missing] == [
        (True, 'it cannot push branches: give the App the permission "contents: write"'),
        (
            False,
            "it cannot read the logs of red checks: agents see their annotations only",
        ),
    ]


def test_reading_checks_is_needed_and_making_them_is_replaced() -> None:
    reading = lacks(FULL | {"checks": "read"})
    blind = lacks({name: level for name, level in FULL.items() if name != "checks"})

    assert [one.needed for one in reading] == [False]
    assert [one.needed for one in blind] == [True, False]
