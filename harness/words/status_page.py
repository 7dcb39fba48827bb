"""`harness status` for a terminal: people first, then where every item stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from harness.facts.decisions import Outcome
from harness.facts.looking import ItemStatus, Purse, RepoStatus, StatusPage
from harness.rules.outcomes import NEEDS_A_PERSON, OVER, TRY_AGAIN, exit_code
from harness.words.passages import counted, shorten
from harness.words.report import outcome_words
from harness.words.status_lines import dollars
from harness.words.tables import Cell, Paint, Tone, as_it_is, indented, minute, on_line, table

_TITLE = 70  # characters
UNFINISHED = "a run works on it, or was stopped: `harness run` goes on where it stood"


def status_text(page: StatusPage, paint: Paint = as_it_is, *, everything: bool = False) -> str:
    """The whole page; what is over is only counted, unless `everything` is asked for."""
    parts = [_people(page, paint)]
    parts += [_repo(repo, paint, everything=everything) for repo in page.repos]
    parts.append(_all(page))
    return "\n\n".join(part for part in parts if part) + "\n"


def to_do(repo: str, item: ItemStatus) -> str:
    """What a person can do so that this item goes on, or ends."""
    place = f"#{item.pull or item.item}"
    again = f"harness resume {item.pull}" if item.pull else f"harness run {item.item}"
    match item.outcome:
        case Outcome.CONTESTED:
            return (
                f"`harness run {item.item} --anyway --repo {repo}` does it; "
                f"close {place}, or label it `harness: skip`, and it is left alone"
            )
        case Outcome.PARKED:
            return f"`harness run {item.item} --repo {repo}` says go; its reason names other ways"
        case Outcome.NO_CHANGE:
            return f"say on {place} what is missing, then `{again} --repo {repo}`, or close it"
        case _:
            return f"comment on {place} or push to it, then `{again} --repo {repo}`; or close it"


def _people(page: StatusPage, paint: Paint) -> str:
    waiting = [(repo.repo, item) for repo in page.repos for item in repo.items if item.needs_person]
    if not waiting:
        return "nothing waits for a person"
    verb = "waits" if len(waiting) == 1 else "wait"
    head = paint(f"{counted(len(waiting), 'item')} {verb} for a person", "head")
    return "\n\n".join([head, *(_waiting(repo, item, paint) for repo, item in waiting)])


def _waiting(repo: str, item: ItemStatus, paint: Paint) -> str:
    stopped = item.outcome if item.outcome and exit_code(item.outcome) == NEEDS_A_PERSON else None
    words = outcome_words(stopped) if stopped else "called"
    title = shorten(on_line(item.title), _TITLE)
    since = item.called_at or item.at
    lines = [
        f"{repo} #{item.item}  {paint(words, 'bad')}  {title}".rstrip(),
        *([indented(why, "  ")] if (why := item.called or item.reason) else []),
        f"  since {minute(since)} UTC" + (f", pull request #{item.pull}" if item.pull else ""),
        f"  to do: {to_do(repo, item)}",
    ]
    return "\n".join(lines)


def _repo(repo: RepoStatus, paint: Paint, *, everything: bool) -> str:
    head = f"{paint(repo.repo, 'head')}: {_money(repo.today)} today"
    if not repo.met:
        return f"{head}\n  no run has reached it yet"
    shown = [one for one in repo.items if everything or one.unfinished or one.outcome not in OVER]
    lines = [head, *_items(shown, paint), *_over(one for one in repo.items if one not in shown)]
    lines += [
        f"  working on #{one.pull}: {one.branch} into {one.base}"
        + ("" if one.origin == "ours" else f" ({one.origin})")
        for one in repo.pulls
    ]
    return "\n".join(lines)


def _items(items: list[ItemStatus], paint: Paint) -> list[str]:
    if not items:
        return []
    heads = ("item", "outcome", "since (UTC)", "not before", "pull", "title")
    notes = [_note(one) for one in items]
    return [table(heads, [_row(one) for one in items], paint, notes=notes)]


def _note(item: ItemStatus) -> str:
    if item.unfinished:
        return f"      {UNFINISHED}"
    is_told = item.needs_person and item.reason == (item.called or item.reason)
    return "" if is_told else indented(item.reason, "      ")


def _row(item: ItemStatus) -> list[Cell]:
    return [
        Cell(f"#{item.item}" if item.item else "all"),
        Cell(_standing(item), _tone(item)),
        Cell(minute(item.at)),
        Cell(minute(item.not_before)),
        Cell(f"#{item.pull}" if item.pull else ""),
        Cell(shorten(on_line(item.title), _TITLE)),
    ]


def _standing(item: ItemStatus) -> str:
    if item.unfinished:
        return "unfinished"
    return outcome_words(item.outcome) if item.outcome else "called"


def _tone(item: ItemStatus) -> Tone:
    if item.needs_person:
        return "bad"
    if item.unfinished or item.outcome is None:
        return "warn"
    code = exit_code(item.outcome)
    return {NEEDS_A_PERSON: "bad", TRY_AGAIN: "warn"}.get(code, "good")  # type: ignore[return-value] # mypy widens the literals of a dict


def _over(items: Iterable[ItemStatus]) -> list[str]:
    counts = Counter(outcome_words(one.outcome) for one in items if one.outcome)
    each = ", ".join(f"{count} {words}" for words, count in sorted(counts.items()))
    return [f"  over: {each}"] if each else []


def _all(page: StatusPage) -> str:
    """What all came to; said for one repository, too, where its own line does not hold it all."""
    elsewhere = page.today.spent - sum(repo.today.spent for repo in page.repos)
    if len(page.repos) == 1 and elsewhere <= 0:
        return ""
    told = f"all: {_money(page.today)} on {page.day} (UTC)"
    if elsewhere <= 0:
        return told
    return (
        f"{told}, {dollars(elsewhere)} of it in no line above: other repositories, and dry runs of "
        "one that no other run has reached"
    )


def _money(purse: Purse) -> str:
    held = f" ({dollars(purse.held)} held for requests on their way)" if purse.held else ""
    unknown = (
        f" ({dollars(purse.presumed)} of it reserved by requests that were killed or cut off: what "
        "they cost is not known, so all of it counts)"
        if purse.presumed
        else ""
    )
    return f"spent {dollars(purse.spent)} of {dollars(purse.cap)}{unknown}{held}"
