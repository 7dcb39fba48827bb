"""Our secrets lie nowhere in the state directory and leave nowhere, whoever says them."""

from __future__ import annotations

import pytest

from harness.rehearsal.demo.story import CHECK
from harness.rehearsal.github import Fault
from harness.rehearsal.models import Act, Question, Refuses, edit, on, reply, say, shell
from tests.stories.conftest import Play
from tests.stories.scripts import (
    CART,
    NEGATIVE,
    PRICES,
    TIMES,
    finding,
    implementation,
    refute,
    responds,
    reviews,
    told,
    triages,
)
from tests.stories.stage import TOKEN, Stage
from tests.stories.test_forge_checks import MEND, guard, run_ci

pytestmark = pytest.mark.slow

KEYS = {"ANTHROPIC_API_KEY": "sk-story-claude-6f1d2b", "OPENAI_API_KEY": "sk-story-gpt-93ab7c"}
SECRETS = (TOKEN, *KEYS.values())


def _leaks(stage: Stage) -> list[str]:
    """Every file of ours that holds a secret: all but git's, which hold what the project holds."""
    return [
        f"{path.relative_to(stage.state)}: {secret}"
        for path in stage.state.rglob("*")
        if path.is_file() and path.relative_to(stage.state).parts[0] != "git"
        for secret in SECRETS
        if secret.encode() in path.read_bytes()
    ]


def _repeats_what_it_read(asked: Question) -> Act:
    """A report that quotes the last command's output."""
    return reply(implementation(notes=f"It printed this:\n\n{asked.last}"))


def test_a_run_leaves_transcripts_and_logs_and_no_secret(play: Play) -> None:
    stage = play(
        told(
            on(
                "implement *",
                say(edit(CART, PRICES, TIMES)),
                say(shell("cat keys.txt; env; cat /proc/self/environ")),
                _repeats_what_it_read,
            ),
            reviews(1, finding()),
            responds(1, refute()),
        )
    )
    stage.environ = dict(KEYS)
    stage.push({"keys.txt": "\n".join(SECRETS)}, branch="main")

    assert stage.run() == 0
    stage.models.fail(Refuses(), headline="review *")
    stage.push({"NOTES.md": "A new round.\n"})
    assert stage.run() == 3

    assert "It printed this:" in stage.item(5).body
    assert stage.states == {NEGATIVE: "refuted"}
    assert _leaks(stage) == []
    assert not _sent(stage)
    kept = {path.name for path in stage.state.glob("transcripts/ada-shop/*.md")}
    assert {"1-implement-claude-0-1.md", "1-rebut-gpt-1-1.md", "1-review-gpt-2-1.md"} <= kept
    assert "implement claude" in "".join(path.read_text() for path in stage.state.glob("log/*"))


def test_a_secret_that_a_model_says_is_neither_kept_nor_run(
    play: Play, caplog: pytest.LogCaptureFixture
) -> None:
    stage = play(
        told(
            on(
                "implement *",
                say(shell(f"echo '{TOKEN}' > key.txt")),
                say(edit(CART, PRICES, TIMES)),
                reply(implementation(problem=f"The token is {TOKEN}.")),
            ),
            reviews(1, finding(detail=f"{SECRETS[1]} is here.")),
            responds(1, refute()),
        )
    )
    stage.environ = dict(KEYS)

    assert stage.run() == 0

    assert "The token is [masked]." in stage.item(5).body
    assert stage.repository.bare.run("ls-tree", "harness/issue-1", "key.txt") == ""
    assert _leaks(stage) == []
    assert not _sent(stage)
    assert "claude wrote one of the harness's own secrets" in caplog.text


def test_a_secret_that_somebody_wrote_into_an_issue_goes_no_further(play: Play) -> None:
    stage = play(told(on("triage *", triages(i1={"worth_doing": False}))))
    stage.environ = dict(KEYS)
    stage.forge.people.edit(stage.slug, "ada", 1, body=f"It fails with {' '.join(SECRETS)}.")

    assert stage.run() == 0

    assert "It fails with" in stage.briefs("triage *")[0]
    assert not _sent(stage)


def test_a_check_of_the_forge_that_quotes_our_token_is_masked_before_it_is_recorded(
    play: Play,
) -> None:
    mended = responds(0, MEND, kind="fix_check"), responds(1, kind="fix_check")
    stage, name = play(told(*mended)), f"ci {TOKEN}"
    stage.environ = dict(KEYS)
    said = {"path": CART, "start_line": 9, "end_line": 9, "annotation_level": "failure"}
    said |= {"message": f"used {TOKEN}", "title": None, "raw_details": None}
    guard(stage, name)
    run_ci(
        stage,
        lambda *_: {"conclusion": "failure", "annotations": [said], "log": f"with {TOKEN}\n"},
        name,
    )
    stage.forge.people.edit(stage.slug, "ada", 1, title=f"It fails with {TOKEN}")

    stage.run()

    assert "ci [masked]" in stage.reports[1].reason
    assert "with [masked]" in stage.briefs("fix_check *")[0]
    assert _leaks(stage) == []
    assert not _sent(stage)


def test_a_refusal_of_the_forge_that_quotes_our_token_is_masked_wherever_it_is_told(
    play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = play(told())
    stage.environ = dict(KEYS)
    stage.set(f'check = "{CHECK}"\n', "")
    said = f"{TOKEN} may not"
    stage.forge.fail(Fault("error_before", "POST", r"/pulls$", status=403, message=said, times=-1))

    assert stage.run() == 1

    printed = "".join(capsys.readouterr()) + stage.look("status")
    assert stage.reports[1].reason.endswith("[masked] may not")
    assert "[masked] may not" in printed
    assert TOKEN not in printed
    assert _leaks(stage) == []


def _sent(stage: Stage) -> list[str]:
    """The secrets that went to a vendor or back to the forge in anything but a header."""
    sent = b"".join(one.raw for one in stage.models.requests).decode() + str(stage.forge.writes)
    return [secret for secret in SECRETS if secret in sent]


def test_what_lies_in_the_state_directory_is_for_its_owner_alone(play: Play) -> None:
    stage = play(told())

    assert stage.run() == 0

    private = [stage.state / "store.db", *stage.state.glob("transcripts/*/*")]
    private += stage.state.glob("log/*")
    private += [stage.state, *stage.state.glob("*"), *stage.state.glob("git/*")]
    assert {oct(path.stat().st_mode & 0o077) for path in private} == {"0o0"}
