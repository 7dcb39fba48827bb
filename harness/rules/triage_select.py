"""Which issues are looked at, and how many fit one question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from harness.facts.forge import Issue
from harness.facts.settings import TriageSettings
from harness.facts.triage import LeftOut, Packed, Selection

CUT = "[The rest of this issue, {left} of {whole} characters, is left out here: it is too long.]"


def select_issues(
    issues: Sequence[Issue],
    settings: TriageSettings,
    named: Collection[int] = (),
    decided: Collection[int] = (),
) -> Selection:
    """The issues to look at, lowest number first.

    Named numbers are looked at even where the filters would not. `decided` are numbers whose
    decision stands: they cost no question, so they do not use up the limit.
    """
    pool = sorted(issues, key=lambda issue: issue.number)
    if named:
        wanted = [issue for issue in pool if issue.number in named]
        missing = tuple(sorted(set(named) - {issue.number for issue in wanted}))
        return _sift(wanted, _not_an_open_issue).model_copy(update={"missing": missing})
    sifted = _sift(pool, lambda issue: _filtered(issue, settings))
    return _within_limit(sifted, settings.limit, frozenset(decided))


def pack_issues(texts: Sequence[tuple[int, str]], budget: int) -> Packed:
    """The first (number, text) pairs that fit `budget` characters; the rest is deferred whole.

    The first one is always packed, cut where it alone is over the budget.
    """
    packed: list[tuple[int, str]] = []
    room = budget
    for position, (number, text) in enumerate(texts):
        if packed and len(text) > room:
            rest = tuple(other for other, _ in texts[position:])
            return Packed(texts=tuple(packed), deferred=rest)
        packed.append((number, cut_issue(text, budget)))
        room -= len(packed[-1][1])
    return Packed(texts=tuple(packed), deferred=())


def cut_issue(text: str, limit: int) -> str:
    """A text of at most `limit` characters, cut at the end of a line, with a sentence saying so."""
    if len(text) <= limit:
        return text
    longest_notice = CUT.format(left=len(text), whole=len(text))
    kept = text[: max(0, limit - len(longest_notice) - 1)]
    if "\n" in kept:
        kept = kept[: kept.rindex("\n")]
    return f"{kept}\n{CUT.format(left=len(text) - len(kept), whole=len(text))}"


def _not_an_open_issue(issue: Issue) -> str:
    if issue.is_pull:
        return "it is a pull request"
    return "it is closed" if issue.state == "closed" else ""


def _filtered(issue: Issue, settings: TriageSettings) -> str:
    """Why the configuration leaves this issue out; "" when it does not."""
    labels = {label.casefold() for label in issue.labels}
    skipped = [label for label in settings.skip_labels if label.casefold() in labels]
    authors = {login.casefold() for login in settings.authors}
    if reason := _not_an_open_issue(issue):
        return reason
    if skipped:
        return f'it is labelled "{skipped[0]}"'
    if settings.labels and not labels & {label.casefold() for label in settings.labels}:
        return f"it has none of the labels {', '.join(settings.labels)}"
    if authors and issue.author.login.casefold() not in authors:
        return f"its author {issue.author.login} is not among [triage] authors"
    return f"it is below the floor #{settings.floor}" if issue.number < settings.floor else ""


def _sift(issues: Sequence[Issue], reason_for: Callable[[Issue], str]) -> Selection:
    judged = [(issue, reason_for(issue)) for issue in issues]
    return Selection(
        chosen=tuple(issue for issue, reason in judged if not reason),
        left_out=tuple(_left_out(issue, reason) for issue, reason in judged if reason),
        missing=(),
    )


def _within_limit(sifted: Selection, limit: int, decided: Collection[int]) -> Selection:
    new = [issue for issue in sifted.chosen if issue.number not in decided]
    late = {issue.number for issue in new[limit:]}
    reason = f"the limit of {limit} new issues a run is reached; a later run looks at it"
    over = tuple(_left_out(issue, reason) for issue in sifted.chosen if issue.number in late)
    return Selection(
        chosen=tuple(issue for issue in sifted.chosen if issue.number not in late),
        left_out=tuple(sorted((*sifted.left_out, *over), key=lambda left: left.number)),
        missing=(),
    )


def _left_out(issue: Issue, reason: str) -> LeftOut:
    return LeftOut(number=issue.number, reason=reason)
