"""What the operator decides, as values; `harness/config.py` reads them from TOML."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from harness.facts.author import check_author
from harness.facts.naming import check_given, check_variable
from harness.facts.turns import AgentPin, Effort, Provider
from harness.facts.value import Fact

Dollars = Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)]
Price = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Bytes = Annotated[int, Field(le=2**50)]
Variable = Annotated[str, AfterValidator(check_variable)]
Given = Annotated[str, AfterValidator(check_given)]


class GithubSettings(Fact):
    """How the forge is reached."""

    api_url: str = "https://api.github.com"
    auth: Literal["token", "app"] = "token"
    token_env: Variable = "GITHUB_TOKEN"  # noqa: S105 - the name of a variable, not a secret
    app_id: int = Field(default=0, ge=0, lt=2**53)
    private_key_env: Variable = "HARNESS_APP_KEY"
    bots: tuple[str, ...] = ()  # logins of machine users: the forge takes them for people


_OWN_FAMILY: dict[Provider, str] = {"anthropic": "Claude", "openai": "GPT"}
_FAMILIES = (
    ("claude", "Claude"),
    ("gpt", "GPT"),
    ("chatgpt", "GPT"),
    ("codex", "GPT"),
    *((f"o{digit}", "GPT") for digit in range(1, 10)),
    ("gemini", "Gemini"),
    ("gemma", "Gemini"),
    ("grok", "Grok"),
    ("llama", "Llama"),
    ("mistral", "Mistral"),
    ("deepseek", "DeepSeek"),
    ("qwen", "Qwen"),
    ("kimi", "Kimi"),
    ("glm", "GLM"),
)
"""How the models of a family begin; one that begins otherwise is its vendor's own."""


class AgentSettings(Fact):
    """One agent: whose model, which, how hard it thinks, and where its key is."""

    provider: Provider
    model: Given
    effort: Effort = "medium"
    base_url: str = ""
    api_key_env: Variable | Literal[""] = ""  # "" is the vendor's usual one
    fallback: str = ""  # the name of another agent of the same family that stands in

    @property
    def key_variable(self) -> str:
        """The environment variable that holds its key."""
        return self.api_key_env or f"{self.provider.upper()}_API_KEY"

    @property
    def family(self) -> str:
        """Whose model it is: a gateway that speaks one vendor's protocol may serve another's."""
        name = self.model.rpartition("/")[2].casefold()
        known = (family for start, family in _FAMILIES if name.startswith(start))
        return next(known, _OWN_FAMILY[self.provider])


class LoopSettings(Fact):
    """How custody goes."""

    first: str = ""
    parallel: int = Field(default=1, ge=1, le=16)
    max_rounds: int = Field(default=3, ge=1, le=20)
    max_check_fixes: int = Field(default=2, ge=0, le=10)
    checks_timeout_minutes: int = Field(default=30, ge=0, le=24 * 60)
    auto_merge: bool = False
    drafts: bool = False
    merge: Literal["squash", "merge", "rebase"] = "squash"
    escalate_to: tuple[str, ...] = ()
    update: Literal["conflict", "always", "never"] = "conflict"
    max_tries: int = Field(default=3, ge=1, le=20)


class TriageSettings(Fact):
    """Which issues are looked at, and for whom code is written."""

    labels: tuple[str, ...] = ()
    skip_labels: tuple[Given, ...] = ("harness: skip",)
    authors: tuple[str, ...] = ()
    floor: int = Field(default=0, ge=0, lt=2**53)
    limit: int = Field(default=20, ge=1, le=500)
    implement: Literal["write-access", "label", "anyone"] = "write-access"
    go_label: Given = "harness: go"
    close_declined: bool = False
    max_generations: int = Field(default=0, ge=0, le=5)
    retriage_after_days: int = Field(default=90, ge=1, le=36_500)
    max_issue_chars: int = Field(default=20_000, ge=1_000, le=10_000_000)
    max_prompt_chars: int = Field(default=200_000, ge=10_000, le=10_000_000)


class CommitSettings(Fact):
    """Who commits, and how."""

    author: Annotated[str, AfterValidator(check_author)] = "harness <harness@localhost>"
    sign: bool = False
    signoff: bool = False
    trailers: tuple[str, ...] = ()


class LimitSettings(Fact):
    """What stops the harness; money in dollars."""

    dollars_exchange: Dollars = 2.0
    dollars_item: Dollars = 5.0
    dollars_repo_day: Dollars = 20.0
    dollars_day: Dollars = 50.0
    turns: int = Field(default=60, ge=1, le=500)
    command_minutes: float = Field(default=10, gt=0, le=24 * 60, allow_inf_nan=False)
    result_bytes: int = Field(default=30_000, ge=1_000, le=10_000_000)
    memory_bytes: Bytes = Field(default=4_000_000_000, ge=64_000_000)
    processes: int = Field(default=256, ge=8, le=4_194_304)
    disk_bytes: Bytes = Field(default=4_000_000_000, ge=16_000_000)
    tool_output_tokens: int = Field(default=8_000, ge=1_000, le=1_000_000)
    reply_tokens: int = Field(default=32_000, ge=2_000, le=1_000_000)
    body_chars: int = Field(default=24_000, ge=1_000, le=60_000)
    comment_chars: int = Field(default=4_000, ge=500, le=60_000)
    writes_item_day: int = Field(default=40, ge=1, le=1_000_000)
    writes_day: int = Field(default=400, ge=1, le=1_000_000)


class PriceSettings(Fact):
    """What an LLM costs, in dollars per million tokens; None is as `input`."""

    input: Price
    output: Price
    cache_read: Price | None = None
    cache_write: Price | None = None


class SandboxSettings(Fact):
    """The workbench."""

    kind: Literal["bwrap", "none"] = "bwrap"
    network: Literal["never", "setup"] = "setup"
    uid: int = Field(default=65_534, ge=1, lt=2**32 - 1)
    paths: tuple[str, ...] = ()  # read-only toolchains beside the running Python and /opt
    tmp_bytes: Bytes = Field(default=512_000_000, ge=1_000_000)


class ProtectedSettings(Fact):
    """What an implementer may not leave behind without a person."""

    paths: tuple[str, ...] = ()
    allow_workflows: bool = False
    sample_secrets: tuple[str, ...] = ()  # globs of files that hold pretended ones


class NotifySettings(Fact):
    """How a person is called beside the forge; the command gets JSON on its standard input."""

    command: tuple[str, ...] = ()


class RepoSettings(Fact):
    """One repository, with its own loop, triage and limits already merged in."""

    name: str  # owner/name
    base: str = ""  # "" is the default branch
    setup: str = ""
    check: str = ""
    git_url: str = ""  # "" is what the forge says
    documents: tuple[str, ...] = ()
    junit: str = ""  # a glob of JUnit files that the check writes
    agents: tuple[str, ...] = ()
    loop: LoopSettings = LoopSettings()
    triage: TriageSettings = TriageSettings()
    limits: LimitSettings = LimitSettings()
    protected: ProtectedSettings = ProtectedSettings()


class Settings(Fact):
    """Everything the operator decided."""

    github: GithubSettings
    repos: tuple[RepoSettings, ...]
    agents: dict[str, AgentSettings]
    loop: LoopSettings = LoopSettings()
    triage: TriageSettings = TriageSettings()
    commit: CommitSettings = CommitSettings()
    limits: LimitSettings = LimitSettings()
    prices: dict[str, PriceSettings] = Field(default_factory=dict)
    sandbox: SandboxSettings = SandboxSettings()
    protected: ProtectedSettings = ProtectedSettings()
    notify: NotifySettings = NotifySettings()
    state: str = ""  # the state directory; "" is the platform's
    config_folder: str = ""  # where the config file lies; "" where it is none

    def name_of(self, pin: AgentPin) -> str:
        """The name of the agent, or of its stand-in, whichever has this model."""
        agent = self.agents[pin.agent]
        return agent.fallback if agent.model != pin.model and agent.fallback else pin.agent
