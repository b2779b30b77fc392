"""The table of settings: keys, defaults, and who may set each key."""

from __future__ import annotations

from twiceshy.config.quick import ALLOWED, PROTECTED
from twiceshy.config.shapes import (
    AddressShape,
    ChoiceShape,
    FlagShape,
    ItemsShape,
    NumberShape,
    PathShape,
    TextShape,
    WholeNumberShape,
)
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    from twiceshy.config.shapes import Plain, Shape

    Project = Literal["no", "stricter", "yes"]


# How the keys begin that say where notes and texts go, what is redacted, and what stops a call: an agent
# that could set them would take its own guards away.
PROTECTING = (
    *(
        "distiller.",
        "embed.",
        "guards.",
        "hook.",
        "logs.",
        "redact.",
        "rewrites.",
        "skills.policy",
    ),
    *("stops.", "store.", "sync.", "transcripts.", "views."),
)


class Setting(Value):
    """A setting; a path default may begin with ~/ or with {another key}."""

    key: str
    default: Plain  # of a table: nothing; its entries are below
    shape: Shape  # of the value; of each entry in a table
    help: str
    seeds: tuple[str, ...] = ()  # the older systems' variables; NAME/folder is a folder below it
    # A cloned repository may be hostile: its file sets what stays within the project ("yes"), or
    # only lowers, switches off or adds ("stricter"), or is not asked at all.
    project: Project = "no"
    table: bool = False
    entries: tuple[tuple[str, Plain], ...] = ()
    names: tuple[str, ...] = ()  # the entries a table may have; none listed: any
    kept: tuple[str, ...] = ()  # the entries that a project may not set
    file: bool = True  # False: only the environment can say it
    hidden: bool = False  # the value is itself a secret
    otherwise: str = ""  # what a seed's variable means by a word that is no option

    @property
    def variables(self) -> tuple[str, ...]:
        """Return the environment variables of the setting, strongest first."""
        return ("TWICESHY_" + self.key.upper().replace(".", "_"), *self.seeds)

    def allowed(self) -> str:
        """Describe allowed values, to follow "must be"."""
        if not self.table:
            return self.shape.allowed()
        names = f", called one of {', '.join(self.names)}" if self.names else ""
        return f"a table whose entries are each {self.shape.allowed()}{names}"


# 9,000 characters are the most a brief may have; a token is about four.
_TOKENS = WholeNumberShape(0, 2_250)
_NOTES = WholeNumberShape(0, 1_000)
_SHARE = NumberShape(0.0, 1.0)
_DAYS = WholeNumberShape(1, 36_500)
_COUNT = WholeNumberShape(1, 100_000)

_ACTIONS = (
    ("fixing", ("fix", "bug", "error", "crash", "broken", "修复", "修復", "报错", "報錯", "错误")),
    ("testing", ("test", "coverage", "assert", "pytest", "测试", "測試")),
    ("refactoring", ("refactor", "rename", "clean up", "simplify", "重构", "重構", "整理")),
    ("documenting", ("document", "readme", "docs", "changelog", "文档", "文件說明", "說明")),
    ("reviewing", ("review", "pull request", "feedback", "审查", "審查", "檢查")),
    ("releasing", ("release", "deploy", "publish", "version", "发布", "發布", "部署", "上線")),
    ("configuring", ("config", "install", "upgrade", "package", "配置", "安装", "安裝", "設定")),
    ("designing", ("design", "architecture", "plan", "schema", "设计", "設計", "架构", "規劃")),
)
_LAYOUTS = ("vault", "fireworks", "memory-keeper", "memory-engine")
_KINDS = ("lesson", "decision", "pattern", "issue", "rule", "task", "page", "preference")

SETTINGS: tuple[Setting, ...] = (
    # Where things lie: never a project's to say, or a clone could read and write anywhere.
    Setting("home", "~/.twiceshy", PathShape(fixed=True), "The memory home.", file=False),
    Setting("store.path", "{home}/twiceshy.db", PathShape(remote=True), "The store.", ("TWICESHY_STORE",)),
    Setting("views.layouts", ("vault",), ItemsShape(options=_LAYOUTS), "Which files show the notes: vault, and those of older systems; written ones stay up to date."),
    Setting("views.vault", "{home}/vault", PathShape(), "Folder of the vault: all notes as Markdown files that you may edit."),
    Setting("views.shared", "~/.ai-memory", PathShape(), "Folder of the views that runtimes share.", ("AI_MEMORY_HOME", "CODEX_HOME/memories/fireworks-skill-memory")),
    Setting("views.shared_skills", "{views.shared}/skills", PathShape(), "Folder of the shared views by skill.", ("AI_MEMORY_SKILLS_DIR",)),
    Setting("views.shared_global", "{views.shared}/global/KNOWLEDGE.md", PathShape(), "The shared view of global principles.", ("AI_MEMORY_GLOBAL_FILE",)),
    Setting("views.claude_skills", "~/.claude/skills", PathShape(), "Folder of Claude Code's views by skill.", ("SKILLS_KNOWLEDGE_DIR",)),
    Setting("views.claude_global", "~/.claude/skills-knowledge.md", PathShape(), "Claude Code's view of global principles.", ("SKILLS_KNOWLEDGE_GLOBAL",)),
    Setting("views.error_seeds", "~/.claude/error-seeds", PathShape(), "Folder of the error seeds by session.", ("SKILLS_SEEDS_DIR",)),
    Setting("views.skill_stats", "~/.claude/skill-usage-stats.json", PathShape(), "The view of how often skills are used.", ("SKILLS_STATS_FILE",)),
    Setting("views.auto", default=True, shape=FlagShape(), help="Read and write the views after sessions, in a process that nobody waits for."),
    Setting("views.project", default=False, shape=FlagShape(), help="Write memory-keeper's files into .claude/memory of the project, not below the memory home."),
    Setting("logs.run", "{home}/run.log", PathShape(), "The log of what hooks did: when, which runtime, session and event, and how many characters were said.", ("SKILLS_MEMORY_LOG",)),
    Setting("logs.distiller", "", PathShape(), "The log of the distiller; unset: none, or <home>/distiller.log while distiller.debug is on.", ("SKILLS_DISTILLER_LOG",)),
    Setting("transcripts.keep", default=False, shape=FlagShape(), help="Keep a shortened, redacted copy of each session's transcript for retention.archive_days."),
    Setting("transcripts.claude_code", "~/.claude/projects", PathShape(), "Folder of Claude Code's transcripts.", ("CLAUDE_PROJECTS_DIR",)),
    Setting("transcripts.codex", "~/.codex/sessions", PathShape(), "Folder of Codex's transcripts.", ("CODEX_HOME/sessions",)),
    Setting("transcripts.opencode", "~/.local/share/opencode", PathShape(), "Folder of OpenCode's storage.", ("XDG_DATA_HOME/opencode",)),
    Setting("transcripts.pi", "~/.pi/agent/sessions", PathShape(), "Folder of Pi's transcripts.", ("PI_CODING_AGENT_SESSION_DIR", "PI_CODING_AGENT_DIR/sessions")),
    Setting("transcripts.gemini", "~/.gemini/tmp", PathShape(), "Folder of Gemini CLI's chats.", ("GEMINI_CLI_HOME/.gemini/tmp",)),
    # What a brief may hold: rules and preferences of the user stand in it, which a clone must not
    # crowd out.
    Setting("brief.skill_tokens", 500, _TOKENS, "Tokens of the brief when a skill loads."),
    Setting("brief.skill_notes", 6, _NOTES, "Notes in that brief; with more than 6, it may take `brief.skill_tokens_max` tokens.", ("SKILLS_INJECT_TOP",)),
    Setting("brief.skill_tokens_max", 1_500, _TOKENS, "Tokens that brief may be raised to, on request or by a SKILL.md."),
    Setting("brief.skill_notes_max", 20, _NOTES, "Notes that brief may be raised to.", ("SKILLS_INJECT_TOP",)),
    Setting("brief.pinned_tokens", 250, _TOKENS, "Tokens of it that pinned notes may take."),
    Setting("brief.read_tokens", 250, _TOKENS, "Tokens of the brief when a SKILL.md is only read."),
    Setting("brief.read_notes", 5, _NOTES, "Notes in that brief."),
    Setting("brief.call_tokens", 90, _TOKENS, "Tokens of the brief about a pending tool call."),
    Setting("brief.failure_tokens", 120, _TOKENS, "Tokens of the brief after a failed call."),
    Setting("brief.session_tokens", 600, _TOKENS, "Tokens of the brief at the start of a session."),
    Setting("brief.heard_tokens", 60, _TOKENS, "Tokens of it that preferences heard in sessions may take; 0 tells none."),
    Setting("brief.idle_tokens", 60, _TOKENS, "Tokens that notes written by people and agents may fill up at the start of a session; rules, preferences and the end of the last session come first."),
    Setting("brief.newest_pitfall", default=False, shape=FlagShape(), help="Tell the newest pitfall of the last three days at the start of a session as well, also one that was learned automatically, as memory-engine did."),
    Setting("brief.news_tokens", 250, _TOKENS, "Tokens, at a prompt, of what other sessions handed over, and again of what they changed."),
    Setting("brief.principles", 3, WholeNumberShape(0, 20), "Global principles that ride along when a skill loads."),
    Setting("brief.max_characters", 9_000, WholeNumberShape(200, 9_000), "Characters that no brief exceeds."),
    Setting("rank.relevance", 0.6, _SHARE, "Weight of how well a note fits; the three weights are scaled to a sum of 1."),
    Setting("rank.recency", 0.25, _SHARE, "Weight of how recently a note was learned."),
    Setting("rank.sightings", 0.15, _SHARE, "Weight of how often a note was learned again."),
    Setting("rank.half_life_days", 30.0, NumberShape(0.1, 36_500.0), "Days after which recency counts half."),
    # Caps and merging reach notes of all projects, which a clone must not push out.
    Setting("notes.skill_max", 100, _COUNT, "Notes of one skill before the least valuable are retired.", ("SKILL_MAX",)),
    Setting("notes.global_max", 100, _COUNT, "Global principles before the least valuable are retired.", ("GLOBAL_MAX",)),
    Setting("notes.candidates_max", 120, _COUNT, "Learned notes on probation of one project before the least valuable are retired."),
    Setting("notes.proposal_days", 30, WholeNumberShape(0, 36_500), "Days after which a proposed rule that nobody decided about expires; 0: never."),
    Setting("notes.max_characters", 8_000, WholeNumberShape(200, 100_000), "Characters one note may have."),
    Setting("notes.near_duplicate", 0.63, NumberShape(0.3, 1.0), "Share of words from which two notes count as the same."),
    Setting("eviction.policy", "value", ChoiceShape(("value", "fireworks")), "How the least valuable note is found: by expected value per token, or as fireworks did."),
    Setting("expiry.days", (), WholeNumberShape(0, 36_500), "Days after which a note of a kind expires; 0 or unset: never.", project="yes", table=True, names=_KINDS, kept=("rule", "preference")),
    # A project's own artefacts are its own to bound; logs, backups and state serve all projects.
    Setting("retention.sessions", 30, _COUNT, "Summaries of sessions that a project keeps before they become lines in the archive of their month.", project="yes"),
    Setting("retention.checkpoints", 10, _COUNT, "Checkpoints that a project keeps before the same happens to them.", project="yes"),
    Setting("retention.archive_days", 30, _DAYS, "Days after which it happens to either; the newest stays.", project="yes"),
    Setting("retention.archive_months", 24, WholeNumberShape(1, 1_200), "Months whose archives are kept."),
    Setting("retention.evidence_days", 180, _DAYS, "Days all that was observed in sessions is kept; what a note is judged by is kept longer."),
    Setting("retention.showings_days", 90, _DAYS, "Days each showing of a note and what came of it are kept one by one; then they are summed by week."),
    Setting("retention.state_days", 3, _DAYS, "Days the state of an idle session is kept."),
    Setting("retention.log_kilobytes", 1_024, WholeNumberShape(16, 1_048_576), "Kilobytes after which a log is rotated."),
    Setting("skills.policy", "auto", ChoiceShape(("auto", "opt-in", "off")), "Which skills have notes: all, those whose SKILL.md asks for it, or none."),
    Setting("learn.min_tool_calls", 5, WholeNumberShape(0, 100_000), "Tool calls below which a session is not distilled.", ("MIN_TOOL_CALLS",)),
    # More lines are more tokens that the user pays for.
    Setting("learn.transcript_lines", 300, _COUNT, "Lines of a transcript's end that are distilled.", ("TRANSCRIPT_LINES",), project="stricter"),
    Setting("learn.checkpoint_messages", 20, _COUNT, "User messages between two checkpoints."),
    Setting("learn.promote", default=True, shape=FlagShape(), help="Ask a runtime's summariser what it observed about skills, and make notes of it.", project="stricter"),
    # Who sees session text is the user's choice; a private project sets daily_calls to 0.
    Setting("distiller.backend", "none", ChoiceShape(("none", "claude-cli", "openai", "null")), "The model that distils, if any.", ("SKILLS_DISTILLER_BACKEND",), otherwise="claude-cli"),
    Setting("distiller.model", "claude-haiku-4-5", TextShape(), "Model of the claude-cli backend.", ("SKILLS_KNOWLEDGE_MODEL",)),
    Setting("distiller.openai_model", "gpt-5.4", TextShape(), "Model of the openai backend.", ("OPENAI_MODEL",)),
    Setting("distiller.openai_url", "https://api.openai.com/v1", AddressShape(), "Address of the openai backend.", ("OPENAI_BASE_URL",)),
    Setting("distiller.debug", default=False, shape=FlagShape(), help="Log what the distiller was asked and answered, redacted.", seeds=("SKILLS_DISTILLER_DEBUG",)),
    Setting("distiller.daily_calls", 50, WholeNumberShape(0, 10_000), "Model calls a day, at most.", project="stricter"),
    # The same for texts to embed: a project can only say that its notes are left out.
    Setting("embed.on", default=True, shape=FlagShape(), help="Embed with the chosen backend; a project can switch it off.", project="stricter"),
    Setting("embed.backend", "none", ChoiceShape(("none", "onnx", "openai", "ollama")), "What embeds notes and queries beside the word table, if anything; openai and ollama use the network."),
    Setting("embed.model", "", TextShape(), "Its model, or the folder of one; unset: the backend's usual one."),
    Setting("embed.url", "", AddressShape(), "Address of the openai or ollama backend; unset: https://api.openai.com/v1 and http://127.0.0.1:11434."),
    Setting("embed.timeout", 10.0, NumberShape(0.5, 60.0), "Seconds an address has to answer."),
    Setting("notes.travel", default=True, shape=FlagShape(), help="Let lessons that two projects taught, or that hold public words only, hold in every project; off: such copies are neither made nor told."),
    Setting("telling.turn_tokens", 6_000, WholeNumberShape(1, 1_000_000), "What a turn that is saved counts, in tokens; a lesson is told if it saves more than it costs."),
    Setting("telling.token_price", 4, WholeNumberShape(0, 1_000), "What a token that is told counts: it is read once, and again from the cache in later turns."),
    Setting("telling.margin", 2.0, NumberShape(0.1, 100.0), "How many times its cost a lesson must be expected to save before it is told at a session start."),
    Setting("telling.session_tokens", 250, WholeNumberShape(0, 5_000), "The most tokens of lessons told unasked at a session start; 0: none."),
    Setting("holdout.share", 0.1, NumberShape(0.0, 0.5), "Share of sessions that go without an automatic lesson, to measure what it does; 0: none."),
    Setting("holdout.weekly", 400, WholeNumberShape(0, 100_000), "Showings in a week from which on lessons are withheld; with fewer, a month would give no answer."),
    Setting("import.follow", default=False, shape=FlagShape(), help="After sessions, bring in what is new in the files of older systems, so that agents are told it; they are only read."),
    Setting("keeper.save_interval", 15, _COUNT, "Tool uses between two save banners, where `keeper.banner` is on; memory-keeper had 5.", project="yes"),
    Setting("keeper.banner", default=False, shape=FlagShape(), help="Ask the agent to save, as memory-keeper did, after so many tool uses and at the end of a turn; `twiceshy install` then lets Claude Code count every tool.", project="stricter"),
    Setting("commands.short", default=False, shape=FlagShape(), help="Write Claude Code's slash commands under their short names as well, /save and /存記憶, as memory-engine had them; `twiceshy install` puts it into effect."),
    Setting("commands.model", (), ItemsShape(), "Slash commands that Claude Code's model may run by itself, such as learn; `twiceshy install` puts it into effect."),
    Setting("projects.patterns", (), ItemsShape(), "Path patterns by the project name they stand for; an empty list takes an entry out.", project="yes", table=True),
    Setting("words.actions", (), ItemsShape(), "Words by the kind of work they betray; an empty list takes an entry out.", project="yes", table=True, entries=_ACTIONS),
    Setting("words.corrections", (), ItemsShape(shortest=2), "Words of yours by which a message corrects the agent, beside those that are known in English and Chinese; memory-engine called them correctionKeywords."),
    # A stopped call passes when it is repeated; a changed call runs.
    Setting("stops.mode", "deny", ChoiceShape(("off", "ask", "deny")), "What is done, once a session, about a call that is nearly certain to fail and is dear: nothing, you are asked, or the agent is told why and may repeat it.", project="stricter"),
    Setting("rewrites.on", default=False, shape=FlagShape(), help="Replace one wrong word of a command by the right one before it runs, if all such calls failed and the right one worked three times; the agent is told."),
    Setting("guards.mode", "warn", ChoiceShape(("off", "warn", "ask", "deny")), "What a guard does before a sensitive file is written, or a push sends, overwrites or deletes what it should not.", project="stricter"),
    Setting("guards.push_secrets", "ask", ChoiceShape(("warn", "ask", "deny")), "What a guard does at least about a push that sends secrets, or that could not be searched for them: a warning is read after the push.", project="stricter"),
    Setting("guards.push_reminder", default=False, shape=FlagShape(), help="Remind the agent of three things before every push, as memory-engine did."),
    Setting("guards.protected", PROTECTED, ItemsShape(), "Names of files that hold secrets; * stands for anything, and one with a slash is about the end of a path.", project="stricter"),
    Setting("guards.allowed", ALLOWED, ItemsShape(), "Names that look like it and are harmless."),
    # Shorter literals would blank out half of every note.
    Setting("redact.extra", (), ItemsShape(shortest=4), "Texts of your own that are redacted like secrets.", project="stricter", hidden=True),
    Setting("hook.deadline_ms", 300, WholeNumberShape(10, 10_000), "Milliseconds of processor time after which a hook gives up; `doctor` counts how often."),
    Setting("hook.wall_ms", 3_500, WholeNumberShape(10, 60_000), "Milliseconds of wall time after which a hook gives up, however busy the machine is; clients wait 5 seconds."),
    Setting("hook.lane", "process", ChoiceShape(("process", "server")), "Who answers events where a client can ask a tool: a process for each, or the MCP server that runs; `twiceshy install` puts it into effect."),
    Setting("hook.lock_ms", 100, WholeNumberShape(0, 5_000), "Milliseconds a hook waits for the store."),
    Setting("store.patience_s", 30, WholeNumberShape(1, 600), "Seconds a command waits for the store."),
    Setting("copies.every_days", 7, WholeNumberShape(0, 365), "Days after which the next session's process, or `tend`, writes a compressed copy of the store beside it; 0: never."),
    Setting("copies.kept", 2, WholeNumberShape(1, 100), "Copies that are kept."),
    # Maintenance reaches notes of all projects, and an address is the user's to choose.
    Setting("tend.after_sessions", default=False, shape=FlagShape(), help="Tend after sessions, at most once an hour, in a process that nobody waits for."),
    Setting("tend.every_days", 0, WholeNumberShape(0, 365), "Days after which the next session's process tends; 0: never by itself."),
    Setting("sync.remote", "", TextShape(), "The git repository that backup, recover and sync use: a URL or a path."),
    Setting("sync.branch", "main", TextShape(), "Its branch."),
    Setting("sync.after_sessions", default=False, shape=FlagShape(), help="Back up after sessions, in a process that nobody waits for; uses the network."),
    Setting("sync.every_minutes", 60, WholeNumberShape(1, 10_080), "Minutes between two such backups, at least."),
    Setting("sync.follow", default=False, shape=FlagShape(), help="Let introduced devices erase notes, join projects and change approved rules here without a question."),
    Setting("language", "auto", ChoiceShape(("auto", "en", "zh")), "Language of what people read."),
)  # fmt: skip

BY_KEY = {setting.key: setting for setting in SETTINGS}
# Settings of earlier versions: a file may still set them, which does nothing.
UNUSED = frozenset(("update.check", "update.url"))
SECTIONS = frozenset(key.partition(".")[0] for key in (*BY_KEY, *UNUSED) if "." in key)
# Read from the environment where they are used; settings know only whether they are there.
SECRETS = ("OPENAI_API_KEY", "TWICESHY_EMBED_KEY")


def find_setting(key: str) -> Setting:
    """Return the setting of ``key``; an unknown key is a programming error."""
    try:
        return BY_KEY[key]
    except KeyError:
        raise KeyError(f"no setting is called {key!r}; near: {suggest_key(key)!r}") from None


def suggest_key(key: str) -> str:
    """Return a known key similar to ``key``; empty if none."""
    import difflib  # noqa: PLC0415  (only mistakes need it, and it costs 8 ms)

    return next(iter(difflib.get_close_matches(key[:60], BY_KEY, n=1)), "")
