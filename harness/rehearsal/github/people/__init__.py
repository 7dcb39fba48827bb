"""Scripted people: what they do to the rehearsal forge while the harness works."""

from __future__ import annotations

from harness.rehearsal.github.people.accounts import Accounts
from harness.rehearsal.github.people.checks import Checks
from harness.rehearsal.github.people.code import Code
from harness.rehearsal.github.people.issues import Issues
from harness.rehearsal.github.people.pulls import Pulls


class People(Accounts, Code, Issues, Pulls, Checks):
    """Acts by login and by repository slug; numbers come back, so that a script can go on.

    Everybody who is named exists from then on.
    """
