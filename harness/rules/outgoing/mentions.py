"""Nobody is woken who was not meant: mentions and other bots' commands are broken.

In running text every `@name` is broken. In code, where GitHub notifies nobody and other bots still
look, only decorators as languages write them are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_MENTION = re.compile(r"@([A-Za-z0-9][A-Za-z0-9_-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)?)")
_ENTITY_TAIL = re.compile(r"&#?[A-Za-z0-9]*\Z")
_URL_TAIL = re.compile(
    r"https?://[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}(?::\d+)?/[A-Za-z0-9._~/?=&%+-]*\Z"
)
_LOOKED_BACK = 300  # characters before an @ that may be the address it stands in
_COMMAND = re.compile(
    r"^(?P<lead>[ \t]*(?:(?:[>*+-]|\d+[.)])[ \t]+)*)"
    r"(?:(?P<slash>/)(?=[A-Za-z][\w-]*(?:\s|$))|(?P<bors>bors)(?=[ \t]))",
    re.MULTILINE | re.IGNORECASE,
)

_BOT_NAMES = """
    aider allcontributors amazon-q aviator-bot bors bors-servo bugbot cla-bot claude codecov
    codegen-sh codex coderabbit coderabbitai codiumai copilot cursor cursoragent dependabot devin
    devin-ai-integration ellipsis-dev gemini-cli gemini-code-assist google-cla googlebot
    graphite-app greptile greptileai harness jules k8s-ci-robot kodiakhq korbit-ai mention-bot
    mergify mergifyio netlify openhands openhands-agent pr-agent prow pullapprove qodo
    qodo-merge-pro renovate renovatebot rust-highfive rust-timer rustbot snyk-bot sourcery-ai
    stale sweep sweep-ai vercel what-the-diff
"""
_DECORATOR_NAMES = """
    abstractmethod cached_property classmethod contextmanager dataclass override property
    staticmethod Autowired Bean Before BeforeEach After AfterEach Deprecated FunctionalInterface
    Inject NotNull Nullable Override SafeVarargs SuppressWarnings Test Transactional deprecated
    param return returns see since throws type typedef import include keyframes media
"""
BOTS = frozenset(_BOT_NAMES.split())  # they read raw text, code included
DECORATORS = frozenset(_DECORATOR_NAMES.split())


def break_mentions(text: str, allowed: Collection[str], put_in: str, *, code: bool = False) -> str:
    """The text with `put_in` after the @ of every mention that is not among the allowed names."""
    folded = {name.casefold().removeprefix("@") for name in allowed}

    def broken(found: re.Match[str]) -> str:
        if _is_harmless(found, folded, code=code):
            return found[0]
        return f"@{put_in}{found[1]}"

    return _MENTION.sub(broken, text)


def break_commands(text: str, put_in: str) -> str:
    """The text with lines that other bots take for commands (`/merge`, `bors r+`) broken."""

    def broken(found: re.Match[str]) -> str:
        word = found["slash"] or found["bors"]
        return f"{found['lead']}{word[0]}{put_in}{word[1:]}"

    return _COMMAND.sub(broken, text)


def wakes_a_bot(text: str) -> bool:
    """Whether code names a bot that reads code too, or holds a line that is a command."""
    named = (found[1].casefold() for found in _MENTION.finditer(text))
    return any(name.split("/")[0] in BOTS for name in named) or bool(_COMMAND.search(text))


def _is_harmless(found: re.Match[str], allowed: Collection[str], *, code: bool) -> bool:
    name = found[1].casefold()
    start, end = found.span()
    before, after = found.string[max(0, start - _LOOKED_BACK) : start], found.string[end : end + 2]
    if name in allowed:
        return True
    if name.split("/")[0] in BOTS:
        return False
    if _is_glued(before) or _URL_TAIL.search(before):
        return True
    if "/" not in name and re.match(r"\.[A-Za-z0-9_]", after):
        return True
    return code and (found[1] in DECORATORS or after.startswith("("))


def _is_glued(before: str) -> bool:
    """An @ right after a letter or digit, as in an address, unless these end an entity."""
    last = before[-1:]
    if not (last.isascii() and last.isalnum()):
        return False
    return _ENTITY_TAIL.search(before[-40:]) is None
