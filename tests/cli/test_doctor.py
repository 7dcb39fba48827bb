"""`harness doctor` beside a rehearsal GitHub: each line is ok, or says what to do."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.rehearsal.github import Fault, GithubDouble
from harness.rehearsal.models import Dead, ModelDouble, Overloaded, Status, Tale
from tests.cli.making import CONFIG, SECRETS, Harness
from tests.edges.git.test_commits import new_key
from tests.stories.identity import BOT as BOT_OF_APP
from tests.stories.identity import install_app

BOT = "engine-bot"
FINDINGS = dict[tuple[str, str], tuple[str, str]]


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[GithubDouble]:
    """A GitHub with both configured repositories, where our login may write."""
    with GithubDouble(tmp_path / "forge") as double:
        double.people.join(BOT, token=SECRETS["GITHUB_TOKEN"])
        for slug in ("ada/engine", "ada/shop"):
            double.people.make_repository(slug, files={"a.py": "x = 1\n"})
            double.people.allow(slug, BOT, "write")
        yield double


@pytest.fixture
def models() -> Iterator[ModelDouble]:
    """Both vendors, who know every model."""
    with ModelDouble(Tale()) as double:
        yield double


@pytest.fixture
def config(tmp_path: Path, state: Path, forge: GithubDouble, models: ModelDouble) -> Path:
    path = tmp_path / "harness.toml"
    text = CONFIG.format(api_url=forge.url, state=state, repo="")
    for provider in ("anthropic", "openai"):
        line = f'provider = "{provider}"\n'
        text = text.replace(line, f'{line}base_url = "{models.url}"\n')
    path.write_text(text)
    return path


@pytest.fixture
def keyed(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> Harness:
    """With every key in the environment."""
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    return harness


def looks(page: dict[str, Any]) -> FINDINGS:
    return {(one["area"], one["what"]): (one["state"], one["text"]) for one in page["looks"]}


def change(config: Path, old: str, new: str) -> None:
    text = config.read_text()
    assert old in text
    config.write_text(text.replace(old, new))


def test_all_is_well_when_everything_is_there(keyed: Harness, state: Path) -> None:
    said = keyed("doctor", "--json")

    found = looks(said.json)
    assert said.code == said.json["exit_code"] == 0
    assert found["host", "state"] == ("ok", f"{state} can be written")
    assert found["host", "sandbox"][0] == "note"
    assert found["agents", "claude"] == (
        "ok",
        "claude-opus-5-5, its key is accepted, 4.00 $ in and 20.00 $ out per million tokens",
    )
    assert found["ada/engine", "login"] == ("ok", f"{BOT} has write access")
    assert found["ada/engine", "base"][0] == "ok"
    assert found["ada/engine", "check"] == ("ok", "true")
    assert found["ada/shop", "check"][0] == "note"


def test_the_page_says_each_thing_on_a_line_and_the_verdict_last(keyed: Harness) -> None:
    said = keyed("doctor", "--repo", "ada/shop")

    assert "\nada/shop\n  ok    access      ada/shop, public\n" in said.out
    assert "  note  check       no check is configured: changes are reviewed, and" in said.out
    assert said.out.endswith("\n\nready: `harness run --dry-run` writes nothing\n")


def test_quiet_leaves_out_what_is_ok(keyed: Harness) -> None:
    said = keyed("doctor", "-q", "--repo", "ada/shop")

    assert "  ok  " not in said.out
    assert "no check is configured" in said.out


def test_no_secret_is_ever_printed(keyed: Harness, config: Path, models: ModelDouble) -> None:
    key = SECRETS["OPENAI_API_KEY"]
    line = 'provider = "openai"\nbase_url = "'
    change(config, line + models.url, f"{line}ftp://{key}/v1")
    change(config, '"gpt-6.1-sol"\n', '"gpt-6.1-sol"\napi_key_env = "OPENAI_API_KEY"\n')

    said = (keyed("doctor"), keyed("doctor", "--json"))

    whole = "".join(one.out + one.err for one in said)
    assert "[agents.gpt] base_url is no http address" in whole
    assert not [value for value in SECRETS.values() if value in whole]


def test_missing_keys_are_named_by_their_variable(harness: Harness) -> None:
    said = harness("doctor", "--json")

    found = looks(said.json)
    assert said.code == 2
    assert found["agents", "gpt"] == (
        "mend",
        "the environment variable OPENAI_API_KEY is not set; it holds the API key of agent gpt",
    )
    assert found["ada/shop", "access"][0] == "mend"
    assert "GITHUB_TOKEN" in found["ada/shop", "access"][1]


def test_an_unpriced_model_and_a_missing_program_are_the_callers(
    keyed: Harness, config: Path
) -> None:
    change(config, '[prices."gpt-6.1-sol"]', '[prices."another"]')
    change(config, 'model = "gpt-6.1-sol"', 'model = "gpt-nobody-knows"')
    change(config, "[paths]", '[notify]\ncommand = ["/no/such/program"]\n\n[paths]')

    said = keyed("doctor", "--json")

    found = looks(said.json)
    assert said.code == 2
    assert found["agents", "gpt"][0] == "mend"
    assert "no price is known for gpt-nobody-knows" in found["agents", "gpt"][1]
    assert found["host", "notify"] == (
        "mend",
        "[notify] command: there is no program /no/such/program",
    )


def test_a_key_that_its_vendor_refuses_is_to_be_mended(keyed: Harness, models: ModelDouble) -> None:
    models.refuse_key(SECRETS["ANTHROPIC_API_KEY"])
    models.refuse_key(SECRETS["OPENAI_API_KEY"])

    said = keyed("doctor", "--json")

    for agent, variable in (("claude", "ANTHROPIC_API_KEY"), ("gpt", "OPENAI_API_KEY")):
        state, text = looks(said.json)["agents", agent]
        assert (said.code, state) == (2, "mend")
        assert text.startswith("key refused (")
        assert text.endswith(f"put a key in {variable} that is valid for this model")


@pytest.mark.parametrize(
    ("agent", "model"), [("claude", "claude-opus-5-5"), ("gpt", "gpt-6.1-sol")]
)
def test_a_model_that_the_key_may_not_ask_is_to_be_mended(
    keyed: Harness, models: ModelDouble, agent: str, model: str
) -> None:
    models.lose_model(model)

    said = keyed("doctor", "--json")

    state, text = looks(said.json)["agents", agent]
    assert (said.code, state) == (2, "mend")
    assert text.startswith(f"{model} is unknown to this key (")
    assert f"set model, effort and base_url under [agents.{agent}]" in text


def test_an_account_that_may_not_be_used_is_to_be_mended(
    keyed: Harness, models: ModelDouble
) -> None:
    models.fail(Status(402, "billing_error", "There is an issue with your billing."))

    said = keyed("doctor", "--json")

    state, text = looks(said.json)["agents", "claude"]
    assert (said.code, state) == (2, "mend")
    assert "add credit" in text


@pytest.mark.parametrize("fault", [Dead(), Overloaded(), Status(500, "api_error")], ids=str)
def test_a_vendor_that_does_not_answer_is_the_worlds(
    keyed: Harness, models: ModelDouble, fault: Dead | Overloaded | Status
) -> None:
    models.fail(fault)

    said = keyed("doctor", "--json")

    state, text = looks(said.json)["agents", "claude"]
    assert (said.code, state) == (3, "failed")
    assert "try again" in text


@pytest.mark.parametrize("said", ["Not Found", "Cannot GET /v1/models/claude-opus-5-5"])
def test_an_address_that_lists_no_models_is_only_noted(
    keyed: Harness, models: ModelDouble, said: str
) -> None:
    models.fail(Status(404, "not_found_error", said))

    told = keyed("doctor", "--json")

    state, text = looks(told.json)["agents", "claude"]
    assert (told.code, state) == (0, "note")
    assert "does not say which models it has" in text


def test_doctor_asks_no_question_of_a_model(keyed: Harness, models: ModelDouble) -> None:
    keyed("doctor")

    assert models.requests == ()


@pytest.mark.parametrize(
    ("act", "what", "verdict", "told"),
    [
        (("lose_token", BOT), "access", "mend", "make a new token"),
        (("archive", "ada/engine"), "access", "mend", "ada/engine is archived"),
        (("move_repository", "ada/engine", "ada/motor"), "access", "mend", "ada/motor now"),
        (("allow", "ada/engine", BOT, "read"), "login", "mend", "give it write access"),
        (("guard_branch", "ada/engine", "main"), "protection", "ok", "main is protected"),
    ],
    ids=["token", "archived", "moved", "read only", "protected"],
)
def test_what_people_did_to_the_repository_is_seen(
    keyed: Harness, forge: GithubDouble, act: tuple[str, ...], what: str, verdict: str, told: str
) -> None:
    verb, *words = act
    getattr(forge.people, verb)(*words)

    said = keyed("doctor", "--json", "--repo", "ada/engine")

    found = looks(said.json)["ada/engine", what]
    assert found[0] == verdict
    assert told in found[1]
    assert said.code == (2 if verdict == "mend" else 0)


def test_a_repository_that_is_not_there_says_both_reasons(keyed: Harness, config: Path) -> None:
    change(config, '"ada/engine"', '"ada/nowhere"')

    said = keyed("doctor", "--json", "--repo", "ada/nowhere")

    state, text = looks(said.json)["ada/nowhere", "access"]
    assert (said.code, state) == (2, "mend")
    assert text == "there is no repository ada/nowhere, or this credential may not see it"


def test_a_store_that_lacks_a_table_is_to_be_mended(keyed: Harness, state: Path) -> None:
    keyed("doctor", "--json", "--repo", "ada/engine")
    with sqlite3.connect(state / "store.db") as connection:
        connection.execute("DROP TABLE intents")

    said = keyed("doctor", "--json", "--repo", "ada/engine")

    state_, text = looks(said.json)["host", "store"]
    assert (said.code, state_) == (2, "mend")
    assert "it lacks the " in text
    assert "table intents" in text
    assert "put a backup of it back" in text


def test_a_damaged_mirror_is_noted_with_what_becomes_of_it(keyed: Harness, state: Path) -> None:
    assert keyed("doctor", "--json", "--repo", "ada/engine").code == 0
    (mirror,) = state.glob("git/*/mirror.git")
    (mirror / "HEAD").write_text("junk")

    damaged = looks(keyed("doctor", "--json", "--repo", "ada/engine").json)["ada/engine", "mirror"]
    mirror.rename(mirror.with_name("mirror.git.damaged-1"))
    aside = looks(keyed("doctor", "--json", "--repo", "ada/engine").json)["ada/engine", "mirror"]

    assert damaged[0] == aside[0] == "note"
    assert "the next run sets it aside, fetches anew" in damaged[1]
    assert f"{mirror}.damaged-1: damaged and replaced; remove it" in aside[1]


def test_a_base_that_is_no_branch_is_the_callers(keyed: Harness, config: Path) -> None:
    change(config, 'check = "true"', 'check = "true"\nbase = "develop"')

    said = keyed("doctor", "--json", "--repo", "ada/engine")

    expected = ("mend", "there is no branch develop: name one as `base`")
    assert looks(said.json)["ada/engine", "base"] == expected


def test_a_forbidden_merge_method_matters_only_where_the_harness_merges(
    keyed: Harness, config: Path, forge: GithubDouble
) -> None:
    row = forge.forge.repository("ada/engine")
    assert row is not None
    row.allow_squash = False

    before = keyed("doctor", "--json", "--repo", "ada/engine")
    change(config, 'check = "true"', 'check = "true"\nloop.auto_merge = true')
    after = keyed("doctor", "--json", "--repo", "ada/engine")

    assert looks(before.json)["ada/engine", "merge"][0] == "note"
    assert looks(after.json)["ada/engine", "merge"] == (
        "mend",
        "ada/engine does not allow squash (allowed: merge, rebase): set [loop] merge",
    )


def test_a_github_out_of_reach_is_the_worlds_and_is_asked_once(
    keyed: Harness, config: Path, forge: GithubDouble
) -> None:
    change(config, forge.url, "http://127.0.0.1:9/api/v3")

    said = keyed("doctor", "--json")

    found = looks(said.json)
    assert said.code == 3
    assert found["ada/engine", "access"][0] == "failed"
    assert found["ada/shop", "access"] == ("failed", "not asked: GitHub is out of reach")


def test_a_failing_github_is_tried_again_later(keyed: Harness, forge: GithubDouble) -> None:
    forge.fail(Fault("error_before", path="/collaborators/"))

    said = keyed("doctor", "--json", "--repo", "ada/engine")

    assert said.code == 3
    assert looks(said.json)["ada/engine", "login"][0] == "failed"


def test_doctor_writes_nothing_to_the_forge(keyed: Harness, forge: GithubDouble) -> None:
    keyed("doctor")

    assert forge.writes == []


def test_without_a_config_the_way_to_one_is_said(bare: Harness, tmp_path: Path) -> None:
    said = bare("doctor")

    assert said.code == 2
    assert "`harness init` writes one" in said.err


def test_json_is_one_document_with_its_schema(keyed: Harness) -> None:
    page = json.loads(keyed("doctor", "--json").out)

    assert list(page) == ["schema", "exit_code", "looks"]
    assert page["schema"] == "harness.doctor/1"


def test_an_app_is_looked_at_by_what_its_installation_may(
    keyed: Harness, config: Path, forge: GithubDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, key = install_app(forge, "ada/engine", "ada/shop")
    monkeypatch.setenv("HARNESS_APP_KEY", key)
    monkeypatch.setenv("HARNESS_REHEARSAL", forge.base)
    monkeypatch.delenv("GITHUB_TOKEN")
    change(config, "[github]\n", f"[github]\n{lines}")

    said = keyed("doctor", "--json", "--repo", "ada/shop")

    found = looks(said.json)
    assert said.code == 0
    assert found["ada/shop", "login"] == ("ok", f"{BOT_OF_APP} is installed on ada/shop")
    assert found["ada/shop", "app"] == (
        "note",
        "it cannot push changes to workflow files: they are kept for a person",
    )
    assert ("ada/shop", "token") not in found


def test_an_app_without_its_key_is_to_be_mended(
    keyed: Harness, config: Path, forge: GithubDouble
) -> None:
    lines, _ = install_app(forge, "ada/shop")
    change(config, "[github]\n", f"[github]\n{lines}")

    said = keyed("doctor", "--json", "--repo", "ada/shop")

    state, text = looks(said.json)["ada/shop", "access"]
    assert (said.code, state) == (2, "mend")
    assert "HARNESS_APP_KEY is not set" in text


def test_commits_that_cannot_be_signed_are_seen_before_one_is_made(
    keyed: Harness, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    change(config, "[paths]", "[commit]\nsign = true\n\n[paths]")

    without = keyed("doctor", "--json", "--repo", "ada/shop")
    new_key(tmp_path / "key", "")
    signing = '[gpg]\n format = ssh\n[user]\n signingkey = "~/key.pub"\n'
    (tmp_path / ".gitconfig").write_text(signing)
    with_one = keyed("doctor", "--json", "--repo", "ada/shop")

    assert without.code == 2
    assert looks(without.json)["host", "signing"][0] == "mend"
    assert "[commit] sign" in looks(without.json)["host", "signing"][1]
    assert looks(with_one.json)["host", "signing"] == ("ok", "a commit can be signed")


def test_a_toolchain_that_is_not_there_is_to_be_mended(keyed: Harness, config: Path) -> None:
    change(config, 'kind = "none"', 'kind = "none"\npaths = ["/opt", "/no/such/place"]')

    said = keyed("doctor", "--json", "--repo", "ada/shop")

    told = "[sandbox] paths: /no/such/place is no folder that can be read"
    assert said.code == 2
    assert looks(said.json)["host", "paths"] == ("mend", told)


def test_the_folder_of_the_config_is_no_toolchain(keyed: Harness, config: Path) -> None:
    change(config, 'kind = "none"', f'kind = "bwrap"\npaths = ["{config.parent}"]')

    said = keyed("doctor", "--json", "--repo", "ada/shop")
    run = keyed("run", "--repo", "ada/shop")

    told = f"[sandbox] paths names {config.parent}, where your config lies: "
    assert looks(said.json)["host", "paths"][0] == "mend"
    assert looks(said.json)["host", "paths"][1].startswith(told)
    assert (run.code, run.err[: len(told) + 9]) == (2, f"harness: {told}")


def test_documents_that_the_base_does_not_have_are_named(keyed: Harness, config: Path) -> None:
    change(config, 'check = "true"', 'check = "true"\ndocuments = ["a.py", "docs/none.md"]')

    said = keyed("doctor", "--json", "--repo", "ada/engine")

    assert said.code == 2
    assert looks(said.json)["ada/engine", "documents"] == (
        "mend",
        "main has no docs/none.md, which `documents` names",
    )


def test_people_who_cannot_be_called_are_named(
    keyed: Harness, config: Path, forge: GithubDouble
) -> None:
    forge.people.join("ada")
    forge.people.join("mallory")
    forge.people.allow("ada/engine", "ada", "write")
    change(config, 'check = "true"', 'check = "true"\nloop.escalate_to = ["ada", "nobody-there"]')

    wrong = keyed("doctor", "--json", "--repo", "ada/engine")
    change(config, '"nobody-there"', '"mallory"')
    stranger = keyed("doctor", "--json", "--repo", "ada/engine")
    change(config, ', "mallory"', "")
    right = keyed("doctor", "--json", "--repo", "ada/engine")

    assert wrong.code == 2
    assert looks(wrong.json)["ada/engine", "people"] == (
        "mend",
        "there is no nobody-there, whom [loop] escalate_to names",
    )
    assert looks(stranger.json)["ada/engine", "people"][0] == "note"
    assert "mallory" in looks(stranger.json)["ada/engine", "people"][1]
    assert looks(right.json)["ada/engine", "people"] == ("ok", "ada can be called")
