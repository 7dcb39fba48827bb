"""Whatever a command tries, it stays in its tree, ends in time, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.edges.workbench import BwrapWorkbench
from harness.facts.settings import LimitSettings, SandboxSettings
from harness.facts.trees import Tree
from harness.facts.workbench import Command, Ran

LIMITS = LimitSettings(
    memory_bytes=200_000_000, processes=60, disk_bytes=60_000_000, result_bytes=4_000
)
SANDBOXED = SandboxSettings().uid
ORDINARY = 23_456 + os.getpid() % 10_000  # limits per user are not shared between test processes
NAP = 4_000_000 + os.getpid()  # seconds: long, and not another test process's

Try = Callable[..., Ran]


AS_WE_ARE = pytest.mark.parametrize("uid", ["as we are"], indirect=True, ids=["as we are"])


@pytest.fixture(params=["as we are", "as an ordinary user"])
def uid(request: pytest.FixtureRequest) -> int | None:
    """Whom to become before running; only root can become somebody else."""
    if request.param == "as we are":
        return None
    if os.geteuid() != 0:
        return os.geteuid()  # we are an ordinary user: the same test once more
    return ORDINARY


@pytest.fixture
def state(tmp_path: Path, uid: int | None) -> Path:
    """A state directory with a secret beside the tree, as private as the real one."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and "pytest" in str(folder):
            folder.chmod(0o755)  # another user has to pass through
    if uid == ORDINARY:
        os.chown(tmp_path, ORDINARY, ORDINARY)
    (tmp_path / "secret.txt").write_text("the operator's secret\n")
    (tmp_path / "secret.txt").chmod(0o600)
    tmp_path.chmod(0o700)
    return tmp_path


@pytest.fixture
def tree(state: Path, uid: int | None) -> Tree:
    """A work tree with one file, a `.git` file and a link that leads out of it."""
    path = state / "tree"
    path.mkdir()
    (path / "a.txt").write_text("one\n")
    (path / ".git").write_text("gitdir: /nowhere\n")
    (path / "out").symlink_to(state / "secret.txt")
    for one in (path, path / "a.txt", path / ".git"):
        if os.geteuid() == 0:
            owner = uid or SANDBOXED
            os.chown(one, owner, owner)
    return Tree(repo_id=1, path=str(path), head="")


@pytest.fixture
def workbench(state: Path) -> BwrapWorkbench:
    return BwrapWorkbench(
        SandboxSettings(tmp_bytes=40_000_000),
        LIMITS,
        scratch=state / "scratch",
        builds=state / "builds",
        readonly=(),
        mask=lambda text: text.replace("hunter2", "****"),
    )


@pytest.fixture
def attempt(workbench: BwrapWorkbench, tree: Tree, uid: int | None) -> Try:
    """Run one bash line in the tree, writable unless told otherwise."""

    def run(line: str, *, mode: str = "write", seconds: float = 10, stdin: str = "") -> Ran:
        with workbench.open(tree, "write" if mode == "write" else "overlay") as bench:
            return bench.run(Command(argv=("bash", "-c", line), seconds=seconds, stdin=stdin))

    if uid != ORDINARY:
        return run
    return lambda *args, **how: become(ORDINARY, lambda: run(*args, **how))


def become(uid: int, act: Callable[[], Ran]) -> Ran:
    """Do it in a forked child that has dropped to another user for good."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
        told = b""
        try:
            told = act().model_dump_json().encode()
        finally:
            os.write(writing, told)
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return Ran.model_validate_json(told)


def test_a_command_may_write_in_its_tree(attempt: Try, tree: Tree) -> None:
    ran = attempt("echo two >> a.txt && cat a.txt")

    assert (ran.exit, ran.output) == (0, "one\ntwo\n")
    assert Path(tree.path, "a.txt").read_text() == "one\ntwo\n"


def test_a_reviewer_that_writes_changes_nothing(attempt: Try, tree: Tree) -> None:
    ran = attempt("echo two >> a.txt && rm -f .git; mkdir new; cat a.txt", mode="overlay")

    assert ran.output.startswith("one\ntwo\n") or "one\ntwo" in ran.output
    assert Path(tree.path, "a.txt").read_text() == "one\n"
    assert sorted(path.name for path in Path(tree.path).iterdir()) == [".git", "a.txt", "out"]


@AS_WE_ARE
def test_an_overlay_lasts_from_command_to_command_and_no_longer(
    workbench: BwrapWorkbench, tree: Tree
) -> None:
    with workbench.open(tree, "overlay") as bench:
        bench.run(Command(argv=("bash", "-c", "echo built > out.o"), seconds=10))
        again = bench.run(Command(argv=("cat", "out.o"), seconds=10))
    with workbench.open(tree, "overlay") as bench:
        fresh = bench.run(Command(argv=("cat", "out.o"), seconds=10))

    assert (again.exit, again.output) == (0, "built\n")
    assert fresh.exit == 1


@pytest.mark.parametrize(
    "line",
    [
        "cat {state}/secret.txt",
        "cat out",
        "cat ../secret.txt",
        "cat /etc/shadow",
        "cat /root/.bashrc /root/.profile",
        "cat /home/*/.bashrc",
        "cat /proc/1/environ | tr '\\0' '\\n' | grep SECRET_OF_THE_OPERATOR",
        "env | grep SECRET_OF_THE_OPERATOR",
        "cat /var/lib/dpkg/status",
    ],
)
def test_nothing_of_the_operators_can_be_read(
    attempt: Try, state: Path, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_OPERATOR", "hunter3")

    ran = attempt(line.format(state=state))

    assert ran.exit != 0
    assert "secret\n" not in ran.output
    assert "hunter3" not in ran.output


@pytest.mark.parametrize(
    "line",
    [
        "echo x > {state}/planted",
        "echo x > ../planted",
        "echo x > out",
        "ln -s {state} way && echo x > way/planted",
        "echo x > /usr/planted",
        "echo x > /etc/planted",
        "echo 1 > /proc/sys/vm/swappiness",
        "echo x > .git",
        "mount -t tmpfs none /usr",
        "chmod u+s /usr/bin/env",
    ],
)
def test_nothing_outside_the_tree_can_be_written(attempt: Try, state: Path, line: str) -> None:
    before = (state / "secret.txt").read_text()

    ran = attempt(line.format(state=state))

    private = ("planted" in line or "> out" in line) and "/usr" not in line and "/etc" not in line
    assert ran.exit != 0 or private  # a folder above the tree may be there, empty and its own
    assert (state / "secret.txt").read_text() == before
    assert not (state / "planted").exists()
    assert (state / "tree" / ".git").read_text() == "gitdir: /nowhere\n"


@pytest.mark.parametrize(
    "line",
    [
        "exec 3<>/dev/tcp/127.0.0.1/{port}",
        "exec 3<>/dev/tcp/192.0.2.1/80",
        "exec 3<>/dev/udp/192.0.2.1/53 && echo x >&3",
        "getent hosts example.org",
    ],
)
def test_no_network_can_be_reached_not_even_loopback(attempt: Try, line: str) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        ran = attempt(line.format(port=server.getsockname()[1]), seconds=5)

    assert ran.exit != 0


@pytest.mark.parametrize(
    "line",
    [
        "setsid sleep NAP & echo started",
        "(setsid sleep NAP >/dev/null 2>&1 &) ; echo started",
        "nohup sleep NAP & disown; echo started",
        "python3 -c 'import os,time; os.fork() or os.setsid() or os.fork() or time.sleep(NAP)'",
    ],
)
def test_nothing_outlives_its_command(attempt: Try, line: str) -> None:
    began = time.monotonic()

    ran = attempt(line.replace("NAP", str(NAP)), seconds=5)

    assert ran.exit == 0
    assert time.monotonic() - began < 4
    assert not _alive(f"sleep {NAP}")


def test_a_command_that_takes_too_long_is_stopped_and_says_so(attempt: Try) -> None:
    ran = attempt(f"echo begun; sleep {NAP}", seconds=0.5)

    assert (ran.exit, ran.stopped_by) == (137, "time")
    assert ran.output == "begun\n\n[stopped: over the limit of time]\n"
    assert not _alive(f"sleep {NAP}")


def test_a_child_that_holds_stdout_does_not_hold_the_call(attempt: Try) -> None:
    ran = attempt(f"(trap '' TERM HUP; sleep {NAP}) & sleep {NAP}", seconds=0.5)

    assert ran.stopped_by == "time"
    assert not _alive(f"sleep {NAP}")


def test_memory_is_limited(attempt: Try) -> None:
    ran = attempt("python3 -c 'x = bytearray(10**9); x[::4096] = b\"x\" * len(x[::4096])'")

    assert ran.exit != 0
    assert ran.stopped_by == "memory"


def test_forking_without_end_is_contained(attempt: Try) -> None:
    ran = attempt("b() { b | b & }; b; sleep 2; echo over", seconds=4)

    assert ran.seconds < 6
    assert "retry" in ran.output or "Cannot fork" in ran.output or ran.stopped_by


def test_the_disk_is_limited(attempt: Try, state: Path) -> None:
    ran = attempt("for i in 1 2 3 4 5 6; do head -c 50000000 /dev/zero > f$i; sleep 0.4; done")

    assert ran.exit != 0
    assert sum(path.stat().st_size for path in (state / "tree").glob("f*")) < 250_000_000


def test_a_gigabyte_of_output_is_cut_and_the_command_stopped(attempt: Try) -> None:
    ran = attempt("head -c 1000000000 /dev/zero | tr '\\0' x", seconds=30)

    assert ran.stopped_by == "output"
    assert len(ran.output) < 6_000
    assert "bytes left out" in ran.output


def test_the_middle_of_a_long_output_is_left_out_aloud(attempt: Try) -> None:
    ran = attempt("seq 1 100000")

    assert ran.output.startswith("1\n2\n3\n")
    assert ran.output.endswith("99999\n100000\n")
    assert "bytes left out" in ran.output


def test_output_that_is_no_text_does_not_break_the_call(attempt: Try) -> None:
    ran = attempt("printf '\\xff\\xfe\\x00ok'")

    assert ran.output.endswith("ok")


def test_output_is_masked_before_anyone_sees_it(attempt: Try) -> None:
    ran = attempt("echo password is hunter2")

    assert ran.output == "password is ****\n"


def test_standard_input_reaches_the_command(attempt: Try) -> None:
    ran = attempt("cat", stdin="naïve\n")

    assert ran.output == "naïve\n"


def test_a_failing_command_keeps_its_own_exit_code(attempt: Try) -> None:
    assert attempt("exit 3").exit == 3
    assert attempt("no-such-command-at-all").exit == 127
    assert attempt("kill -9 $$").exit == 137


@AS_WE_ARE
def test_two_commands_cannot_see_each_others_files_in_tmp(
    workbench: BwrapWorkbench, tree: Tree
) -> None:
    with workbench.open(tree, "write") as one:
        one.run(Command(argv=("touch", "/tmp/mine"), seconds=10))
        ran = one.run(Command(argv=("ls", "/tmp"), seconds=10))

    assert "mine" not in ran.output


@AS_WE_ARE
def test_setup_becomes_a_layer_below_later_commands(workbench: BwrapWorkbench, tree: Tree) -> None:
    made = workbench.build(
        tree,
        Command(argv=("bash", "-c", "mkdir venv; echo v > venv/x; echo h > ~/h"), seconds=9),
        "k",
    )
    layer = workbench.layer("k")
    assert made.exit == 0
    assert layer is not None

    with workbench.open(tree, "overlay", layers=(layer,)) as bench:
        read = bench.run(Command(argv=("bash", "-c", "cat venv/x ~/h a.txt"), seconds=9))
    with workbench.open(tree, "write", layers=(layer,)) as bench:
        wrote = bench.run(
            Command(argv=("bash", "-c", "cat venv/x; echo two >> a.txt; cat ~/h"), seconds=9)
        )

    assert read.output == "v\nh\none\n"
    assert wrote.output == "v\nh\n"
    assert Path(tree.path, "a.txt").read_text() == "one\ntwo\n"
    assert not Path(tree.path, "venv").exists()


@AS_WE_ARE
def test_a_setup_that_fails_leaves_no_layer(workbench: BwrapWorkbench, tree: Tree) -> None:
    made = workbench.build(tree, Command(argv=("false",), seconds=9), "k")

    assert made.exit == 1
    assert workbench.layer("k") is None


@AS_WE_ARE
def test_a_bench_leaves_nothing_in_the_state_directory(
    workbench: BwrapWorkbench, tree: Tree, state: Path
) -> None:
    with workbench.open(tree, "overlay") as bench:
        bench.run(Command(argv=("bash", "-c", "mkdir -p d/e; chmod 0 d/e; chmod 0 d"), seconds=9))

    assert list((state / "scratch").iterdir()) == []


def test_no_limit_group_is_left_behind(attempt: Try) -> None:
    attempt("true")

    made = [name for _, names, _ in os.walk("/sys/fs/cgroup") for name in names]
    assert [name for name in made if name.startswith(f"harness-{os.getpid()}-")] == []


VICTIM = """
import sys
from pathlib import Path
from harness.edges.workbench import BwrapWorkbench
from harness.facts.settings import LimitSettings, SandboxSettings
from harness.facts.trees import Tree
from harness.facts.workbench import Command
state = Path(sys.argv[1])
rooms = (state / "scratch", state / "builds")
bench = BwrapWorkbench(SandboxSettings(), LimitSettings(), *rooms, (), str)
with bench.open(Tree(repo_id=1, path=str(state / "tree"), head=""), "write") as one:
    sleep = f"sleep {sys.argv[2]}"
    one.run(Command(argv=("bash", "-c", f"setsid {sleep} & {sleep}"), seconds=60))
"""


@AS_WE_ARE
def test_a_killed_harness_takes_its_commands_with_it(state: Path, tree: Tree) -> None:
    harness = subprocess.Popen([sys.executable, "-c", VICTIM, str(state), str(NAP)])
    until = time.monotonic() + 20
    while not _alive(f"sleep {NAP}") and time.monotonic() < until:
        harness.poll()
    assert _alive(f"sleep {NAP}")

    harness.send_signal(signal.SIGKILL)
    harness.wait(timeout=10)

    until = time.monotonic() + 10
    while _alive(f"sleep {NAP}") and time.monotonic() < until:
        pass
    assert not _alive(f"sleep {NAP}")


@AS_WE_ARE
def test_what_a_killed_harness_left_is_swept_by_the_next(
    workbench: BwrapWorkbench, state: Path
) -> None:
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True
    )
    place = state / "scratch" / f"bench-{int(gone.stdout)}-1-abc"
    (place / "up").mkdir(parents=True)

    workbench.sweep()

    assert not place.exists()


@AS_WE_ARE
def test_a_machine_without_a_sandbox_is_told_so(
    workbench: BwrapWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    from harness.edges.workbench import bwrap

    monkeypatch.setattr(bwrap, "find_bwrap", lambda: "/usr/bin/false")

    assert "bubblewrap does not work here" in workbench.probe()


@AS_WE_ARE
def test_here_a_sandbox_can_be_made(workbench: BwrapWorkbench) -> None:
    assert workbench.probe() == ""


def _alive(command: str) -> bool:
    wanted = command.encode().replace(b" ", b"\0") + b"\0"
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes() == wanted:
                return True
        except OSError:
            continue
    return False
