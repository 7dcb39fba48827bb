"""Whatever a command tries, it stays in its tree, ends in time, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.edges.workbench import BwrapWorkbench, places
from harness.facts.trees import Tree
from harness.facts.workbench import Command
from tests.children import fork
from tests.edges.workbench.users import AS_WE_ARE, NAP, Try


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
        "unshare -Urm cat {state}/secret.txt",
        "unshare -Urm umount -l / && cat {state}/secret.txt",
        "unshare -Urmp --fork --mount-proc cat /proc/1/environ | tr '\\0' '\\n' | grep SECRET_OF",
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
        "unshare -Urm mount -o remount,rw /usr && echo x > /usr/planted",
        "unshare -Urm sh -c 'umount /proc/sys; echo 1 > /proc/sys/vm/swappiness'",
        "unshare -Ur sh -c 'echo 1 > /proc/sys/vm/swappiness'",
        "echo x > /dev/planted",
        "chmod u+s /usr/bin/env",
    ],
)
@pytest.mark.parametrize("mode", ["write", "overlay"])
def test_nothing_outside_the_tree_can_be_written(
    attempt: Try, state: Path, line: str, mode: str
) -> None:
    before = (state / "secret.txt").read_text()

    ran = attempt(line.format(state=state), mode=mode)

    shown = any(place in line for place in ("/usr", "/etc", "/dev"))
    private = ("planted" in line or "> out" in line) and not shown
    assert ran.exit != 0 or private  # a folder above the tree may be there, empty and its own
    assert (state / "secret.txt").read_text() == before
    assert not (state / "planted").exists()
    assert (state / "tree" / ".git").read_text() == "gitdir: /nowhere\n"


@pytest.mark.parametrize(
    "line",
    [
        "exec 3<>/dev/tcp/127.0.0.1/{port}",
        "exec 3<>/dev/tcp/::1/{port}",
        "unshare -Urn sh -c 'exec 3<>/dev/tcp/127.0.0.1/{port}'",
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


@pytest.mark.slow
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


def test_no_socket_of_the_machine_can_be_reached(attempt: Try, state: Path) -> None:
    import socket

    connect = "import socket, sys; socket.socket(socket.AF_UNIX).connect(eval(sys.argv[1]))"
    with socket.socket(socket.AF_UNIX) as named, socket.socket(socket.AF_UNIX) as abstract:
        named.bind(str(state / "s"))
        abstract.bind(f"\0harness-{os.getpid()}")
        for one in (named, abstract):
            one.listen()
            one.setblocking(False)
            address = repr(one.getsockname())
            ran = attempt(f'python3 -c "{connect}" "{address}"')
            assert ran.exit == 1
            with pytest.raises(BlockingIOError):
                one.accept()


def test_a_command_has_no_rights_and_no_files_of_ours(attempt: Try) -> None:
    said = attempt("grep -E 'Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status; ls /proc/self/fd")

    rights = dict(line.split(":\t") for line in said.output.splitlines() if ":" in line)
    assert rights.pop("NoNewPrivs") == "1"
    assert set(rights.values()) == {"0" * 16}
    assert [line for line in said.output.splitlines() if line.isdigit()] == ["0", "1", "2", "3"]


def test_no_process_of_the_machine_can_be_seen_or_ended(attempt: Try) -> None:
    ran = attempt(
        f"kill -9 -1; kill -9 {os.getpid()}; kill -0 {os.getppid()} && echo seen; "
        "echo /proc/[0-9]* | wc -w"
    )

    assert "seen" not in ran.output
    assert int(ran.output.split()[-1]) < 6


def test_shared_memory_works_and_is_bounded(attempt: Try) -> None:
    lock = "import multiprocessing as m; lock = m.Lock(); lock.acquire(); print('held')"
    fill = "for i in 1 2 3; do head -c 30000000 /dev/zero > /dev/shm/f$i; done; du -sb /dev/shm"

    assert attempt(f'python3 -c "{lock}"').output == "held\n"
    filled = attempt(fill)

    assert "No space left on device" in filled.output
    assert int(filled.output.split()[-2]) < 45_000_000


def test_files_without_end_are_too_much_for_the_disk(
    attempt: Try, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "MOST_FILES", 2_000)

    ran = attempt("mkdir d; for i in $(seq 20000); do : > d/$i; done; sleep 5", seconds=20)

    assert ran.stopped_by == "disk"


def test_no_limit_group_is_left_behind(attempt: Try) -> None:
    attempt("true")

    made = [name for _, names, _ in os.walk("/sys/fs/cgroup") for name in names]
    assert [name for name in made if name.startswith(f"harness-{os.getpid()}-")] == []


def test_a_killed_harness_takes_its_commands_with_it(attempt: Try) -> None:
    def work() -> int:
        os.setsid()
        attempt(f"setsid sleep {NAP} & sleep {NAP}", seconds=60)
        return 0

    harness = fork(work)
    until = time.monotonic() + 20
    while not _alive(f"sleep {NAP}") and time.monotonic() < until:
        os.waitpid(harness, os.WNOHANG)
    assert _alive(f"sleep {NAP}")

    os.killpg(harness, signal.SIGKILL)
    os.waitpid(harness, 0)

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

    assert workbench.probe() == (
        "bubblewrap does not work here (`true` ended with exit 1): it said nothing"
    )


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
