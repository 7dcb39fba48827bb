from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cli.rehearse import TOKEN
from harness.edges.github.reading import GithubReading
from harness.edges.github.wire import Wire
from tests.cli.making import Harness


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`harness rehearse serve` as a process, with all it said before it serves."""
    process = subprocess.Popen(
        [sys.executable, "-m", "harness", "rehearse", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path)},
    )
    assert process.stdout
    said = ""
    while "Ctrl-C ends it." not in said:
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        said += line
    yield process, said
    process.kill()
    process.communicate()


def ask(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def test_a_rehearsal_serves_an_issue_and_git_and_ends_quietly(
    served: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    process, said = served
    base = said.partition("export HARNESS_REHEARSAL=")[2].split()[0]

    wire = Wire(f"{base}/api/v3", lambda: TOKEN)
    issue = GithubReading(wire, "ada/shop").issue(1)
    wire.close()
    ask("git", "clone", "-q", f"{base}/ada/shop.git", str(tmp_path / "clone"))
    process.send_signal(2)
    out, err = process.communicate(timeout=30)

    assert issue.number == 1
    assert (tmp_path / "clone" / "shop").is_dir()
    assert (process.returncode, out, err) == (0, "", "the rehearsal is over\n")
    assert list(tmp_path.glob("harness-rehearsal-*")) == []


def test_a_config_made_from_what_it_says_is_a_config(
    served: tuple[subprocess.Popen[str], str],
) -> None:
    _, said = served
    base = said.partition("export HARNESS_REHEARSAL=")[2].split()[0]

    assert f'api_url = "{base}/api/v3"' in said


@pytest.mark.parametrize("host", ["1.2.3.4", "192.168.1.5", "example.org"])
def test_a_rehearsal_is_for_this_machine_only(bare: Harness, host: str) -> None:
    said = bare("rehearse", "serve", "--host", host)

    told = f"harness: {host} is no loopback address; a rehearsal is for this machine only\n"
    assert (said.code, said.err) == (2, told)


def test_a_port_that_is_taken_is_one_sentence(
    bare: Harness, served: tuple[subprocess.Popen[str], str]
) -> None:
    port = served[1].partition("export HARNESS_REHEARSAL=")[2].split()[0].rpartition(":")[2]

    said = bare("rehearse", "serve", "--port", port)

    told = f"harness: cannot serve on 127.0.0.1:{port}: Address already in use\n"
    assert (said.code, said.err) == (2, told)
