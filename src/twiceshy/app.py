"""Composition root: settings, store, clock and redaction gate."""

from __future__ import annotations

import os

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from twiceshy.config.quick import Quick
    from twiceshy.config.resolved import Config
    from twiceshy.core.evidence import Signal
    from twiceshy.core.note import Source
    from twiceshy.core.store import HookStore, Store
    from twiceshy.files.lock import Turn
    from twiceshy.models.chat import Completer
    from twiceshy.models.port import Embedder
    from twiceshy.places.identity import Identity
    from twiceshy.places.skill import Around, Skill


# What runtimes set where their agents run commands: such a command is not the user's.
_MARKS = {
    "CLAUDECODE": "claude-code",
    "CODEX_SANDBOX": "codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "codex",
    "GEMINI_CLI": "gemini",
    "OPENCODE": "opencode",
}
AGENT_MARKS = tuple(_MARKS)
# Where some of them say in which session.
_SESSIONS = ("CLAUDE_CODE_SESSION_ID", "CODEX_SESSION_ID", "GEMINI_SESSION_ID")


class Gate:
    """Redacts texts, including secrets of the environment and of the user's settings."""

    def __init__(self, config: Config | Quick) -> None:
        self._extra = config.items("redact.extra")
        self._suspects: tuple[str, ...] | None = None
        self._known: tuple[str, ...] | None = None

    def __call__(self, text: str) -> str:
        """Redact a text; rules and secrets are loaded only for suspicious texts."""
        from twiceshy.safety.redact.harmless import harmless, suspects

        if self._suspects is None:
            self._suspects = suspects(os.environ) + self._extra
        if harmless(text, self._suspects):
            return text
        from twiceshy.safety.redact import redact, secret_values

        if self._known is None:
            self._known = secret_values(os.environ) + self._extra
        return redact(text, known=self._known)


class HookApp(Value):
    """Tools of a hook: settings, open store, redaction gate, working directory."""

    config: Config | Quick
    store: HookStore
    redact: Gate
    cwd: str

    def around(self, root: str = "", *, prefer: str = "") -> Around:
        """Return the search path for skills; ``root`` is the project root, ``prefer`` a runtime."""
        from twiceshy.places.skill import Around

        return Around(self.cwd, root or self.cwd, user_home(), os.environ, prefer)

    def version(self, skill: Skill) -> str:
        """Return the version hash of a skill's folder."""
        from twiceshy.places.skill_version import version

        return version(skill.folder, cache=os.path.join(self.config.home, "skills.json"))

    def rule_key(self) -> bytes:
        """Return the key for approved rules; empty if absent."""
        return rule_key(self.config)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.store.close()


class App(HookApp):
    """Tools of a command: every setting, and the whole store."""

    if TYPE_CHECKING:
        config: Config
        store: Store

    def here(self) -> Identity:
        """Return the project of the current directory."""
        return identify(self.cwd, self.config)

    def embedder(self) -> Embedder | None:
        """Return the embedder of the settings; None if switched off."""
        if self.config.text("embed.backend") == "none":
            return None
        from twiceshy import models

        return models.embedder(self.config, os.environ)

    def completer(self) -> Completer | None:
        """Return the distilling model of the settings; None if switched off."""
        if self.config.text("distiller.backend") == "none":
            return None
        from twiceshy import models

        return models.completer(self.config, os.environ)

    def learning(self, *, patience: float) -> Turn:
        """Return the learning lock; its ``with`` yields whether the lock was taken."""
        from twiceshy.files.lock import Turn

        return Turn(os.path.join(self.config.home, "learn.lock"), patience)


def opened(config: Config | None = None) -> App:
    """Open the configured store for a command; use in a ``with``."""
    from twiceshy.store.connect import COMMAND
    from twiceshy.store.whole import WholeStore

    config, cwd = config or settings(), working_directory()
    retries = max(1, config.integer("store.patience_s") * 1000 // COMMAND.wait_ms)
    patience, gate = COMMAND.but(retries=retries), Gate(config)
    store = WholeStore(_store_path(config), clock=clock, gate=gate, patience=patience)
    app = App(config, store, gate, cwd)
    store.author, store.runtime = _session(app), _runtime()
    return app


def opened_in_hook(config: Config | Quick, cwd: str) -> HookApp:
    """Open the configured store for a hook with a short lock wait; use in a ``with``."""
    from twiceshy.store.connect import HOOK
    from twiceshy.store.hook_store import SqliteHookStore

    patience, gate = HOOK.but(wait_ms=config.integer("hook.lock_ms")), Gate(config)
    store = SqliteHookStore(_store_path(config), clock=clock, gate=gate, patience=patience)
    return HookApp(config, store, gate, cwd)


def _store_path(config: Config | Quick) -> str:
    if "://" in config.store:
        from twiceshy.config.shapes import masked

        raise ConfigError(
            f"no store understands {masked(config.store)!r}",
            hint="give the path of an SQLite file",
        )
    return config.store


def claim_conversion(app: HookApp) -> bool:
    """True if this hook shall start the background job that converts an older store."""
    if not app.store.older:
        return False
    import time

    from twiceshy.store.convert import claim_conversion

    return claim_conversion(app.config.store, now_s=time.time())


def rule_key(config: Config | Quick, *, create: bool = False) -> bytes:
    """Return the device key that signs rules; no rule is valid without the key."""
    from twiceshy.files.key import make_key, read_key

    path = os.path.join(config.home, "rules.key")
    return make_key(path) if create else read_key(path)


def by_agent() -> bool:
    """True if an agent started this command; actions reserved for the user are refused then."""
    return any(os.environ.get(mark) for mark in AGENT_MARKS)


def writer() -> Source:
    """Return the author of this command: the user, or an agent."""
    return "agent" if by_agent() else "user"


def _runtime() -> str:
    """Return the runtime of the calling agent; empty for a person."""
    return next((name for mark, name in _MARKS.items() if os.environ.get(mark)), "")


def _session(app: App) -> str:
    """Return the session of the calling agent; empty for a person."""
    if not by_agent():
        return ""
    said = next(filter(None, map(os.environ.get, _SESSIONS)), "")
    if said:
        return said
    from twiceshy.core.call_claim import SHELL

    same = app.store.same_project(app.here().id)
    session = app.store.session(call=SHELL, projects=same)
    return session.id if session else ""


def set_down(signal: Signal, config: Config | Quick) -> None:
    """Write a signal to the spool beside a store that cannot be opened."""
    from twiceshy.store import evidence, spool

    safe = evidence.redacted(signal, Gate(config))
    path = os.path.join(os.path.dirname(config.store), spool.NAME)
    spool.append(path, evidence.to_line(safe))


def settings() -> Config:
    """Resolve the settings for this process."""
    from twiceshy.config.load import load

    return load(os.environ, cwd=working_directory(), home_dir=user_home())


def settings_in_hook(cwd: str) -> Config | Quick:
    """Resolve the settings for a hook; invalid values are ignored silently."""
    from twiceshy.config.quick import quick

    defaults = quick(os.environ, cwd=cwd, home_dir=user_home())
    if defaults:
        return defaults
    from twiceshy.config.load import load

    return load(os.environ, cwd=cwd, home_dir=user_home(), strict=False)


def working_directory() -> str:
    """Return the current directory; ConfigError if deleted."""
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise ConfigError(
            "the current directory no longer exists", hint="change to another directory"
        ) from error


def user_home() -> str:
    """Return the user's home directory."""
    return os.path.expanduser("~")


def identify(cwd: str, config: Config | Quick, *, patience: float | None = None) -> Identity:
    """Identify the project of a directory; ``patience`` is the time limit of git in seconds."""
    from twiceshy.places import project as projects

    cache = os.path.join(config.home, "projects.json")
    return projects.identify(
        cwd, cache=cache, patience=projects.PATIENCE if patience is None else patience
    )


def clock() -> int:
    """Return the wall clock in milliseconds, or the time in ``TWICESHY_NOW``."""
    if said := os.environ.get("TWICESHY_NOW"):
        return _moment(said)
    import time

    return time.time_ns() // 1_000_000


def _moment(text: str) -> int:
    from twiceshy.core.moment import parse_stamp

    try:
        return parse_stamp(text)
    except ValueError:
        raise ConfigError(
            f"TWICESHY_NOW is {text!r}, which is no time",
            hint="write it as 2026-11-02T09:30:00Z, or unset it",
        ) from None
