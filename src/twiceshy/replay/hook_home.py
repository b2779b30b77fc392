"""The real hooks on a private memory home; nothing of the user's is opened.

Settings are defaults unless given, and no note is withheld. The clock is the recording's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from twiceshy import app as wiring
from twiceshy.config.load import load_config
from twiceshy.core.jsontext import write_json
from twiceshy.core.note import new_id
from twiceshy.core.prefilter_words import FOLDER, name_watch_file, payload_may_match
from twiceshy.core.store import Store
from twiceshy.core.value import Value
from twiceshy.learning.learn import learn_from_transcripts
from twiceshy.learning.sources import TranscriptSource
from twiceshy.recall import background as later
from twiceshy.recall.capture import CALLS, capture_record
from twiceshy.recall.claim_first_use import claim_first_use
from twiceshy.recall.event_context import REWRITE, EventContext
from twiceshy.recall.respond import respond_to_event
from twiceshy.runtimes import load_payload_module, quick_look
from twiceshy.runtimes.claude_code.plugin import HOOKS
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import HOOK_PATIENCE


class HookReply(Value):
    """The reply to an event: text for the model, and the ruling about a pending call."""

    text: str = ""
    ruling: str = ""


_MATCHERS = {row.event: re.compile(row.matcher or ".*") for row in HOOKS}


class _ReplayStore(WholeStore):
    """A store whose note ids are numbered: notes of one moment sort alike in every replay."""

    _numbered = 0

    def new_id(self) -> str:
        """Return the next note id."""
        self._numbered += 1
        return new_id(self.now(), self._numbered.to_bytes(5, "big"))


class ReplayHome:
    """Answers events of a project's sessions, and learns; use in a ``with``.

    ``settings`` are variables as set by a user, ``runtime`` is the client that fires the events.
    """

    def __init__(
        self, folder: str, settings: Mapping[str, str], runtime: str = "claude-code"
    ) -> None:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        # what went wrong inside a hook, which a session never hears of
        self.faults: list[str] = []
        self._now = 0
        self._runtime, self._payload = runtime, load_payload_module(runtime)
        own = {"TWICESHY_HOME": os.path.join(folder, "memory"), "TWICESHY_HOLDOUT_SHARE": "0"}
        config = load_config({**settings, **own}, cwd=folder, home_dir=folder)
        gate = wiring.RedactionGate(config)
        store = _ReplayStore(
            config.store, clock=lambda: self._now, gate=gate, patience=HOOK_PATIENCE
        )
        self._app = wiring.App(config, store, gate, folder)
        self._watched: bytes | None = None
        self._learn_later = later.start_background_job
        self.root = ""

    def __enter__(self) -> Self:
        # a process that is started to learn would do so in the user's own memory home
        later.start_background_job = _learn_at_the_end
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        later.start_background_job = self._learn_later
        self._app.store.close()

    @property
    def store(self) -> Store:
        """Return the store of the home."""
        return self._app.store

    def enter_directory(self, cwd: str) -> None:
        """Start the next session in a directory; it may have begun before the last one ended."""
        self._now = 0
        here = wiring.identify_project(cwd, self._app)  # with more patience than a hook has
        self.root = here.root
        name = name_watch_file(here.id.encode(), os.environ)
        path = os.path.join(self._app.config.home, FOLDER, name)
        try:
            with open(path, "rb") as file:
                self._watched = file.read()
        except FileNotFoundError:
            self._watched = None  # nobody has said what to look for, so everything is looked at

    def fire_event(self, name: str, at: int, cwd: str, fields: Mapping[str, object]) -> HookReply:
        """Fire an event, and return the reply of the hook."""
        self._now = max(self._now + 1, at)
        try:
            return self._answer_event(name, cwd, fields)
        except Exception as error:  # noqa: BLE001 - a hook is silent then; here it is counted
            self.faults.append(f"{name}: {type(error).__name__}")
            return HookReply()

    def _answer_event(self, name: str, cwd: str, fields: Mapping[str, object]) -> HookReply:
        raw = write_json({"hook_event_name": name, **fields}).encode("utf-8", "replace")
        if not self._passes_prefilter(raw):
            return HookReply()
        environ = {"CLAUDE_PROJECT_DIR": cwd}
        name, event = self._payload.parse(raw, environ=environ, now=self._now)
        if event is None:
            return HookReply()
        app = self._app.but(cwd=cwd)
        record = capture_record(
            event, runtime=self._runtime, home=app.config.home, redact=app.redact
        )
        context = EventContext(event, app, self._runtime, record=record)
        text = respond_to_event(context)
        context.flush_writes()
        own = context.intervention
        ruling = context.ruling or ((own.ruling or REWRITE) if own else "")
        return HookReply(context.complete_text(text), ruling)

    def learn_session(self, path: str, session: str) -> None:
        """Learn from a finished session."""
        learn_from_transcripts(self._app, [TranscriptSource(path, session)], close=True)

    def _passes_prefilter(self, raw: bytes) -> bool:
        if quick_look.is_pending_call(raw):
            return self._watched is None or payload_may_match(self._watched, raw)
        if quick_look.may_matter(raw, self._runtime):
            return True
        watch = quick_look.name_watch(raw)
        folder = os.fsencode(os.path.join(self._app.config.home, CALLS, ""))
        return bool(watch) and claim_first_use(raw, folder + watch)


def _learn_at_the_end(session: str, *, over: bool = False) -> None:
    """Start no background job: a replayed session is learned from at its end."""


def has_installed_hook(event: str, tool: str) -> bool:
    """True if a hook is installed for an event of this tool."""
    matcher = _MATCHERS.get(event)
    return matcher is not None and matcher.fullmatch(tool) is not None
