"""Forked children of a test, which end where they are told to and never go on with the tests."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable

BROKEN = 70  # what a child that raised exits with


def fork(act: Callable[[], int], uid: int | None = None) -> int:
    """Do it in a forked child, as another user for good if one is named; the child's pid."""
    child = os.fork()
    if child:
        return child
    status = BROKEN
    try:
        if uid is not None:
            _become(uid)
        status = act()
    except BaseException:  # noqa: BLE001 - a child never returns into its parent
        traceback.print_exc()
    finally:
        os._exit(status)


def wait_for(child: int) -> int:
    """The exit code of a child, negative for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _become(uid: int) -> None:
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
