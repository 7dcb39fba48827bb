"""What an agent is given about an item, part by part, each with an id it can cite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.facts.briefing import (
    BriefLimits,
    Change,
    Document,
    IssueThread,
    Material,
    PullText,
    Said,
)
from harness.facts.checks import Check
from harness.facts.forge import ForgeCheck, Permission
from harness.rules.cleaning import Cleaned, clean_plain, clean_text, count_invisible, count_of
from harness.words.fences import Part
from harness.words.filling import Note, Section
from harness.words.trimming import cut_diff, cut_on_line, keep_newest, tail_on_line

_MAY = {
    Permission.NONE: "no access",
    Permission.READ: "may read",
    Permission.TRIAGE: "may triage",
    Permission.WRITE: "may write",
    Permission.MAINTAIN: "maintains it",
    Permission.ADMIN: "administers it",
}
_KIND = {"issue": "comment", "thread": "inline note", "review": "review"}
_VERDICT = {
    "APPROVED": ", who approves it",
    "CHANGES_REQUESTED": ", who asks for changes",
    "DISMISSED": ", which was dismissed",
}
_LOG_CHARS = 8_000
_NOT_SHOWN = (
    "files whose content is not shown, or not whole; "
    "look into them before you say that something is missing"
)


def material_section(material: Material, limits: BriefLimits) -> Section:
    """Issue, pull request, documents and checks as D1, D2, ...; standing rules as R1, R2, ..."""
    pieces: list[Part | Note] = []
    if material.thread:
        pieces += thread_pieces(material.thread, limits)
    if material.pull:
        pieces += _pull_pieces(material.pull, limits)
    for document in material.documents:
        pieces += _document_pieces(document, limits)
    for n, rule in enumerate(material.rules, start=1):
        pieces += shown_cleaned(f"R{n}", "standing rule", clean_text(rule))
    for where, check in (("base", material.base_check), ("head", material.head_check)):
        if check:
            pieces += check_pieces(where, check)
    for said in material.forge_checks:
        pieces += forge_check_pieces(said)
    return number_documents(pieces)


def number_documents(pieces: Iterable[Part | Note]) -> Section:
    """Ids "D" become D1, D2, ...; ids "D." that follow one become D1.1, D1.2, ..."""
    numbered: list[Part | Note] = []
    n = k = 0
    for piece in pieces:
        if isinstance(piece, Part) and piece.id == "D":
            n, k = n + 1, 0
            numbered.append(piece.model_copy(update={"id": f"D{n}"}))
        elif isinstance(piece, Part) and piece.id == "D.":
            k += 1
            numbered.append(piece.model_copy(update={"id": f"D{n}.{k}"}))
        else:
            numbered.append(piece)
    return tuple(numbered)


def thread_pieces(thread: IssueThread, limits: BriefLimits, *, id_: str = "D") -> list[Part | Note]:
    """An issue and its comments, whole ones, the oldest dropped first."""
    issue = thread.issue
    who = f"by {issue.author.login} ({_MAY[thread.permission]})"
    text = f"{issue.title}\n\n{issue.body}".rstrip()
    pieces = written_by_people(id_, f"issue {issue.number} {who}", text, limits.issue)
    pieces += _conversation(
        thread.comments, issue.number, limits, id_=f"{id_}." if id_ == "D" else ""
    )
    return pieces


def _conversation(
    said: Sequence[Said], number: int, limits: BriefLimits, *, id_: str
) -> list[Part | Note]:
    """What people said, whole comments, the oldest dropped first, theirs last who may write."""
    theirs, dropped = _newest([one for one in said if one.permission.may_write], limits.thread)
    room = limits.thread - sum(len(one.comment.body) for one in theirs)
    others = [one for one in said if not one.permission.may_write]
    rest, more = _newest(others, room) if room > 0 else ((), len(others))
    pieces: list[Part | Note] = []
    if left_out := dropped + more:
        pieces.append(
            Note(text=f"Left out: the oldest {count_of(left_out, 'comment')} of {number}.")
        )
    for one in said:
        if one in theirs or one in rest:
            pieces += comment_pieces(one, limits.thread, id_=id_)
    return pieces


def _newest(said: Sequence[Said], limit: int) -> tuple[tuple[Said, ...], int]:
    return keep_newest(said, [len(one.comment.body) for one in said], limit)


def comment_pieces(said: Said, limit: int, *, id_: str) -> list[Part | Note]:
    """One comment with who wrote it and what they may do here."""
    comment = said.comment
    day = comment.created_at.date().isoformat()
    what = f"{_KIND[comment.where]} by {comment.author.login} ({_MAY[said.permission]}) on {day}"
    what += f" at {said.place}" if said.place else ""
    what += _VERDICT.get(said.verdict, "")
    return written_by_people(id_, what, comment.body, limit)


def written_by_people(id_: str, what: str, text: str, limit: int) -> list[Part | Note]:
    """A text of the forge, cleaned of what a person cannot see, cut on a line."""
    cleaned = clean_text(text)
    kept, cut = cut_on_line(cleaned.text, limit)
    pieces = shown_cleaned(id_, what, cleaned.model_copy(update={"text": kept}))
    if cut:
        pieces.append(Note(text=f"Cut: the last {count_of(cut, 'character')} of the {what}."))
    return pieces


def shown_cleaned(id_: str, what: str, cleaned: Cleaned) -> list[Part | Note]:
    """A text from outside, and what nobody could see in it before it was taken out."""
    pieces: list[Part | Note] = [Part(id=id_, what=what, text=cleaned.text)]
    if cleaned.removed:
        pieces.append(Note(text=f"Removed from the {what}: {', '.join(cleaned.removed)}."))
    return pieces


def check_pieces(where: str, check: Check, *, id_: str = "D") -> list[Part | Note]:
    """The result of the repository's own check at one commit, with the end of what it printed."""
    what = f"check on the {where} {check.sha[:7]}: {check.state}"
    if check.state == "absent":
        return [Part(id=id_, what=what, text="No check is configured.")]
    failing = [f"failing: {name}" for name in check.failing]
    if check.is_in_the_dark:
        failing = ["failing: not known by name; the exit status alone was compared with the base's"]
    tail, _ = tail_on_line(check.tail, _LOG_CHARS)
    lines = [f"$ {check.command}", f"exit status {check.exit}", *failing, tail]
    return shown_cleaned(id_, what, clean_plain("\n".join(lines).rstrip()))


def forge_check_pieces(check: ForgeCheck, *, id_: str = "D") -> list[Part | Note]:
    """A check of the forge with its annotations and the end of its log."""
    log, _ = tail_on_line(check.log, _LOG_CHARS)
    need = "required" if check.required else "not required"
    lines = [check.name, *check.annotations, log]
    text = "\n".join(line for line in lines if line)
    return shown_cleaned(id_, f"check of the forge: {check.state}, {need}", clean_plain(text))


def names_pieces(id_: str, what: str, names: Sequence[str]) -> list[Part | Note]:
    """Names of files as they are, since they are looked for; what nobody sees in them is told."""
    text = "\n".join(names)
    pieces: list[Part | Note] = [Part(id=id_, what=what, text=text)]
    if invisible := count_invisible(text):
        told = f"The names of these files hold {count_of(invisible, 'invisible character')}."
        pieces.append(Note(text=told))
    return pieces


def diff_section(change: Change, limits: BriefLimits) -> Section:
    """The diff, files whole, and by name what of it is not shown."""
    shown = cut_diff(change.diff, limits.diff)
    pieces: list[Part | Note] = [Part(id="", what="diff from base to head", text=shown.text)]
    if invisible := count_invisible(shown.text):
        pieces.append(Note(text=f"The diff holds {count_of(invisible, 'invisible character')}."))
    if shown.left_out:
        pieces.append(
            Note(text=f"Not shown, too large: {count_of(len(shown.left_out), 'file')} of the diff.")
        )
    names = [
        *change.not_shown,
        *(f"{path} (too large)" for path in shown.left_out),
        *(f"{path} (its long lines are cut)" for path in shown.cut),
    ]
    if names:
        pieces += names_pieces("", _NOT_SHOWN, names)
    return tuple(pieces)


def _pull_pieces(pull: PullText, limits: BriefLimits) -> list[Part | Note]:
    text = f"{pull.title}\n\n{pull.body}".rstrip()
    pieces = written_by_people("D", f"pull request {pull.number}", text, limits.issue)
    return pieces + _conversation(pull.said, pull.number, limits, id_="D.")


def _document_pieces(document: Document, limits: BriefLimits) -> list[Part | Note]:
    """A file of the base; people read it rendered too, so what is hidden there is no convention."""
    return written_by_people("D", f"document {document.name}", document.text, limits.document)
