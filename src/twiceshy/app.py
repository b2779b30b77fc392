"""Composition root: settings, store, clock and redaction gate."""

from __future__ import annotations

import os

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from twiceshy.config.quick import QuickConfig
    from twiceshy.config.resolved import Config
    from twiceshy.core.note import Note, Source
    from twiceshy.core.store import HookStore, Store
    from twiceshy.files.lock import FileLock
    from twiceshy.models.completer import Completer
    from twiceshy.models.embedder import Embedder
    from twiceshy.places.identity import Identity
    from twiceshy.places.skill import Skill
    from twiceshy.places.skill_folders import SkillSearchPath

# Where some clients say in which session they run a command.
_SESSIONS = ("CLAUDE_CODE_SESSION_ID", "CODEX_SESSION_ID", "GEMINI_SESSION_ID")
_MOST_CLEAN, _LONGEST_CLEAN = 4_096, 1_000  # texts remembered as clean, and their characters
_MOST_FOUND = 256  # secrets of a session that are looked for in its later texts
_SHORTEST = 4  # characters of a known secret; a shorter text would be found everywhere


class RedactionGate:
    """Redacts texts, with secrets of the environment and the settings, and ``words`` of a project's file.

    A secret found once is taken out of each later text of its session, known by a short keyed hash.
    """

    def __init__(
        self, config: Config | QuickConfig, words: tuple[str, ...] = (), session: str = ""
    ) -> None:
        self._extra = config.items("redact.extra") + words
        self._suspects: tuple[str, ...] | None = None
        self._clean: set[str] = set()  # hooks and learning ask several times about the same texts
        self._known: tuple[str, ...] | None = None
        self._home = config.home
        self.enter_session(session)

    def enter_session(self, session: str) -> None:
        """Go on with what was found in a session; what was found in another one is forgotten here."""
        self._session = session = "" if os.sep in session else session.strip(".")
        self._found: list[str] = []
        self._hashes: set[bytes] | None = None if session else set()
        self._key = b""
        self._clean.clear()

    def __call__(self, text: str) -> str:
        """Redact a text; rules and secrets are loaded only for suspicious texts."""
        if text in self._clean:
            return text
        from twiceshy.safety.redact.quick_check import is_surely_harmless, list_suspect_values

        if self._suspects is None:
            self._suspects = list_suspect_values(os.environ) + self._extra
        redacted = text
        if not is_surely_harmless(text, (*self._suspects, *self._found)):
            redacted = self._redact(text)
        if self._hashes is None:
            self._read_hashes()
        if self._hashes:
            from twiceshy.safety.redact.session_values import redact_hashed

            redacted = redact_hashed(redacted, self._hashes, self._key)
        return self._remember_clean(text) if redacted == text else redacted

    def _redact(self, text: str) -> str:
        from twiceshy.safety.redact.gate import redact_and_learn

        redacted, found = redact_and_learn(text, (*self.list_known(), *self._found))
        new = [value for value in found if value not in self._found]
        if new and len(self._found) < _MOST_FOUND:
            self._found += new
            self._clean.clear()
            self._keep_hashes(new)
        return redacted

    def list_known(self) -> tuple[str, ...]:
        """Return the secrets of the environment and of the settings."""
        if self._known is None:
            from twiceshy.safety.redact import list_secret_values

            known = (*list_secret_values(os.environ), *self._extra)
            self._known = tuple(value for value in known if len(value.strip()) >= _SHORTEST)
        return self._known

    def _read_hashes(self) -> None:
        self._hashes = set()
        if os.path.exists(os.path.join(self._home, "found", self._session)):
            from twiceshy.files.session_hashes import read_hashes
            from twiceshy.safety.redact.session_values import SIZE

            self._hashes, self._key = read_hashes(self._home, self._session, size=SIZE)

    def _keep_hashes(self, values: list[str]) -> None:
        """Keep what later processes of the session need to know a secret again."""
        if not self._session or not os.path.isdir(self._home):
            return
        from twiceshy.files.session_hashes import append_hashes, find_key
        from twiceshy.safety.redact.session_values import hash_values

        if self._hashes is None:
            self._read_hashes()
        self._key = self._key or find_key(self._home)
        known = self._hashes or set()
        new = hash_values(values, self._key) - known if self._key else set()
        if new:
            self._hashes = known | new
            append_hashes(self._home, self._session, new)

    def _remember_clean(self, text: str) -> str:
        if len(self._clean) < _MOST_CLEAN and len(text) <= _LONGEST_CLEAN:
            self._clean.add(text)
        return text


class HookApp(Value):
    """Tools of a hook: settings, open store, redaction gate, working directory."""

    config: Config | QuickConfig
    store: HookStore
    redact: RedactionGate
    cwd: str

    def skill_search_path(self, root: str = "", *, prefer: str = "") -> SkillSearchPath:
        """Return the search path for skills; ``root`` is the project root, ``prefer`` a runtime."""
        from twiceshy.places.skill_folders import SkillSearchPath

        return SkillSearchPath(self.cwd, root or self.cwd, user_home(), os.environ, prefer)

    def skill_version(self, skill: Skill) -> str:
        """Return the version hash of a skill's folder."""
        from twiceshy.places.skill_version import hash_skill_version

        return hash_skill_version(
            skill.folder, cache=os.path.join(self.config.home, "skills.json")
        )

    def rule_key(self) -> bytes:
        """Return the key for approved rules; empty if absent."""
        return rule_key(self.config)

    def is_welcome(self, note: Note) -> bool:
        """True unless other projects taught a note, and the user wants no such notes."""
        if self.config.flag("notes.travel"):
            return True
        from twiceshy.core.trust import has_travelled

        return not has_travelled(note)

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

    def gate_of(self, project: str) -> RedactionGate:
        """Return the redaction gate for texts of a project."""
        words = self.config.project_items("redact.extra")
        return (
            RedactionGate(self.config, words) if words and self._has_file(project) else self.redact
        )

    def lifetimes_of(self, project: str) -> dict[str, int]:
        """Return the lifetimes of notes of a project, in days by kind."""
        ours = bool(self.config.project_file) and self._has_file(project)
        return self.config.counts("expiry.days", project=ours)

    def _has_file(self, project: str) -> bool:
        """True if the project's file that is in effect lies in this project."""
        folder = os.path.dirname(self.config.project_file)
        return project in self.store.list_project_ids(identify_project(folder, self).id)

    def current_project(self) -> Identity:
        """Return the project of the current directory."""
        return identify_project(self.cwd, self)

    def build_embedder(self) -> Embedder | None:
        """Return the embedder of the settings; None if switched off."""
        if self.config.text("embed.backend") == "none":
            return None
        from twiceshy import models

        return models.build_embedder(self.config, os.environ)

    def build_completer(self) -> Completer | None:
        """Return the distilling model of the settings; None if switched off."""
        if self.config.text("distiller.backend") == "none":
            return None
        from twiceshy import models

        return models.build_completer(self.config, os.environ)

    def learning_lock(self, *, patience: float) -> FileLock:
        """Return the learning lock; its ``with`` yields whether the lock was taken."""
        from twiceshy.files.lock import FileLock

        return FileLock(os.path.join(self.config.home, "learn.lock"), patience)


def open_app(config: Config | None = None) -> App:
    """Open the configured store for a command; use in a ``with``."""
    from twiceshy.store.command_store import WholeStore
    from twiceshy.store.connect import COMMAND_PATIENCE

    config, cwd = config or load_settings(), working_directory()
    retries = max(1, config.integer("store.patience_s") * 1000 // COMMAND_PATIENCE.wait_ms)
    patience, gate = COMMAND_PATIENCE.but(retries=retries), RedactionGate(config)
    store = WholeStore(_store_path(config), clock=read_clock, gate=gate, patience=patience)
    app = App(config, store, gate, cwd)
    store.homes, store.logs = (config.home,), tuple(filter(None, (config.text("logs.distiller"),)))
    store.for_agents = is_started_by_agent()
    store.author, store.runtime = _calling_session(app), _calling_runtime()
    gate.enter_session(store.author)
    return app


def build_hook_gate(config: Config | QuickConfig, session: str) -> RedactionGate:
    """Return the redaction gate of a hook, which writes about the session in this folder."""
    return RedactionGate(config, config.project_items("redact.extra"), session)


def open_app_in_hook(config: Config | QuickConfig, cwd: str, gate: RedactionGate) -> HookApp:
    """Open the configured store for a hook with a short lock wait; use in a ``with``."""
    from twiceshy.store.connect import HOOK_PATIENCE
    from twiceshy.store.hook_store import SqliteHookStore

    patience = HOOK_PATIENCE.but(wait_ms=config.integer("hook.lock_ms"))
    store = SqliteHookStore(_store_path(config), clock=read_clock, gate=gate, patience=patience)
    store.for_agents = True
    return HookApp(config, store, gate, cwd)


def _store_path(config: Config | QuickConfig) -> str:
    if "://" in config.store:
        from twiceshy.config.shapes import mask_password

        raise ConfigError(
            f"no store understands {mask_password(config.store)!r}",
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


def rule_key(config: Config | QuickConfig, *, create: bool = False) -> bytes:
    """Return the device key that signs rules; no rule is valid without the key."""
    from twiceshy.files.key import make_key, read_key

    path = os.path.join(config.home, "rules.key")
    return make_key(path) if create else read_key(path)


def is_started_by_agent() -> bool:
    """True if a client says that its agent started this command; what is written is the agent's then."""
    from twiceshy.runtimes.callers import find_marked_client

    return bool(find_marked_client(os.environ))


def command_author() -> Source:
    """Return the author of this command: the user, or an agent."""
    return "agent" if is_started_by_agent() else "user"


def _calling_runtime() -> str:
    """Return the runtime of the calling agent; empty for a person."""
    from twiceshy.runtimes import RUNTIMES
    from twiceshy.runtimes.callers import find_marked_client

    client = find_marked_client(os.environ)
    return client if client in RUNTIMES else ""


def _calling_session(app: App) -> str:
    """Return the session of the calling agent; empty for a person."""
    if not is_started_by_agent():
        return ""
    said = next(filter(None, map(os.environ.get, _SESSIONS)), "")
    if said:
        return said
    from twiceshy.core.call_claim import SHELL

    same = app.store.list_project_ids(app.current_project().id)
    session = app.store.session(call=SHELL, projects=same)
    return session.id if session else ""


def load_settings() -> Config:
    """Resolve the settings for this process."""
    from twiceshy.config.load import load_config

    config = load_config(os.environ, cwd=working_directory(), home_dir=user_home())
    _refuse_foreign_home(config)
    return config


def _refuse_foreign_home(config: Config | QuickConfig) -> None:
    """Refuse a home that another user owns or can replace, before anything is written there."""
    from twiceshy.files import refuse_foreign_folder

    refuse_foreign_folder(config.home, store=os.path.join(config.home, "twiceshy.db"))


def load_settings_in_hook(cwd: str) -> Config | QuickConfig:
    """Resolve the settings for a hook; invalid values are ignored silently."""
    from twiceshy.config.quick import load_quick_config

    place = user_home()
    known = load_quick_config(os.environ, cwd=cwd, home_dir=place)
    if known:
        _refuse_foreign_home(known)
        return known
    from twiceshy.config.compiled import compile_settings
    from twiceshy.config.load import load_config

    config = load_config(os.environ, cwd=cwd, home_dir=place, strict=False)
    _refuse_foreign_home(config)
    compile_settings(config, os.environ, cwd=cwd, home_dir=place)
    return config


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


def identify_project(cwd: str, app: HookApp, *, patience: float | None = None) -> Identity:
    """Identify the project of a directory, as far as the directory may be believed.

    ``patience`` is the time limit of git in seconds.
    """
    from twiceshy.places.joining import find_project
    from twiceshy.places.project import PATIENCE

    limit = PATIENCE if patience is None else patience
    return find_project(cwd, app.store, memory=app.config.home, patience=limit)


def read_clock() -> int:
    """Return the wall clock in milliseconds, or the time in ``TWICESHY_NOW``."""
    if said := os.environ.get("TWICESHY_NOW"):
        return _parse_clock(said)
    import time

    return time.time_ns() // 1_000_000


def _parse_clock(text: str) -> int:
    from twiceshy.core.moment import parse_stamp

    try:
        return parse_stamp(text)
    except ValueError:
        raise ConfigError(
            f"TWICESHY_NOW is {text!r}, which is no time",
            hint="write it as 2026-11-02T09:30:00Z, or unset it",
        ) from None
