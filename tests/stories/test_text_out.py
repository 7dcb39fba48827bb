"""Whatever a model writes: nothing of it wakes, closes, leaks or breaks anything on the forge."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from harness.rehearsal.demo.story import BOT, MAINTAINER, SLUG
from harness.rehearsal.models import Act, Prose, Refuses, on, reply_raw, say, shell
from harness.rehearsal.models.script import Chapter
from harness.rules.markers import strip_marker
from tests.stories.bills import limit
from tests.stories.reviewing import CHECK, PULL, go, open_change
from tests.stories.scripts import (
    NEGATIVE,
    declines,
    finding,
    implements,
    refute,
    responds,
    reviews,
    says_review,
    told,
    triages,
)
from tests.stories.stage import Stage, open_stage

pytestmark = pytest.mark.slow

TOKEN = "ghp_" + "aB3xY9" * 6
CLAUDE_KEY, GPT_KEY = "sk-ant-api03-" + "Qw7" * 20, "sk-proj-" + "Zx8Kj" * 12
AWS = "AKIAQ3EGRK2TPL5WZX7M"
LEAKS = (TOKEN, CLAUDE_KEY, GPT_KEY, AWS)
MARKER = "<!-- harness:0123456789abcdef0123456789abcdef.0123456789abcdef -->"

NASTY = f"""\
@coderabbitai review and @mallory, @ada/team. This does not close #3; fixes #2, \
resolves {SLUG}#4, closes https://github.com/{SLUG}/issues/4. {MARKER}<!-- psst -->
@openhands please
/review
It prints {TOKEN} and {CLAUDE_KEY}; {GPT_KEY} is {AWS}.

<details><summary>more</summary>

````python
@coderabbitai resolve
"""
HUGE = "A long word \U0001f389 " * 5_000 + "<details>\n"
CONTROLS = "\x07\x1b[31mred\u202edesrever\U000e0041\x00\x85 Signed-off-by: Ada <ada@shop>"
LONE = "half \ud83d a pair"
WORDS = f"{CONTROLS} {NASTY}"

Play = Callable[..., Stage]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    """The forge with real-looking secrets and these chapters."""
    with ExitStack() as ending:

        def open_play(*chapters: Chapter) -> Stage:
            stage = ending.enter_context(open_stage(tmp_path, told(*chapters)))
            stage.forge.people.join(BOT, token=TOKEN)
            stage.environ |= {
                "GITHUB_TOKEN": TOKEN,
                "ANTHROPIC_API_KEY": CLAUDE_KEY,
                "OPENAI_API_KEY": GPT_KEY,
            }
            limit(stage, tool_output_tokens=64_000, reply_tokens=64_000, dollars_exchange=20)
            return stage

        yield open_play


def raw(act: Act) -> Act:
    """The same reply in ASCII, so that half a pair gets through."""
    return reply_raw(json.dumps(json.loads(act.raw)))


def texts(stage: Stage) -> dict[str, str]:
    """Everything we wrote that stands on the forge, by where."""
    repository = stage.forge.forge.repository(SLUG)
    assert repository is not None
    said: dict[str, str] = {}
    for number, item in repository.items.items():
        if item.author and item.author.login == BOT:
            said |= {f"title of {number}": item.title, f"body of {number}": item.body}
        ours = [one for one in item.comments if one.author and one.author.login == BOT]
        said |= {f"comment {one.id} on {number}": one.body for one in ours}
    said |= {f"status {n}": one.description or "" for n, one in enumerate(repository.statuses)}
    branches = [name for name in repository.bare.branches() if name.startswith("harness/")]
    for name in branches:
        log = repository.bare.run("log", "--format=%B%x00", f"main..{name}")
        said |= {f"commit {n} of {name}": one for n, one in enumerate(log.split("\0"))}
    return said


def assert_harmless(stage: Stage, *, closes: int = 0) -> None:
    """What is on the forge now is inert, closed, within limits and without a secret."""
    for where, text in texts(stage).items():
        told_here = strip_marker(text)
        shown = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", told_here)
        bare = told_here.replace(f"Closes #{closes}", "") if where.startswith("body") else told_here
        assert not [one for one in LEAKS if one in text or one[4:24] in text], where
        assert not re.search(r"@(coderabbitai|openhands|mallory|ada)", text, re.IGNORECASE), where
        assert not re.search(
            r"(close|fix|resolve)(s|d|es|ed)?:?\s+(\S*/\S*)?#?\d", bare, re.IGNORECASE
        ), where
        assert "<!--" not in told_here, where
        assert not re.search(r"^/(review|harness)", text, re.MULTILINE), where
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\U000e0041\ud800-\udfff]", text), (
            where
        )
        assert not re.search(r"^Signed-off-by", text, re.MULTILINE), where
        assert len(text) <= _most(where), where
        assert len(text.encode()) <= 65_536, where
        if where.startswith(("body", "comment")):
            assert shown.count("<details>") == shown.count("</details>"), where
            assert len(re.findall(r"^`{3,}", text, re.MULTILINE)) % 2 == 0, where


def _most(where: str) -> int:
    kinds = {"title": 256, "status": 140, "comment": 4_000 + 256}
    return kinds.get(where.split(" ", maxsplit=1)[0], 24_000 + 256)


def assert_nothing_leaks(stage: Stage, printed: str) -> None:
    """Nothing that a person reads here, and nothing that left, holds a secret."""
    with stage.store() as store:
        run = store.runs(1)[0].id
        asked = [one.id for one in store.exchanges_of_run(run)]
    shown = [printed, stage.look("status"), stage.look("status", "--json")]
    shown += [stage.look("runs", run), stage.look("runs", run, "--json")]
    shown += [stage.look("runs", "--transcript", one) for one in asked]
    shown += [stage.look("ledger", "list"), stage.look("ledger", "list", "--json")]
    shown += [stage.look("ledger", "show", one.entry.id) for one in stage.standings.values()]
    kept = [path for path in stage.state.glob("**/*") if path.is_file() and _is_for_people(path)]
    assert any("transcripts" in path.parts for path in kept)
    assert any("log" in path.parts for path in kept)
    shown += [path.read_text("utf-8") for path in kept]
    for leak in LEAKS:
        assert not [text for text in shown if leak in text]


def _is_for_people(path: Path) -> bool:
    return bool({"transcripts", "log"} & set(path.parts))


# -- each place a model's words go to --------------------------------------------------------------
def test_what_an_implementer_reports(play: Play, capsys: pytest.CaptureFixture[str]) -> None:
    """The pull request and its commit; half of a surrogate pair is sent back once."""
    edits, half = implements(notes=LONE)
    fields = {"summary": WORDS, "problem": WORDS, "changes": [WORDS] * 2, "testing": [WORDS]}
    _, report = implements(**fields, notes=WORDS + HUGE)
    stage = play(on("implement *", edits, raw(half), report))
    stage.only(1)
    stage.set(CHECK, "")

    code = stage.run()

    body = stage.item(PULL).body
    assert code == 0
    assert "Closes #1" in body
    assert "left out" in body
    assert_harmless(stage, closes=1)
    assert_nothing_leaks(stage, "".join(capsys.readouterr()))


def test_what_a_reviewer_finds(play: Play, capsys: pytest.CaptureFixture[str]) -> None:
    words = {"title": WORDS, "detail": WORDS, "failure_scenario": WORDS + HUGE, "suggestion": WORDS}
    minor = finding(severity="nit", **(words | {"title": f"Minor {WORDS}"}))
    stage = play(
        on("review *", says_review(finding(**words), minor, summary=WORDS)),
        on("respond *", Refuses()),
    )
    open_change(stage)

    code = go(stage)

    assert code == 3
    assert len(stage.comments(PULL)) == 1
    assert_harmless(stage)
    assert_nothing_leaks(stage, "".join(capsys.readouterr()))


def test_what_an_author_argues(play: Play, capsys: pytest.CaptureFixture[str]) -> None:
    answer = refute(NEGATIVE)._replace(reasoning=WORDS)
    stage = play(reviews(1, finding()), responds(1, answer))
    open_change(stage)

    code = go(stage)

    assert code == 0
    assert stage.states == {NEGATIVE: "refuted"}
    assert_harmless(stage)
    assert_nothing_leaks(stage, "".join(capsys.readouterr()))


def test_why_both_decline_an_issue(play: Play, capsys: pytest.CaptureFixture[str]) -> None:
    stage = play(on("triage *", triages(i1={"worth_doing": False, "reason": WORDS + HUGE})))
    stage.only(1)

    code = stage.run()

    assert (code, stage.outcomes) == (0, {1: "declined"})
    assert len(stage.comments(1)) == 1
    assert_harmless(stage)
    assert_nothing_leaks(stage, "".join(capsys.readouterr()))


def test_why_an_implementer_declines(play: Play, capsys: pytest.CaptureFixture[str]) -> None:
    stage = play(on("implement *", *declines(WORDS)))
    stage.only(1)
    stage.set(CHECK, "")

    code = stage.run()

    assert (code, stage.outcomes) == (0, {1: "declined"})
    assert len(stage.comments(1)) == 1
    assert_harmless(stage)
    assert_nothing_leaks(stage, "".join(capsys.readouterr()))


def test_what_was_said_instead_of_an_answer(play: Play, capsys: pytest.CaptureFixture[str]) -> None:
    stage = play(on("review *", Prose(WORDS), ...))
    stage.set("[loop]\n", "[loop]\nmax_tries = 1\n")
    called = stage.root / "called.json"
    stage.config += f'\n[notify]\ncommand = ["tee", "{called}"]\n'
    open_change(stage)

    codes = [go(stage), stage.resume()]

    assert codes == [3, 1]
    assert "harness: needs a person" in stage.labels(PULL)
    assert len(stage.comments(PULL)) == 1
    assert "coderabbitai" in called.read_text("utf-8")
    assert_harmless(stage)
    assert_nothing_leaks(stage, "".join(capsys.readouterr()) + called.read_text("utf-8"))


def test_what_a_review_left_out(play: Play, capsys: pytest.CaptureFixture[str]) -> None:
    left_out = [{"path": WORDS, "reason": WORDS}]
    stage = play(on("review *", says_review(not_reviewed=left_out)))
    open_change(stage)

    code = go(stage)

    assert (code, stage.outcomes) == (1, {PULL: "escalated"})
    assert_harmless(stage)
    assert_nothing_leaks(stage, "".join(capsys.readouterr()))


def test_what_a_dry_run_prints(play: Play, capsys: pytest.CaptureFixture[str]) -> None:
    _, report = implements(summary=WORDS, notes=WORDS)
    stage = play(on("implement *", implements()[0], report))
    stage.only(1)
    stage.set(CHECK, "")

    stage.run(dry=True)

    assert not [leak for leak in LEAKS if leak in "".join(capsys.readouterr())]
    assert stage.forge.writes == []


# -- what is in the repository and the environment -------------------------------------------------
LOOK = "env; cat /proc/*/environ; git config -l; cat .git/config; cat ~/.git-credentials"


@pytest.mark.parametrize("kind", ["implement", "review"])
def test_a_command_finds_no_secret_of_ours(kind: str, play: Play) -> None:
    lines = {"implement": implements(), "review": [says_review()]}[kind]
    stage = play(on(f"{kind} *", say(shell(LOOK)), *lines))
    stage.only(1)
    stage.set(CHECK, "")

    code = stage.run()

    results = [one.question.last for one in stage.models.requests if one.question]
    printed = [one for one in results if "PATH=" in one]
    assert code == 0
    assert printed
    assert "GITHUB_TOKEN" not in "".join(printed)
    assert not [leak for leak in LEAKS for one in stage.models.requests if leak.encode() in one.raw]


def test_secrets_that_people_paste_go_to_no_model_and_can_be_found_by_their_masks(
    play: Play,
) -> None:
    """A reviewer that sees only the mask quotes the mask, and its finding stands."""
    line, masked = f'KEY = "{AWS}"', f'KEY = "{AWS[:4]}...[masked]"'
    seen = finding("A key is in the code", line=1, file="shop/key.py", quoted=masked)
    stage = play(on("review *", says_review(seen)), on("respond *", Refuses()))
    open_change(stage, {"shop/key.py": f"{line}\n"})
    stage.forge.people.edit(SLUG, MAINTAINER, PULL, body=f"Use {TOKEN} and {AWS}, {CLAUDE_KEY}")

    go(stage)

    (brief,) = stage.briefs("review *")
    assert masked in brief
    assert "Use ghp_...[masked] and AKIA...[masked]" in brief
    assert stage.states == {"A key is in the code": "open"}
    assert not [leak for leak in LEAKS for one in stage.models.requests if leak.encode() in one.raw]
    assert_harmless(stage)
