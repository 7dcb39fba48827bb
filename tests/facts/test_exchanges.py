from __future__ import annotations

import pytest

from harness.facts.exchanges import EXCHANGES, REPLY_TYPES
from harness.facts.journal import ExchangeKind
from harness.facts.turns import Tools

TABLE = """
triage        triage         triage          read     base
implement     implement      implementation  edit     base
review        review         review          read     head
close         close          review          read     head
respond       respond        response        edit     head
fix_own       fix_own        response        edit     head
fix_check     fix_check      response        edit     head
update        update         response        edit     head
rebut         rebut          rebuttal        read     head
same          same           same            nothing  none
adjudicate    adjudicate     adjudication    read     head
screen        screen         screen          read     base
checkin       checkin        checkin         read     head
checkin_check checkin_check  checkin_check   read     head
checkin_fix   checkin_fix    checkin_fix     edit     head
"""


@pytest.mark.parametrize("row", TABLE.strip().splitlines(), ids=lambda row: row.split()[0])
def test_each_exchange_is_what_the_table_says(row: str) -> None:
    kind, prompt, reply, tools, side = row.split()

    form = EXCHANGES[ExchangeKind(kind)]

    assert (form.prompt, form.reply, form.tools, form.side) == (prompt, reply, Tools(tools), side)


def test_the_table_is_total_and_every_reply_is_somebodys_answer() -> None:
    assert set(EXCHANGES) == set(ExchangeKind)
    assert {form.reply for form in EXCHANGES.values()} == set(REPLY_TYPES)
