"""A process that works on a store as others do at the same time; tests start it and count.

    python writers.py VERB PATH …

Every verb says "ready", waits for a line on stdin, and then prints one line of JSON for each effect,
after it is acknowledged and never before.
"""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable
from typing import Any

from twiceshy.app import App, RedactionGate
from twiceshy.config.resolved import Config
from twiceshy.core.draft import Draft
from twiceshy.core.errors import StoreError
from twiceshy.core.evidence import Episode, Signal
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.core.text import fingerprint_text
from twiceshy.notes import edit
from twiceshy.notes.undo import undo_batch
from twiceshy.notes.write import NoteLimits, write_draft
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import COMMAND_PATIENCE, HOOK_PATIENCE

SCOPE = Scope("demo", "")
SHARED = "Fetch the tags before tagging, or the tag lands on an old commit."
VARIANTS = (SHARED, SHARED.upper(), f"- {SHARED}", f"  {SHARED}  [HIT:3]")
WIDE = NoteLimits(skill_max=100_000, global_max=100_000)


def main(verb: str, path: str, *arguments: str) -> None:
    """Run one verb, when told to."""
    say("ready")
    wait()
    VERBS[verb](path, *arguments)


def mixed(path: str, name: str, count: str, synchronous: str = "FULL", timed: str = "") -> None:
    """Do everything people do, ``count`` times in turn; tell how long the slowest took if asked."""
    store = an_open_store(path, synchronous)
    work = Work(store, name)
    slowest = 0
    for number in range(int(count)):
        began = now()
        say(work.turns[number % len(work.turns)](number))
        slowest = max(slowest, now() - began)
    store.close()
    if timed:
        say(["slowest", slowest])


def notes(path: str, name: str, synchronous: str = "FULL") -> None:
    """Write a note for every further line on stdin."""
    store = an_open_store(path, synchronous)
    for number, _ in enumerate(sys.stdin):
        say(learn(store, f"Lesson {number} of {name}: see step-{number}-{name}.").id)
    store.close()


def signals(path: str, name: str, count: str) -> None:
    """Capture as hooks do: one process for all, but never waiting for long."""
    for number in range(int(count)):
        store = WholeStore(path, clock=now, patience=HOOK_PATIENCE)
        signal = Signal(f"{name}-{number}", "error", f"session-{name}", "demo", now())
        say([signal.key, store.capture(signal)])
        store.close()


def hold(path: str) -> None:
    """Hold the write lock until told to let go."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    say("held")
    wait()
    db.execute("ROLLBACK")


def look(path: str, user: str = "") -> None:
    """Open the store, as another user if one is given, and tell what it holds or why not."""
    if user:
        RedactionGate(Config(""))(
            fingerprint_text("lesson", "é")
        )  # loads what that user may not be allowed to read
        os.setgid(int(user))
        os.setuid(int(user))
    try:
        store = WholeStore(path, clock=now)
        say({"notes": store.count_notes(NoteFilter()), "schema": store.summarise_store().schema})
        say(learn(store, "A note more.").id)
        store.close()
    except StoreError as error:
        say({"error": type(error).__name__, "message": str(error), "hint": error.hint})


class Work:
    """What one writer does, and what must be found of it afterwards."""

    def __init__(self, store: WholeStore, name: str) -> None:
        self.store = store
        self.name = name
        self.own: list[Note] = []
        self.turns: tuple[Callable[[int], Any], ...] = (
            self.note,
            self.again,
            self.edit,
            self.decision,
            self.pin,
            self.tally,
            self.retire,
            self.checkpoint,
            self.take_back,
        )

    def note(self, number: int) -> Any:
        self.own.append(learn(self.store, f"Lesson {number}: see step-{number}-{self.name}."))
        return ["note", self.own[-1].id]

    def again(self, number: int) -> Any:
        return ["again", learn(self.store, VARIANTS[number % len(VARIANTS)]).id]

    def edit(self, number: int) -> Any:
        text = f"Edited {number} by edit-{number}-{self.name}."
        note = edit.edit_fields(app_of(self.store), self.own[-1], {"text": text})
        return ["edit", note.id, text]

    def decision(self, number: int) -> Any:
        text = f"Decision {number}: use plan-{number}-{self.name}."
        return ["decision", learn(self.store, text, kind="decision").id]

    def pin(self, number: int) -> Any:
        return ["pin", edit.pin_note(app_of(self.store), self.own[-1]).id]

    def tally(self, number: int) -> Any:
        shared = learn(self.store, SHARED)
        self.store.increment_counter("recalls", [shared.id])
        return ["tally", shared.id]

    def retire(self, number: int) -> Any:
        return ["retire", edit.retire_note(app_of(self.store), self.own[-1]).id]

    def checkpoint(self, number: int) -> Any:
        episode = Episode(f"e{number}-{self.name}", "checkpoint", self.name, "demo", 0, now())
        self.store.capture(episode)
        return ["checkpoint", episode.id]

    def take_back(self, number: int) -> Any:
        note = learn(self.store, f"Mistake {number}: it was slip-{number}-{self.name}.")
        undo_batch(app_of(self.store), self.store.history(note.id)[-1].batch)
        return ["undo", note.id]


def learn(store: WholeStore, text: str, **fields: Any) -> Note:
    """Write a note as the user would."""
    draft = Draft.of({"kind": "lesson", "text": text, "scope": SCOPE, "source": "user"} | fields)
    outcome = write_draft(app_of(store), draft, bounds=WIDE)
    note: Note = getattr(outcome, "note")  # noqa: B009  (a refusal has none, and then this must fail)
    return note


def app_of(store: WholeStore) -> App:
    """Return an App over a store, with default settings."""
    config = Config(os.path.dirname(store.path))
    return App(config, store, RedactionGate(config), config.home_dir)


def an_open_store(path: str, synchronous: str) -> WholeStore:
    """Open as commands do, or as hard as asked for."""
    return WholeStore(path, clock=now, patience=COMMAND_PATIENCE.but(synchronous=synchronous))


def now() -> int:
    """Return the wall clock in milliseconds."""
    return time.time_ns() // 1_000_000


def say(what: object) -> None:
    """Print a line at once."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def wait() -> None:
    """Wait for a line."""
    sys.stdin.readline()


VERBS: dict[str, Callable[..., None]] = {
    "mixed": mixed,
    "notes": notes,
    "signals": signals,
    "hold": hold,
    "look": look,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
